import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { display, displayBytes, displayJson, displayLines } from '../../src/client/display.js';

/** What a terminal may act on, or shows as nothing, or in another order. */
const HOSTILE = [
  ['a carriage return', 'safe\rOWNED', 'safe\\rOWNED'],
  ['a line feed', 'one\ntwo', 'one\\ntwo'],
  ['a bell', '\x07', '\\u{7}'],
  ['a backspace', 'a\b', 'a\\u{8}'],
  ['a colour', '\x1b[31mred', '\\u{1b}[31mred'],
  ['a title', '\x1b]0;pwned\x07', '\\u{1b}]0;pwned\\u{7}'],
  ['a clipboard', '\x1b]52;c;Zm9v\x1b\\', '\\u{1b}]52;c;Zm9v\\u{1b}\\\\'],
  ['a hyperlink', '\x1b]8;;http://x\x1b\\y', '\\u{1b}]8;;http://x\\u{1b}\\\\y'],
  ['a control sequence of one character (C1)', '\x9b31m', '\\u{9b}31m'],
  ['an operating system command of one character (C1)', '\x9d0;x\x9c', '\\u{9d}0;x\\u{9c}'],
  ['DEL', '\x7f', '\\u{7f}'],
  ['a direction override', 'a\u202egnp.exe', 'a\\u{202e}gnp.exe'],
  ['a direction isolate', '\u2066x\u2069', '\\u{2066}x\\u{2069}'],
  ['an Arabic letter mark', '\u061c', '\\u{61c}'],
  ['a zero-width space', 'pay\u200bpal', 'pay\\u{200b}pal'],
  ['a zero-width joiner', 'a\u200db', 'a\\u{200d}b'],
  ['a byte order mark', '\ufeff', '\\u{feff}'],
  ['a tag that hides text', '\u{e0041}', '\\u{e0041}'],
  ['a variation selector', 'a\ufe0f', 'a\\u{fe0f}'],
  ['a filler that is drawn as nothing', '\u3164', '\\u{3164}'],
  ['a soft hyphen', 'a\u00adb', 'a\\u{ad}b'],
  ['a line separator', '\u2028', '\\u{2028}'],
  ['a lone surrogate', '\ud800', '\\u{d800}'],
  ['a private character', '\ue000', '\\u{e000}'],
  ['the escape itself', 'C:\\new', 'C:\\\\new'],
] as const;

const INNOCENT = /^[^\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]*$/u;

describe('a peer’s text on one line', () => {
  it.each(HOSTILE)('shows %s', (_, text, shown) => {
    expect(display(text)).toBe(shown);
  });

  it('leaves letters of any script as they are', () => {
    const text = 'naïve Straße 日本語 пароль עברית العربية 🎉';
    expect(display(text)).toBe(text);
  });

  it('ends after so much, and says that there was more', () => {
    expect(display('abcdef', 3)).toBe('abc…');
    expect(display('\x1b\x1b\x1b', 2)).toBe('\\u{1b}\\u{1b}…');
  });

  it('holds nothing that a terminal acts on, whatever came', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => INNOCENT.test(display(text))));
  });
});

describe('a peer’s text of several lines', () => {
  it('is parted at line feeds alone', () => {
    expect(displayLines('a\nb\r\nc\rd\x1b[2J')).toEqual(['a', 'b', 'c\\rd\\u{1b}[2J']);
  });

  it('ends after so much', () => {
    expect(displayLines('a\nbcd', 3)).toEqual(['a', 'b…']);
  });
});

describe('bytes', () => {
  it('show their line ends, and end their lines there', () => {
    expect(displayBytes(Buffer.from('HTTP/1.1 200 OK\r\n\r\n{"a":"\\n"}'))).toEqual([
      'HTTP/1.1 200 OK\\r\\n',
      '\\r\\n',
      '{"a":"\\\\n"}',
    ]);
  });

  it('that are no UTF-8 are shown one by one', () => {
    expect(displayBytes(Buffer.from([0x61, 0xff, 0x9b, 0x0a, 0x1b]))).toEqual(['a\\xff\\x9b\\n', '\\x1b']);
  });

  it('hold nothing that a terminal acts on, whatever came', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => displayBytes(bytes).every((line) => INNOCENT.test(line))),
    );
  });
});

describe('a value as JSON', () => {
  it('is the same to a parser', () => {
    for (const [, text] of HOSTILE)
      expect(JSON.parse(displayJson({ [text]: text }))).toEqual({ [text]: text });
  });

  it('holds nothing that a terminal acts on, whatever came', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => INNOCENT.test(displayJson(value))));
    for (const [, text] of HOSTILE) expect(displayJson(text)).toMatch(INNOCENT);
  });
});
