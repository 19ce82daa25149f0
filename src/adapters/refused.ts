import type { RefusalKey } from '../protocol/errors.js';

/** Ends the exchange with a refusal that no rule speaks: limits, callers who are not let in, a body that was parsed too early. */
export class Refused extends Error {
  constructor(
    readonly key: RefusalKey,
    message: string,
    /** Further fields of the reply, alternating names and values. */
    readonly fields: readonly string[] = [],
  ) {
    super(message);
  }
}
