/** Letters that are, or look like, a Latin letter: what a reader's eye folds, folded. */

/** Latin letters that NFKC leaves alone: strokes, hooks, small capitals, IPA. No language loses a word by this. */
const LATIN_VARIANTS: Readonly<Record<string, string>> = {
  a: 'ȺɐᴀᶏⱥⱯɑ',
  b: 'ƀƁƂƃɃɓʙᴃᵬᶀꞖꞗ',
  c: 'ƇƈȻȼɕʗᴄↄꞒꞓꞔꟄ',
  d: 'ĐđƊƋƌȡɖɗᴅᵭᶁᶑꝹꝺꟇꟈðÐ',
  e: 'ƎƐǝɆɇɘɛɜɝᴇᴈᶒᶓᶔⱸⱻꞫꬲꬳꬴəƏ',
  f: 'ƑƒᵮᶂꜰꝻꝼꞘꞙ',
  g: 'ƓǤǥɠɡɢʛᵷᵹᶃꝽꞠꞡꞬꬶ',
  h: 'ĦħɥɦʜⱧⱨꞍꞕꞪ',
  i: 'ıƗɨɪᴉᶖɩƖ',
  j: 'ȷɈɉɟʄʝᴊꞲ',
  k: 'ƘƙʞᴋᶄⱩⱪꝀꝁꝂꝃꝄꝅꞢꞣꞰ',
  l: 'ŁłƚȴȽɫɬɭʟᴌᶅⱠⱡⱢꝈꝉꞎꞭꬷꬸꬹ',
  m: 'ɱᴍᵯᶆⱮꬺ',
  n: 'ƝƞȠȵɲɳɴᴎᵰᶇꞐꞑꞤꞥꬻ',
  o: 'ØøƆƟɔɵᴏᴐᴑᴓᶗⱺꝊꝋꝌꝍꬽꬾꬿ',
  p: 'ƤƥᴘᵱᵽᶈⱣꝐꝑꝒꝓꝔꝕ',
  q: 'ɋʠꝖꝗꝘꝙꞯ',
  r: 'ɌɍɹɺɻɼɽɾɿʀᴙᴚᵲᵳᶉⱤⱹꝚꝛꞂꞃꞦꞧ',
  s: 'ȿʂᵴᶊⱾꜱꞄꞅꞨꞩꟅꟉꟊ',
  t: 'ŦŧƫƬƭƮȶȾʇʈᴛᵵⱦꞆꞇꞱ',
  u: 'ᴜᴝᶙꞸꞹꭎꭒʉɄ',
  v: 'ƲɅʋʌᴠᶌⱱⱴꝞꝟ',
  w: 'ʍᴡⱲⱳꟂꟃɯ',
  x: 'ᶍꭖꭗꭘꭙ',
  y: 'ƳƴɎɏʎʏỾỿꭚ',
  z: 'ƵƶȤȥɀʐʑᴢᵶᶎⱫⱬⱿꟆ',
  ae: 'æÆ',
  oe: 'œŒ',
  ss: 'ßẞ',
  th: 'þÞ',
  σ: 'ς',
};

/** Cyrillic, Greek, Armenian, Cherokee, Lisu and Coptic letters by the Latin letter that they resemble. */
const OTHER_SCRIPTS: Readonly<Record<string, string>> = {
  a: 'аАαΑᎪꓮꭺⲁⲀ',
  b: 'вВьЬЪβΒᏴꓐⲃⲂ',
  c: 'сСᏟꓚⲥⲤ',
  d: 'ԁԀδᎠꓓ',
  e: 'еЕєЄэҽεΕξᎬꓰⲉ',
  f: 'ғҒϜꓝֆ',
  g: 'ԍԌᏀꓖցґ',
  h: 'һҺнНΗհᎻꓧⲎ',
  i: 'іІӀιΙᎥꓲլӀⲓⲒ',
  j: 'јЈϳᎫꓙյ',
  k: 'кКκΚᏦꓗⲕⲔ',
  l: 'ӏᏞꓡւⳑⳐ',
  m: 'мМΜᎷꓟⲘ',
  n: 'пηΝոռꓠⲚи',
  o: 'оОοΟσθΩՕօᎾꓳⲟⲞф',
  p: 'рРρΡᏢꓑⲣⲢք',
  q: 'ԛԚզգ',
  r: 'гяЯᎡᏒꓣⲅ',
  s: 'ѕЅᏚꓢՏ',
  t: 'тТτΤᎢꓔⲧⲦ',
  u: 'цµμυսՍꓴЦ',
  v: 'ѵѴνᏙꓦ',
  w: 'шШщԝԜωᎳᏔꓪաⲱ',
  x: 'хХχΧꓫⲭⲬ',
  y: 'уУүҮγΥᎩꓬⲩ',
  z: 'зΖζᏃꓜⲌ',
};

