/** What the head of a request says, by the transport's page on headers and value encoding. */

/** Names and values in turn, as they came. */
export type Head = readonly string[];

export function valuesOf(head: Head, name: string): readonly string[] {
  return head.filter((_, index) => index % 2 === 1 && head[index - 1]?.toLowerCase() === name);
}

/** Visible ASCII, space and tab. */
export function isLegal(value: string): boolean {
  return [...value].every((character) => character === '\t' || (character >= ' ' && character <= '~'));
}

/** The value that a header with the Base64 sentinel stands for; undefined when it stands for none. */
export function decoded(value: string): string | undefined {
  if (!isLegal(value)) return undefined;
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) return value;
  const base64 = value.slice('=?base64?'.length, -'?='.length);
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) return undefined;
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
}

export interface MediaType {
  readonly type: string;
  readonly charset: string;
}

/** Undefined when there is none, or more than one. */
export function mediaTypeOf(head: Head): MediaType | undefined {
  const values = valuesOf(head, 'content-type');
  if (values.length !== 1) return undefined;
  const [type = '', ...parameters] = (values[0] as string).split(';');
  const charset = parameters.map((one) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/i.exec(one)?.[1]);
  return {
    type: type.trim().toLowerCase(),
    charset: (charset.find((one) => one !== undefined) ?? '').toLowerCase(),
  };
}

export function isUtf8({ charset }: MediaType): boolean {
  return charset === '' || charset === 'utf-8';
}
