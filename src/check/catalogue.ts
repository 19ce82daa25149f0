/** THE catalogue: every exchange of an audit, in the order in which it is carried out. */
import type { Asking } from './asking.js';
import { FAULTS } from './catalogue-faults.js';
import { FEATURES } from './catalogue-features.js';
import { HEADERS } from './catalogue-headers.js';
import { ROUNDS } from './catalogue-rounds.js';
import { STREAMS } from './catalogue-streams.js';
import type { Expectation } from './expectations.js';
import type { Known, Seen } from './known.js';
import type { ShapeName } from './shapes.js';

/** One kind of exchange. Every message of its answer is judged by the register's outbound rules; `expects` judges more. */
export interface CatalogueEntry {
  readonly id: string;
  /** What it asks, as a row of a table. */
  readonly asks: string;
  /** It is carried out once in each of these shapes. */
  readonly shapes: readonly ShapeName[];
  /** The requests, made of what is known by now; none when there is nothing to ask for. */
  readonly about: (known: Known) => readonly Asking[];
  readonly expects?: Expectation;
  /** What follows from the answer: a next page, a next round. */
  readonly next?: (seen: Seen, known: Known) => Asking | undefined;
  /** The answer may be a stream without end: it is left after a while. */
  readonly listens?: true;
}

export const CATALOGUE: readonly CatalogueEntry[] = [
  ...FEATURES,
  ...ROUNDS,
  ...HEADERS,
  ...FAULTS,
  ...STREAMS,
];
