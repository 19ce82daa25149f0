/** HTTP fields as they came, and the value encoding of `Mcp-Name` and `Mcp-Param-*` (basic/transports/streamable-http#value-encoding). */

const ABSENT: readonly string[] = Object.freeze([]);
const SENTINEL = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;
const LEGAL_VALUE = /^[\t\x20-\x7e]*$/;

/** Every field line of a request or response: names in lower case, repeated lines kept apart. */
export class HeaderFields {
  readonly #fields = new Map<string, string[]>();

  /** `raw` alternates names and values, as node:http's `rawHeaders` does. */
  constructor(raw: readonly string[]) {
    for (let index = 0; index + 1 < raw.length; index += 2) {
      const name = (raw[index] as string).toLowerCase();
      const values = this.#fields.get(name);
      if (values === undefined) this.#fields.set(name, [raw[index + 1] as string]);
      else values.push(raw[index + 1] as string);
    }
  }

  /** All values of a field, in order; empty when it is absent. */
  all(name: string): readonly string[] {
    return this.#fields.get(name) ?? ABSENT;
  }

  /** The value of a field that stands exactly once; undefined when absent or repeated. */
  one(name: string): string | undefined {
    const values = this.#fields.get(name);
    return values?.length === 1 ? values[0] : undefined;
  }

  has(name: string): boolean {
    return this.#fields.has(name);
  }

  entries(): IterableIterator<[string, readonly string[]]> {
    return this.#fields.entries();
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
