/** Which answers leave with a state, and what a sealed one will hold. */

import { stringMember } from '../protocol/messages.js';
import { isInputRequired, resultOf } from '../protocol/results.js';
import type { OutboundInput } from './exchange.js';

export type IssuedState = 'own' | 'added';

/** `own`: the server sent a state. `added`: it asks without one, on a route that seals always. */
export function issuedState(input: OutboundInput): IssuedState | undefined {
  const result = isInputRequired(input) ? resultOf(input.message) : undefined;
  if (result === undefined) return undefined;
  if (stringMember(result, 'requestState') !== undefined) return 'own';
  return input.exchange.policy.seal?.always && input.asked.length > 0 ? 'added' : undefined;
}
