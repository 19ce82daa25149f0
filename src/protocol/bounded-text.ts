/** Control characters, invisible and direction-changing ones, lone surrogates, separators of lines; and the escape itself. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\\]/gu;
const PLAIN = /^[\x20-\x5b\x5d-\x7e]*$/;

/** A peer's text for people to read: at most so many characters of it, and nothing that moves a terminal's cursor. */
export function boundedText(text: string, maxCharacters: number): string {
  const kept = text.length <= maxCharacters ? text : text.slice(0, maxCharacters);
  const shown = PLAIN.test(kept) ? kept : kept.replace(UNPRINTABLE, escaped);
  return kept === text ? shown : `${shown}…`;
}

function escaped(character: string): string {
  if (character === '\\') return '\\\\';
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
