/** The Content-Type field (RFC 9110 section 8.3.1). */

export interface MediaType {
  /** `type/subtype` in lower case. */
  readonly type: string;
  /** In lower case, without quotes; undefined when the field names none. */
  readonly charset: string | undefined;
}

const JSON_ALONE: MediaType = Object.freeze({ type: 'application/json', charset: undefined });
const TYPE = /^[\t ]*([!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+)[\t ]*/i;
const PARAMETER =
  /;[\t ]*(?:([!#$%&'*+.^_`|~0-9a-z-]+)=(?:([!#$%&'*+.^_`|~0-9a-z-]+)|"((?:[\t\x20\x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*)"))?[\t ]*/iy;

/** Undefined when the value follows no media type's grammar, or names more than one charset. */
export function parseMediaType(value: string): MediaType | undefined {
  // What nearly every message says.
  if (value === JSON_ALONE.type) return JSON_ALONE;
  const type = TYPE.exec(value);
  if (type === null) return undefined;
  let charset: string | undefined;
  PARAMETER.lastIndex = type[0].length;
  while (PARAMETER.lastIndex < value.length) {
    const parameter = PARAMETER.exec(value);
    if (parameter === null) return undefined;
    if (parameter[1]?.toLowerCase() !== 'charset') continue;
    if (charset !== undefined) return undefined;
    charset = (parameter[2] ?? unescaped(parameter[3] ?? '')).toLowerCase();
  }
  return { type: (type[1] as string).toLowerCase(), charset };
}

/** UTF-8 by name, or nothing said (JSON is UTF-8 then, RFC 8259 section 8.1; event streams always are). */
export function isUtf8({ charset }: MediaType): boolean {
  return charset === undefined || charset === 'utf-8';
}

function unescaped(quoted: string): string {
  return quoted.replace(/\\(.)/g, '$1');
}
