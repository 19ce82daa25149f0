/** One exchange as it was written down, made ready to be judged again. */
import type { Received } from '../engine/received.js';
import type { HeaderFields } from '../protocol/headers.js';
import type { Reading } from '../protocol/reading.js';

export interface Recording {
  /** Where it stands in its file: `line 12`, `entry 3`. */
  readonly place: string;
  /** Milliseconds since the epoch; 0 when that is not known. */
  readonly at: number;
  /** The gateway's route, where a gateway wrote it down. */
  readonly route: string | undefined;
  readonly path: string;
  readonly httpMethod: string;
  readonly headers: HeaderFields;
  /** Undefined: it is not in the file. */
  readonly asked: Reading | undefined;
  /** Undefined: there was none, or none that is in the file. */
  readonly answer: RecordedAnswer | undefined;
  readonly redacted: boolean;
}

export interface RecordedAnswer {
  readonly status: number;
  /** In order. */
  readonly heard: readonly Received[];
  /** Not all of it is in the file. */
  readonly incomplete: boolean;
}

/** What stands in a file in the place of an exchange. */
export type Item =
  | { readonly kind: 'exchange'; readonly recording: Recording }
  /** `gap`: so many exchanges are not in the file. `unreadable`: this is none that can be read. */
  | { readonly kind: 'gap'; readonly count: number }
  | { readonly kind: 'unreadable'; readonly place: string };

/** A file that is no recording at all. */
export class NoRecording extends Error {
  override readonly name = 'NoRecording';
}
