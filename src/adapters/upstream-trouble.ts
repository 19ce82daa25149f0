/** What goes wrong on the way to the upstream and back, and what the client may know of it. */
import { errors } from 'undici';
import type { UpstreamFailure } from '../engine/observer.js';
import type { RefusalKey } from '../protocol/errors.js';

/** The upstream could not be had, or stopped halfway. `refusal` and `message` are what the client may know of it. */
export class UpstreamTrouble extends Error {
  override readonly name = 'UpstreamTrouble';
  constructor(
    readonly reason: UpstreamFailure,
    readonly refusal: RefusalKey,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** What goes wrong before a request was begun is a connection that could not be had, for any of a hundred reasons. */
export function troubleOf(cause: Error, begun: boolean): UpstreamTrouble {
  if (!begun)
    return new UpstreamTrouble('connect', 'upstreamUnreachable', 'the upstream cannot be reached', cause);
  const code = 'code' in cause ? String(cause.code) : '';
  if (
    cause instanceof errors.HTTPParserError ||
    code === 'UND_ERR_HEADERS_OVERFLOW' ||
    code.startsWith('UND_ERR_RES')
  )
    return new UpstreamTrouble('invalid', 'upstreamInvalid', 'the upstream did not answer in HTTP', cause);
  return new UpstreamTrouble('reset', 'upstreamUnreachable', 'the upstream closed the connection', cause);
}
