/**
 * A peer's text for a terminal: whatever could move a cursor, change a colour, hide or reorder text is shown, not sent.
 * Everything from the wire that is printed goes through here.
 */
import { isUtf8 } from 'node:buffer';

/**
 * Control characters (C0, C1, DEL), formats (direction marks, zero-width characters, tags), surrogates, private and
 * unassigned characters, line and paragraph separators, what fonts draw as nothing, and the escape itself.
 */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\\]/gu;
const BYTES = /[^\x20-\x5b\x5d-\x7e]/g;
const PLAIN = /^[\x20-\x5b\x5d-\x7e]*$/;
const SHORT: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\\', '\\\\'],
]);

/** One line of text, at most so many UTF-16 units of the original; `…` says that there was more. */
export function display(text: string, maxLength = 10_000): string {
  const kept = text.length <= maxLength ? text : text.slice(0, maxLength);
  const shown = PLAIN.test(kept) ? kept : kept.replace(UNPRINTABLE, escaped);
  return kept === text ? shown : `${shown}…`;
}

/** Text of several lines: line feeds part them, everything else is escaped. */
export function displayLines(text: string, maxLength = 100_000): readonly string[] {
  const kept = text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
  return kept.split(/\r?\n/).map((line) => display(line, Number.POSITIVE_INFINITY));
}

/** Bytes as lines: UTF-8 where it is, each other byte as `\xNN`; line feeds are shown and end a line. */
export function displayBytes(bytes: Uint8Array): readonly string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const utf8 = isUtf8(buffer);
  const lines = buffer.toString(utf8 ? 'utf8' : 'latin1').split(/(?<=\n)/);
  return lines.map((line) => (utf8 ? line.replace(UNPRINTABLE, escaped) : line.replace(BYTES, escapedByte)));
}

/** JSON text that is the same to a parser, with nothing in it that a terminal could take for more than text. */
export function displayJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(
    /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu,
    (character) =>
      [...Array(character.length).keys()]
        .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
        .join(''),
  );
}

function escaped(character: string): string {
  return SHORT.get(character) ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function escapedByte(byte: string): string {
  return SHORT.get(byte) ?? `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
