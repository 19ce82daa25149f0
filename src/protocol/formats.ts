/** The formats of form fields (client/elicitation#requested-schema), read by the documents that JSON Schema names for them. */

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3])(:?[0-5]\d)?)$/i;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** RFC 3986: a scheme, and nothing that no URI is made of. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const NO_URI = /[^a-z0-9._~:/?#[\]@!$&'()*+,;=%-]|%(?![0-9a-f]{2})/i;
/** RFC 5321, with letters beyond ASCII as in RFC 6531. */
const LOCAL =
  /^(?:[^\s\p{Cc}"(),.:;<>@[\]\\]+(?:\.[^\s\p{Cc}"(),.:;<>@[\]\\]+)*|"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*")$/u;
const DOMAIN = /^(?:[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*|\[(?:IPv6:)?[\da-f:.]+\])$/iu;
const MAX_LOCAL = 64;
const MAX_DOMAIN = 255;

const READERS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['email', isMailbox],
  ['uri', (text) => SCHEME.test(text) && !NO_URI.test(text)],
  ['date', isDate],
  ['date-time', isDateTime],
]);

/** An unknown format is an annotation: anything is of it. */
export function isOfFormat(text: string, format: string): boolean {
  return READERS.get(format)?.(text) ?? true;
}

function isMailbox(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 0 || at > MAX_LOCAL || text.length - at - 1 > MAX_DOMAIN) return false;
  return LOCAL.test(text.slice(0, at)) && DOMAIN.test(text.slice(at + 1));
}

function isDate(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = (DATE.exec(text) ?? []).map(Number);
  return day >= 1 && day <= daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}

/** RFC 3339: the offset is not optional; a space may stand for the T. */
function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && /^[T ]$/i.test(text.charAt(10)) && TIME.test(text.slice(11));
}
