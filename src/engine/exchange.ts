import type { Capabilities } from '../protocol/capabilities.js';
import type { HeaderFields } from '../protocol/headers.js';
import type { InputRequest } from '../protocol/input-requests.js';
import type { ClientMessage, ServerMessage } from '../protocol/messages.js';
import type { Reading } from '../protocol/reading.js';
import type { RoutePolicy } from './policy.js';
import type { StateVerdict } from './rule.js';
import type { SealState, StateToken } from './state.js';

/** What admit may look at: the request line and headers, before a byte of the body. */
export interface AdmitInput {
  readonly httpMethod: string;
  readonly headers: HeaderFields;
  readonly origins: OriginPolicy;
  /** A body is expected: POST on the MCP path. */
  readonly carriesMessage: boolean;
}

/** Which Origin and Host values vouch for a caller; compiled once per listener. */
export interface OriginPolicy {
  /** The listener is bound to loopback: loopback origins and hosts are welcome. */
  readonly loopback: boolean;
  /** Serialized origins (`https://a.example`), lower case. */
  readonly origins: ReadonlySet<string>;
  /** Host values with and without port, lower case. */
  readonly hosts: ReadonlySet<string>;
  /** Host is judged (always on loopback; elsewhere when `publicUrl` or `allowedHosts` is set). */
  readonly checkHost: boolean;
}

/** What parse judges: the body as read, before it is anybody's message. */
export interface ParseInput {
  readonly reading: Reading;
  /** The head speaks an earlier revision and the route lets those through: clients of those also POST responses. */
  readonly legacy: boolean;
}

/** What rules may need and cannot fetch: learned once, before the first rule runs. */
export interface Facts {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Keyed hash of who asks; undefined when the route does not identify callers. */
  readonly principal: string | undefined;
  /** Mode seal: the opened token, or why it did not open; undefined when the message carries no state. */
  readonly state: StateOpening | undefined;
  /** Mode seal: makes the token for a result of this exchange; undefined in other modes, and where no result can ask. */
  readonly seal?: SealState | undefined;
}

export type StateOpening =
  | {
      readonly verdict: 'accepted';
      readonly token: StateToken;
      /** What no other token has, and is no secret. */
      readonly serial: string;
    }
  | { readonly verdict: Exclude<StateVerdict, 'accepted' | 'forbidden' | 'relayed'> };

/** One POST and its reply, as the rules see it. Judged bytes and sent bytes are the same bytes. */
export interface Exchange {
  readonly policy: RoutePolicy;
  readonly headers: HeaderFields;
  readonly message: ClientMessage;
  readonly capabilities: Capabilities;
  /** No 2026 key in `_meta` and no 2026 header: let through only where the route says `legacy: pass`. */
  readonly legacy: boolean;
  readonly facts: Facts;
}

/** The exchange speaks the legacy era and its route lets that through: no rule of the modern envelope applies. */
export function passesAsLegacy({ legacy, policy }: Exchange): boolean {
  return legacy && policy.legacy === 'pass';
}

/** Where a message from the upstream stands: the whole body, a notification in a stream, or the stream's response. */
export type Position = 'body' | 'event' | 'final';

export interface OutboundInput {
  readonly exchange: Exchange;
  readonly position: Position;
  /** HTTP status of the upstream's answer. */
  readonly status: number;
  readonly reading: Reading;
  /** The message; undefined exactly when `reading` has a fault or there is no message to read. */
  readonly message: ServerMessage | undefined;
  /** The message's input requests (readInputRequests of it), read once for all rules. */
  readonly asked: readonly InputRequest[];
  /** subscriptions/listen: an acknowledgement went before this message. */
  readonly acknowledged: boolean;
}
