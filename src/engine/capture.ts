/** The port through which single exchanges are written down. Types alone: nothing is called where nobody captures. */
import type { HeaderFields } from '../protocol/headers.js';
import type { Reading } from '../protocol/reading.js';
import type { ExchangeSummary } from './observer.js';
import type { RoutePolicy } from './policy.js';
import type { Received } from './received.js';

/** Follows one exchange, where an observer is told of its end alone. Never throws. */
export interface ExchangeCapture {
  /** The client's body, as it was read. */
  asked(reading: Reading): void;
  /** The head of the upstream's answer. */
  answered(head: { readonly status: number; readonly headers: HeaderFields }): void;
  /** A message from the upstream, before it was judged. */
  heard(received: Received): void;
  ended(summary: ExchangeSummary): void;
}

export interface CapturedHead {
  readonly httpMethod: string;
  readonly headers: HeaderFields;
}

export type Capture = (route: RoutePolicy, head: CapturedHead) => ExchangeCapture;
