/** The credential reader: names that ask go on asking however they are written, and nothing makes it fail or hang. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileCredentialReader } from '../../src/protocol/credentials.js';
import { fuzz } from '../support/fuzz.js';

interface Line {
  readonly kind: string;
  readonly label: string;
  readonly text: string;
}

const CORPUS = readFileSync(new URL('../corpus/credentials.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Line);
const PROFILES = { spec: readerOf(false), ze: readerOf(true) } as const;
const profileName = fc.constantFrom('spec', 'ze');

function readerOf(broadNames: boolean) {
  return compileCredentialReader({ broadNames, words: [], except: [] });
}

/** What the corpus says of this kind that asks. */
function asking(kind: string): fc.Arbitrary<string> {
  const texts = CORPUS.filter((line) => line.kind === kind && line.label === 'asks').map(({ text }) => text);
  expect(texts.length).toBeGreaterThan(50);
  return fc.constantFrom(...texts);
}

/** Nothing of these is seen, wherever they stand. */
const INVISIBLE = [
  ...'\u200b\u200c\u200d\u200e\u202c\u2060\u2063\u2069\ufeff\u00ad\u034f\u180e\ufe0f\u{e0061}\u{e0100}',
];
/** Letters that the eye takes for Latin ones: of other scripts, and Latin ones in other dress. */
const ALIKE: Readonly<Record<string, string>> = {
  a: 'аɑ𝐚𝒶ａᵃⓐ',
  b: 'Ьｂ𝗯ⓑ',
  c: 'сϲｃ𝚌ⓒ',
  d: 'ԁｄ𝕕ⓓ',
  e: 'еｅ𝓮ⓔ',
  g: 'ɡｇ𝐠ⓖ',
  h: 'һｈ𝒉ⓗ',
  i: 'іｉ𝐢ⓘ',
  j: 'јｊ𝕛ⓙ',
  k: 'кｋ𝗄ⓚ',
  l: 'ӏｌ𝐥ⓛ',
  m: 'ｍ𝐦ⓜ',
  n: 'ｎ𝕟ⓝ',
  o: 'оοｏ𝐨ⓞ',
  p: 'рρｐ𝓹ⓟ',
  r: 'ｒ𝐫ⓡ',
  s: 'ѕｓ𝘀ⓢſ',
  t: 'ｔ𝐭ⓣ',
  u: 'υｕ𝐮ⓤ',
  v: 'ѵνｖ𝐯ⓥ',
  w: 'ԝｗ𝐰ⓦ',
  x: 'хχｘ𝐱ⓧ',
  y: 'уｙ𝐲ⓨ',
};

/** Another writing of a text; the numbers choose. */
type Writing = (text: string, choices: readonly number[]) => string;

