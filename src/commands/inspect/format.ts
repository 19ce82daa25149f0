/** How an inspection is printed: as it goes, so that its length does not matter. */
import type { Inspected } from '../../inspect/inspect.js';
import type { Summary } from '../../inspect/summary.js';

export type Judged = Extract<Inspected, { kind: 'judged' }>;

export interface Printer {
  /** Before anything else. */
  begin(): string;
  /** An exchange of which there is something to say. */
  exchange(judged: Judged): string;
  end(summary: Summary): string;
}

export interface Printing {
  /** The file, fit to be printed. */
  readonly file: string;
  /** What is judged by, one name a side. */
  readonly sides: readonly string[];
}
