/** The vocabulary, folded once and put where reading finds it: phrases, roles of words, words inside words. */
import * as context from './context-words.js';
import { foldLetters, foldLookAlikes } from './look-alikes.js';
import { type PhraseKind, Phrases } from './phrases.js';
import * as prose from './prose-words.js';
import { Runs } from './runs.js';
import { ENGLISH_TERMS, type Terms } from './terms-english.js';
import { OTHER_TERMS } from './terms-other.js';
import { cutName, type Vocabulary } from './words.js';

const ROLE_WORDS = {
  head: context.HEADS,
  action: context.ACTIONS,
  opener: context.OPENERS,
  headBefore: context.HEADS_BEFORE,
  block: context.BLOCKS,
  statement: context.STATEMENTS,
  determiner: context.DETERMINERS,
  qualifier: context.QUALIFIERS,
  fault: context.FAULTS,
  hardware: context.HARDWARE,
  sent: context.SENT,
  ask: prose.ASKS,
  mildAsk: prose.MILD_ASKS,
  ownAsk: prose.OWN_ASKS,
  choice: prose.CHOICES,
  wanted: prose.WANTED,
  askAnywhere: prose.ASKS_ANYWHERE,
  denial: prose.DENIALS,
  denialAnywhere: prose.DENIALS_ANYWHERE,
  omission: prose.OMISSIONS,
  question: prose.QUESTIONS,
  subject: prose.SUBJECTS,
  report: prose.REPORTS,
  reporter: prose.REPORTED_BY,
  third: prose.THIRD_PARTIES,
  own: prose.OWN,
  toUs: prose.TO_US,
  conjunction: prose.CONJUNCTIONS,
  follower: prose.FOLLOWERS,
  announcement: prose.ANNOUNCEMENTS,
} as const;

export type RoleName = keyof typeof ROLE_WORDS;

/** What a word may do in a text, as a mask: a word may do several things. */
export const Role = Object.fromEntries(
  Object.keys(ROLE_WORDS).map((name, index) => [name, 1 << index]),
) as Readonly<Record<RoleName, number>>;

/** Long enough to be found inside other words without being part of innocent ones. */
const COMPOUNDED = `password passwort passwoert kennwort passwd passphrase passcode apikey apisecret apitoken secretkey accesskey
  privatekey masterkey encryptionkey accesstoken authtoken refreshtoken bearertoken sessiontoken clientsecret appsecret cardnumber
  creditcard connectionstring seedphrase recoveryphrase recoverycode backupcode securitycode verificationcode contrasena contrasenya
  contrasinal wachtwoord wagwoord losenord passord adgangskode kodeord salasana jelszo jelszav lozink contrasenia motdepasse slaptazod kartennummer kreditkarte
  geheimzahl kaartnummer kortnummer kartyaszam mnemonic`;
/** English words run together end with these; `monkey` cut to `mon key` is harmless. */
const ENDINGS = 'token secret pwd otp key code';
/** Scripts whose words are found inside longer runs: written without spaces, or with prefixes and long endings. */
const RUN_TOGETHER =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Hebr}\p{sc=Cyrl}\p{sc=Deva}\p{sc=Beng}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Geor}\p{sc=Armn}]/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;
const SHORTEST_HIDDEN = 3;
/** `codigo de seguridad` is `codigoSeguridad` in a name. */
const LINKS: ReadonlySet<string> = new Set(['de', 'd', 'da', 'di', 'la', 'l', 'do', 'a', 'un']);

export interface Lexicon {
  readonly phrases: Phrases;
  readonly roles: ReadonlyMap<string, number>;
  readonly vocabulary: Vocabulary;
}

let common: Lexicon | undefined;

/** `added` ask like a password, `excepted` phrases never ask; both are cut like any other words. */
export function compileLexicon(added: readonly string[], excepted: readonly string[]): Lexicon {
  common ??= compileCommon();
  if (added.length === 0 && excepted.length === 0) return common;
  const phrases = new Phrases(common.phrases);
  for (const word of added) addOwn(phrases, word, 'memorised');
  for (const word of excepted) addOwn(phrases, word, 'harmless');
  return complete(phrases, common.roles);
}

