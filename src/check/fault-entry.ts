/** How a request with one fault stands in the catalogue. */
import { METHOD_DISCOVER } from '../protocol/constants.js';
import { type Asking, ask } from './asking.js';
import type { CatalogueEntry } from './catalogue.js';
import type { Expectation } from './expectations.js';
import type { Known } from './known.js';

/** One request of this entry, in the shape that says nothing. */
export function fault(
  id: string,
  asks: string,
  expects: Expectation,
  about: (known: Known) => readonly Asking[],
): CatalogueEntry {
  return { id, asks, shapes: ['none'], expects, about };
}

/** The request that harms nobody, with what is wrong about it. */
export const discover = (more: Partial<Asking>) => () => [ask(METHOD_DISCOVER, {}, more)];
