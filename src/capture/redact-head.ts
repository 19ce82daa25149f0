/** Header fields without values that could be a credential, a caller's address or an argument. */
import {
  HEADER_METHOD,
  HEADER_NAME,
  HEADER_PARAM_PREFIX,
  HEADER_PROTOCOL_VERSION,
} from '../protocol/constants.js';
import { decodeMirrored, encodeMirrored, type HeaderFields } from '../protocol/headers.js';
import { type ClientMessage, isObject, readClientMessage } from '../protocol/messages.js';
import { type Mirror, mirrorsOf } from '../protocol/mirrored.js';
import { REQUEST } from './kept.js';
import { masked, otherThan, redact } from './redact.js';

export type Fields = readonly (readonly [name: string, value: string])[];

/** Values that are kept, by field: what HTTP and the protocol themselves have words for. */
const KEPT: ReadonlyMap<string, RegExp> = new Map([
  [
    'content-type',
    /^(application\/([\w.-]+\+)?json|text\/(event-stream|html|plain))( ?; ?charset="?[uU][tT][fF]-8"?)?$/,
  ],
  ['content-length', /^\d+$/],
  ['content-encoding', /^(identity|gzip|deflate|br|zstd)$/],
  ['transfer-encoding', /^chunked$/],
  ['accept', /^(((application\/json|text\/event-stream|\*\/\*)(;q=[\d.]+)?),? ?)+$/],
  ['connection', /^[A-Za-z-]+(, ?[A-Za-z-]+)*$/],
  ['host', /^[A-Za-z0-9.:[\]-]+$/],
  ['traceparent', /^[0-9a-f]{2}(-[0-9a-f]+){3}$/],
  ['retry-after', /^\d+$/],
  ['x-accel-buffering', /^(yes|no)$/],
  [HEADER_PROTOCOL_VERSION, /^\d{4}-\d\d-\d\d$/],
  [HEADER_METHOD, /^[a-z]+(\/[a-z]+)+$/],
]);
/** Takes the place of a value that is no legal one: it is none either. */
const ILLEGAL = '=?base64?*?=';
const MOST_FIELDS = 200;
const MOST_VALUE = 128;

/** `message` is the request's, whose members some fields repeat; undefined where there is none to be read. */
export function redactHead(headers: HeaderFields, message: ClientMessage | undefined): Fields {
  const mirrors = new Map(mirrorsOf(message?.method ?? '').map((mirror) => [mirror.field, mirror]));
  const kept = message && keptOf(message);
  const fields = wholeHead(headers).map(([name, value]) => {
    const mirror = mirrors.get(name);
    const mirrored = mirror && message && kept ? redactMirrored(mirror, value, { message, kept }) : undefined;
    return [name, mirrored ?? redactField(name, value)] as const;
  });
  return fields.slice(0, MOST_FIELDS);
}

export function wholeHead(headers: HeaderFields): Fields {
  const { lines } = headers;
  return lines.flatMap((name, at) => (at % 2 === 0 ? [[name, lines[at + 1] ?? ''] as const] : []));
}

function redactField(name: string, value: string): string {
  if (value.length <= MOST_VALUE && KEPT.get(name)?.test(value)) return value;
  const encoded = name === HEADER_NAME || name.startsWith(HEADER_PARAM_PREFIX);
  return encoded && decodeMirrored(value) === undefined ? ILLEGAL : masked(value);
}

/** Equal to what is kept of the body's value exactly when it was equal to the value. Undefined: as any other field. */
function redactMirrored(
  { encoded, read }: Mirror,
  value: string,
  { message, kept }: { readonly message: ClientMessage; readonly kept: ClientMessage },
): string | undefined {
  const said = encoded ? decodeMirrored(value) : value;
  if (said === undefined) return undefined;
  const again = read(kept);
  if (said === read(message) && typeof again === 'string') return encoded ? encodeMirrored(again) : again;
  return encoded ? otherThan(said) : undefined;
}

function keptOf({ envelope }: ClientMessage): ClientMessage {
  const kept = redact(envelope, REQUEST);
  return readClientMessage(isObject(kept) ? kept : {}, () => '');
}