/** Capitals that look like small letters. */
const SMALL = 'ЬЪ';

const DIGITS: Readonly<Record<string, string>> = {
  o: '0',
  i: '1|!',
  z: '2',
  e: '3€',
  a: '4@',
  s: '5$',
  b: '68',
  t: '7',
  g: '9',
};

const OTHER_DIGIT = /[^\P{Nd}0-9]/gu;
const DIGIT = /\p{Nd}/u;
const BOXED = /[\u{1F150}-\u{1F169}\u{1F170}-\u{1F189}\u{1F1E6}-\u{1F1FF}]/gu;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Mn}\p{Me}\p{Cf}]/gu;
const MARKS = /\p{Mn}/gu;
/** Normalization makes a sigma of it, which does not look like it; the Coptic one is the same letter, and stays. */
const LUNATE_SIGMA = /[ϲϹ]/g;
const ASCII = /^[\0-\x7f]*$/;

const variants = compileTable(LATIN_VARIANTS);
const resembling = compileTable(OTHER_SCRIPTS, DIGITS);
const otherScripts = compileTable(OTHER_SCRIPTS);
/** Grows to the number of decimal digits that Unicode has, no further. */
const digits = new Map<string, string>();

/**
 * NFKC without what the eye does not see: default-ignorable characters and combining marks go, variants of Latin letters
 * become these letters. Letter case stays, since words are split at it. Marks go first, for long runs of them would make
 * normalization quadratic.
 */
export function foldLetters(text: string): string {
  if (ASCII.test(text)) return text;
  const seen = text.replace(UNSEEN, '').replace(LUNATE_SIGMA, (found) => (found === 'ϲ' ? 'ⲥ' : 'Ⲥ'));
  const plain = seen.normalize('NFKD').replace(MARKS, '').normalize('NFC');
  return variants(plain.replace(BOXED, unboxed)).replace(OTHER_DIGIT, digitOf);
}

/** Letters of other scripts, digits and symbols as the Latin letters that they resemble; for folded text. */
export function foldLookAlikes(text: string): string {
  return resembling(text);
}

/** The same without digits and symbols. */
export function foldOtherScripts(text: string): string {
  return otherScripts(text);
}

function compileTable(...tables: readonly Readonly<Record<string, string>>[]): (text: string) => string {
  const map = new Map<string, string>();
  for (const table of tables) {
    for (const [letter, alikes] of Object.entries(table)) {
      for (const alike of alikes) if (!map.has(alike)) map.set(alike, cased(letter, alike));
    }
  }
  for (const [alike, letter] of [...map]) {
    const lower = alike.toLowerCase();
    if (!map.has(lower)) map.set(lower, letter.toLowerCase());
  }
  const keys = new RegExp(`[${[...map.keys()].map((key) => (key === '|' ? '\\|' : key)).join('')}]`, 'gu');
  return (text) => text.replace(keys, (found) => map.get(found) ?? found);
}

function cased(letter: string, alike: string): string {
  return alike === alike.toLowerCase() || SMALL.includes(alike) ? letter : letter.toUpperCase();
}

/** Circled, squared and regional letters carry no decomposition. */
function unboxed(found: string): string {
  const code = found.codePointAt(0) ?? 0;
  const base = code >= 0x1f1e6 ? 0x1f1e6 : code >= 0x1f170 ? 0x1f170 : 0x1f150;
  return String.fromCharCode(0x61 + code - base);
}

/** Decimal digits of every script stand in runs of ten, from its zero on. */
function digitOf(found: string): string {
  const known = digits.get(found);
  if (known !== undefined) return known;
  const code = found.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
  digits.set(found, String(value));
  return String(value);
}
