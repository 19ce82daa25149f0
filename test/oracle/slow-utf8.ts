/** RFC 3629, section 4, one byte after another. Undefined: not UTF-8. */
export function readUtf8Slowly(bytes: readonly number[]): string | undefined {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0;
    const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    let code = length === 1 ? first : first & (0x7f >> length);
    for (const next of bytes.slice(at + 1, at + length)) {
      if (next >> 6 !== 2) return undefined;
      code = (code << 6) | (next & 0x3f);
    }
    const shortest = [0, 0, 0x80, 0x800, 0x10000][length] ?? 0;
    const surrogate = code >= 0xd800 && code < 0xe000;
    if (at + length > bytes.length || code < shortest || code > 0x10ffff || surrogate) return undefined;
    if (length > 1 && (first < 0xc2 || first > 0xf4)) return undefined;
    text += String.fromCodePoint(code);
    at += length;
  }
  return text;
}
