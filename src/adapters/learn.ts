/** From a message's bytes and head to the exchange that rules judge. */
import type { Exchange, Facts } from '../engine/exchange.js';
import type { Identity } from '../engine/identity.js';
import type { RoutePolicy } from '../engine/policy.js';
import { readCapabilities } from '../protocol/capabilities.js';
import type { HeaderFields } from '../protocol/headers.js';
import { isLegacy } from '../protocol/legacy.js';
import { type Reading, textOf } from '../protocol/reading.js';
import { clientMessageOf } from '../protocol/received.js';
import type { States } from './states.js';

export interface Received {
  readonly reading: Reading;
  readonly headers: HeaderFields;
  readonly identity: Identity;
}

export function learnExchange(
  states: States,
  policy: RoutePolicy,
  { reading, headers, identity }: Received,
): Exchange {
  const message = clientMessageOf(reading);
  const { binding } = identity;
  const now = Date.now();
  const { state, seal } = states.learn(policy, { message, text: () => textOf(reading), binding, now });
  const principal = binding === '' ? undefined : states.sealer.pseudonym(binding);
  const facts: Facts = { now, principal, state, seal };
  const capabilities = readCapabilities(message.meta);
  return { policy, headers, message, capabilities, legacy: isLegacy(message, headers), facts };
}