const DISGUISES: Readonly<Record<string, Writing>> = {
  'with something invisible in it': (text, choices) =>
    choices.reduce((written, choice) => {
      const at = choice % (written.length + 1);
      // Half a surrogate pair is no letter.
      return isInside(written, at)
        ? written
        : written.slice(0, at) + pick(INVISIBLE, choice) + written.slice(at);
    }, text),
  'with letters that look alike': (text, choices) =>
    choices.reduce((written, choice) => {
      const letters = Array.from(written);
      const at = choice % letters.length;
      // A word that is all of another script may be one of a language of that script.
      if (!/[a-z]/i.test((letters[at - 1] ?? ' ') + (letters[at + 1] ?? ' '))) return written;
      letters[at] = pick([...(ALIKE[letters[at] ?? ''] ?? (letters[at] as string))], choice);
      return letters.join('');
    }, text),
  'in wide letters': (text) =>
    text.replace(/[A-Za-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
};

const SPELLINGS: Readonly<Record<string, Writing>> = {
  'in capitals': (name) => name.toUpperCase(),
  'in camel case': (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  'with dashes': (name) => name.replaceAll('_', '-'),
  'with dots': (name) => name.replaceAll('_', '.'),
  'with spaces': (name) => name.replaceAll('_', ' '),
};

function isInside(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '');
}

function pick<T>(from: readonly T[], choice: number): T {
  return from[Math.floor(choice / 97) % from.length] as T;
}

const choices = fc.array(fc.nat(), { minLength: 1, maxLength: 6 });
const disguise = fc.constantFrom(...Object.keys(DISGUISES));

describe('what asks for a credential', () => {
  it.each([
    ['a name', 'name', 'nameAsks'],
    ['a title', 'title', 'titleAsks'],
    ['a description', 'description', 'textAsks'],
    ['a message', 'message', 'textAsks'],
  ] as const)('asks in any disguise, as %s', async (_, kind, judgement) => {
    const property = fc.property(
      asking(kind),
      disguise,
      profileName,
      choices,
      (text, write, profile, chosen) => {
        const judge = PROFILES[profile][judgement];
        fc.pre(judge(text));
        const written = DISGUISES[write]?.(text, chosen) ?? text;
        expect([written, judge(written)]).toEqual([written, true]);
      },
    );
    await fuzz(property, { cases: 500 });
  });

  it('asks in any spelling, as a name', async () => {
    const names = CORPUS.filter(
      ({ kind, label, text }) => kind === 'name' && label === 'asks' && /^[a-z_]+$/.test(text),
    );
    expect(names.length).toBeGreaterThan(50);
    const name = fc.constantFrom(...names.map(({ text }) => text));
    const spelling = fc.constantFrom(...Object.keys(SPELLINGS));
    const property = fc.property(
      name,
      spelling,
      disguise,
      profileName,
      choices,
      (text, spell, write, profile, chosen) => {
        const { nameAsks } = PROFILES[profile];
        fc.pre(nameAsks(text));
        const written = DISGUISES[write]?.(SPELLINGS[spell]?.(text, chosen) ?? text, chosen) ?? text;
        expect([written, nameAsks(written)]).toEqual([written, true]);
      },
    );
    await fuzz(property, { cases: 500 });
  });

  it('asks in any letter case, as a single word', async () => {
    const word = fc.constantFrom(
      'password',
      'passwd',
      'passphrase',
      'secret',
      'token',
      'apikey',
      'pin',
      'otp',
      'cvv',
      'пароль',
    );
    const judgement = fc.constantFrom('nameAsks', 'titleAsks');
    const property = fc.property(fc.mixedCase(word), judgement, profileName, (written, judge, profile) => {
      expect([written, PROFILES[profile][judge](written)]).toEqual([written, true]);
    });
    await fuzz(property, { cases: 500 });
  });

  it('asks under profile ze whenever it does under spec, as a name', async () => {
    const words = CORPUS.flatMap(({ text }) => text.split(/[^\p{L}]+/u)).filter((one) => one !== '');
    const name = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 });
    const property = fc.property(name, fc.constantFrom('_', '-', ' ', ''), (parts, separator) => {
      const text = parts.join(separator);
      if (PROFILES.spec.nameAsks(text)) expect(PROFILES.ze.nameAsks(text)).toBe(true);
    });
    await fuzz(property, { cases: 500 });
  });
});

describe('the credential reader', () => {
  const piece = fc.oneof(
    fc.constantFrom(...CORPUS.map(({ text }) => text)),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      'not ',
      'never ',
      ', ',
      '. ',
      '\u0301',
      '\ud800',
      '\u202e',
      'a'.repeat(50),
      'пароль',
      '密码',
      '-_-_',
    ),
  );
  const text = fc
    .tuple(fc.array(piece, { maxLength: 8 }), fc.constantFrom(1, 1, 1, 1, 1, 50, 500))
    .map(([pieces, times]) => pieces.join('').repeat(times).slice(0, 20_000));

  it('answers every text, and the same text alike', async () => {
    const property = fc.property(text, profileName, (sent, profile) => {
      const { nameAsks, titleAsks, textAsks } = PROFILES[profile];
      for (const judge of [nameAsks, titleAsks, textAsks]) {
        const answer = judge(sent);
        expect(typeof answer).toBe('boolean');
        expect(judge(sent)).toBe(answer);
        // Longer than what is remembered, and the same to read.
        if (judge !== nameAsks && answer) expect(judge(`${sent}${' '.repeat(300)}`)).toBe(answer);
      }
    });
    await fuzz(property, { cases: 150 });
  });
});
