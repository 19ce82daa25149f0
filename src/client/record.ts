/** What is kept of one POST and its answer: every byte both ways, and what they say. */
import type { Received } from '../engine/received.js';
import type { HeaderFields } from '../protocol/headers.js';
import type { ServerMessage } from '../protocol/messages.js';
import type { Outgoing } from './request.js';

/** Why there is no whole answer. A closed set. */
export type TroubleKind =
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'cut'
  | 'not-http'
  | 'too-large'
  /** The caller's own signal, or its `stopAfterMs`. */
  | 'stopped';

export interface Trouble {
  readonly kind: TroubleKind;
  /** One sentence of this program's own; nothing of the peer's is in it. */
  readonly message: string;
  /** The system's or the library's code, such as ECONNREFUSED; '' when there is none. */
  readonly code: string;
}

/** One message of the answer: the whole body, or an event of a stream. It is what the register's outbound rules judge. */
export interface Heard extends Received {
  /** Undefined when the reading has a fault, or is no JSON object. */
  readonly message: ServerMessage | undefined;
  /** Milliseconds from the beginning of the exchange. */
  readonly atMs: number;
}

export type ServerResponse = Extract<ServerMessage, { kind: 'response' }>;

export interface RecordedExchange {
  readonly url: URL;
  readonly request: Outgoing;
  /** Undefined when no head came. */
  readonly status: number | undefined;
  readonly headers: HeaderFields;
  /** It was answered with an event stream. */
  readonly stream: boolean;
  /** The body, its transfer coding undone; of a stream, everything that came. */
  readonly body: Buffer;
  /** In order; notifications come before the response that ends a stream. */
  readonly heard: readonly Heard[];
  /** The response that carries the request's id, type included. */
  readonly response: ServerResponse | undefined;
  readonly trouble: Trouble | undefined;
  /** The stream was left open after its response, and was given up. */
  readonly leftOpen: boolean;
  /** Bytes on the connection, heads and framing included (inside TLS where there is TLS). */
  readonly sent: Buffer;
  readonly received: Buffer;
  readonly timings: Timings;
}

export interface Timings {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** From the beginning to the answer's head; undefined when none came. */
  readonly headMs: number | undefined;
  readonly totalMs: number;
}