function compileCommon(): Lexicon {
  const phrases = new Phrases();
  const asking: Terms = { kind: 'ask', phrases: prose.ASKING_PHRASES };
  for (const { kind, phrases: list, before } of [...ENGLISH_TERMS, ...OTHER_TERMS, asking]) {
    for (const first of before === undefined ? [''] : entries(before)) {
      for (const last of entries(list)) addPhrase(phrases, `${first} ${last}`, kind);
    }
  }
  return complete(phrases, compileRoles());
}

function complete(phrases: Phrases, roles: ReadonlyMap<string, number>): Lexicon {
  const words = phrases.words();
  const known = new Set([...words.keys(), ...roles.keys()]);
  const hidden = new Set<string>();
  const heads = new Set<string>();
  const asking = Role.ask | Role.askAnywhere | Role.mildAsk;
  for (const [word, telling] of words) if (telling && word.length >= SHORTEST_HIDDEN) hidden.add(word);
  for (const [word, role] of roles) {
    if ((role & asking) !== 0 && word.length > SHORTEST_HIDDEN) hidden.add(word);
    if ((role & Role.head) !== 0) heads.add(word);
  }
  const alone = (word: string) => phrases.asksAlone(word);
  return {
    phrases,
    roles,
    vocabulary: {
      known,
      hidden,
      heads,
      alone,
      runs: compileRuns(known, hidden),
      ...compileDisguises(hidden),
      strokes: compileStrokes(known),
      cache: new Map(),
    },
  };
}

const PLAIN: Vocabulary = {
  known: new Set(),
  hidden: new Set(),
  heads: new Set(),
  alone: () => false,
  runs: new Runs([], []),
  disguised: new Map(),
  disguisedRuns: new Runs([], []),
  strokes: new Map(),
  cache: new Map(),
};

function addPhrase(phrases: Phrases, text: string, kind: PhraseKind): void {
  const words = text.includes('PAT') ? ['PAT'] : cutName(text, PLAIN);
  phrases.add(words, kind);
  const bare = words.filter((word) => !LINKS.has(word));
  if (bare.length > 1 && bare.length < words.length) phrases.add(bare, kind);
}

/** Also run together: `badge code` is `badgecode` to those who write it so. */
function addOwn(phrases: Phrases, text: string, kind: PhraseKind): void {
  const words = cutName(text, PLAIN);
  phrases.add(words, kind);
  if (words.length > 1) phrases.add([words.join('')], kind);
}

function entries(list: string): string[] {
  return list
    .replaceAll(/\s*\n\s*/g, ' ')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function compileRoles(): Map<string, number> {
  const roles = new Map<string, number>();
  for (const [name, list] of Object.entries(ROLE_WORDS)) {
    for (const word of list.split(/\s+/)) {
      const folded = foldLetters(word).toLowerCase();
      const role = Role[name as RoleName];
      if (folded !== '') roles.set(folded, (roles.get(folded) ?? 0) | role);
    }
  }
  return roles;
}

function compileRuns(known: ReadonlySet<string>, hidden: ReadonlySet<string>): Runs {
  const inside = [...known].filter((word) => UNSPACED.test(word));
  const stems = [...hidden].filter((word) => RUN_TOGETHER.test(word) && word.length > SHORTEST_HIDDEN);
  return new Runs([...inside, ...stems, ...COMPOUNDED.split(/\s+/)], ENDINGS.split(' '));
}

function compileDisguises(hidden: ReadonlySet<string>): Pick<Vocabulary, 'disguised' | 'disguisedRuns'> {
  const disguised = new Map<string, string>();
  for (const word of hidden) {
    const seen = foldLookAlikes(word).toLowerCase();
    if (seen !== word && seen.length > SHORTEST_HIDDEN && !hidden.has(seen)) disguised.set(seen, word);
  }
  return { disguised, disguisedRuns: new Runs(disguised.keys(), []) };
}

function compileStrokes(known: ReadonlySet<string>): Map<string, string> {
  const strokes = new Map<string, string>();
  for (const word of known) {
    const seen = word.replaceAll('l', 'i');
    if (word.length < SHORTEST_HIDDEN || (seen === word ? !word.includes('i') : known.has(seen))) continue;
    strokes.set(seen, word).set(`${seen}s`, `${word}s`);
  }
  return strokes;
}
