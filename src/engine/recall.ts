/** An exchange from what is left of its request, for whoever judges without a gateway: audits and recordings. */
import { readCapabilities } from '../protocol/capabilities.js';
import type { HeaderFields } from '../protocol/headers.js';
import { isLegacy } from '../protocol/legacy.js';
import type { Reading } from '../protocol/reading.js';
import { clientMessageOf } from '../protocol/received.js';
import type { Exchange, StateOpening } from './exchange.js';
import type { RoutePolicy } from './policy.js';

export interface Recalled {
  readonly reading: Reading;
  readonly headers: HeaderFields;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What is known of the state that the request carries; a gateway would have opened it. */
  readonly state?: StateOpening | undefined;
}

export function recallExchange(policy: RoutePolicy, { reading, headers, now, state }: Recalled): Exchange {
  const message = clientMessageOf(reading);
  return {
    policy,
    headers,
    message,
    capabilities: readCapabilities(message.meta),
    legacy: isLegacy(message, headers),
    facts: { now, principal: undefined, state },
  };
}
