/** What kept an answer from coming, as one sentence. */
import { errors } from 'undici';
import type { Trouble, TroubleKind } from './record.js';

/** Ends an exchange for a reason of this side. */
export class Ended extends Error {
  override readonly name = 'Ended';
  constructor(readonly trouble: Trouble) {
    super(trouble.message);
  }
}

export function trouble(kind: TroubleKind, message: string, code = ''): Trouble {
  return { kind, message, code };
}

export const STOPPED = trouble('stopped', 'the exchange was ended on this side');

export function tooSlow(what: string, ms: number): Trouble {
  return trouble('timeout', `${what} within ${ms / 1000} s`);
}

const UNREACHABLE: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there: the connection was refused'],
  ['ENOTFOUND', 'the host name is not known'],
  ['EAI_AGAIN', 'the host name could not be looked up'],
  ['EHOSTUNREACH', 'there is no way to the host'],
  ['ENETUNREACH', 'there is no way to the network'],
  ['ETIMEDOUT', 'the host did not answer'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the host did not answer'],
]);

/** `answered`: a head had come before. */
export function troubleOf(error: unknown, answered: boolean): Trouble {
  if (error instanceof Ended) return error.trouble;
  const cause = rootOf(error);
  const code = codeOf(cause);
  const unreachable = UNREACHABLE.get(code);
  if (unreachable !== undefined && !answered) return trouble('unreachable', unreachable, code);
  if (/^(ERR_TLS|ERR_SSL|EPROTO)|CERT|SELF_SIGNED|UNABLE_TO/.test(code))
    return trouble('tls', 'no TLS connection that can be trusted came about', code);
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return trouble('too-large', 'the head of the answer is larger than the limit', code);
  if (
    cause instanceof errors.HTTPParserError ||
    code.startsWith('HPE_') ||
    code.startsWith('UND_ERR_RES') ||
    code.startsWith('UND_ERR_REQ_CONTENT')
  )
    return trouble('not-http', 'what answered does not speak HTTP', code);
  return answered
    ? trouble('cut', 'the connection was closed in the middle of the answer', code)
    : trouble('cut', 'the connection was closed without an answer', code);
}

/** Happy Eyeballs wraps one error for each address. */
function rootOf(error: unknown): unknown {
  return error instanceof AggregateError ? (error.errors[0] ?? error) : error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
