/** HTTP fields as they came, and the value encoding of `Mcp-Name` and `Mcp-Param-*` (basic/transports/streamable-http#value-encoding). */

const ABSENT: readonly string[] = Object.freeze([]);
const SENTINEL = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;
const LEGAL_VALUE = /^[\t\x20-\x7e]*$/;

/** Every field line of a request or response: names in lower case, repeated lines kept apart. */
export class HeaderFields {
  /** Alternating names and values, in the order in which they came. */
  readonly lines: readonly string[];

  /** `raw` alternates names and values, as node:http's `rawHeaders` does. */
  constructor(raw: readonly string[]) {
    const lines = raw.slice(0, raw.length & ~1);
    for (let index = 0; index < lines.length; index += 2)
      lines[index] = (lines[index] as string).toLowerCase();
    this.lines = lines;
  }

  /** All values of a field, in order; empty when it is absent. */
  all(name: string): readonly string[] {
    const first = this.#find(name, 0);
    if (first < 0) return ABSENT;
    const values: string[] = [];
    for (let at = first; at >= 0; at = this.#find(name, at + 2)) values.push(this.lines[at + 1] as string);
    return values;
  }

  /** The value of a field that stands exactly once; undefined when absent or repeated. */
  one(name: string): string | undefined {
    const at = this.#find(name, 0);
    return at < 0 || this.#find(name, at + 2) >= 0 ? undefined : this.lines[at + 1];
  }

  has(name: string): boolean {
    return this.#find(name, 0) >= 0;
  }

  /** A search among a dozen lines is cheaper than a table of them. */
  #find(name: string, from: number): number {
    const { lines } = this;
    for (let at = from; at < lines.length; at += 2) if (lines[at] === name) return at;
    return -1;
  }
}

/** Octets that a mirrored value may hold: visible ASCII, space and tab (RFC 9110 section 5.5, narrowed by the revision). */
export function isLegalValue(value: string): boolean {
  return LEGAL_VALUE.test(value);
}

/**
 * The body value that a mirrored header stands for: sentinel values decoded strictly (canonical base64 of valid UTF-8),
 * others as they are. Undefined when the value is illegal or its sentinel is malformed.
 */
export function decodeMirrored(value: string): string | undefined {
  if (!isLegalValue(value)) return undefined;
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) return value;
  const payload = SENTINEL.exec(value)?.[1];
  if (payload === undefined) return undefined;
  const bytes = Buffer.from(payload, 'base64');
  if (bytes.toString('base64') !== payload) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The header value that stands for a body value: encoded when it is not plain ASCII or looks like the sentinel. */
export function encodeMirrored(value: string): string {
  const plain = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(value);
  if (plain && !(value.startsWith('=?base64?') && value.endsWith('?='))) return value;
  return `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}
