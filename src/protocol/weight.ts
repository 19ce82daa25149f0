/** What the values of a JSON text take up beside the text, told from its bytes before they are made. */

/** A shorter message weighs little whatever it is made of, and is not weighed. */
export const LONG_BYTES = 4_096;

/** What V8 takes for each: docs/decisions/0012. */
const CONTAINER_BYTES = 64;
const ITEM_BYTES = 16;
const STRING_BYTES = 24;

/** So much of a string is read singly before its end is searched for. */
const CROWD = 32;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

export interface Weight {
  readonly bytes: number;
  /** How many strings the text has, names of members among them. */
  readonly strings: number;
}

/** Whoever reads a long message takes room for its values before they are made. False: there is none. */
export interface Room {
  takeValues(bytes: number): boolean;
}

/** The characters of strings are not counted: they are as many as the text's. Linear for any bytes, JSON or not. */
export function weigh(json: Buffer): Weight {
  let containers = 0;
  let items = 0;
  let strings = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) {
      strings += 1;
      at = closingQuote(json, at + 1);
    } else if (byte === COMMA) items += 1;
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) containers += 1;
  }
  const bytes = containers * CONTAINER_BYTES + items * ITEM_BYTES + strings * STRING_BYTES;
  return { bytes, strings };
}

/** The offset of the quote that ends the string whose characters begin at `from`. */
function closingQuote(json: Buffer, from: number): number {
  for (let at = from; at < json.length; ) {
    for (let crowd = at + CROWD; at < crowd; at += 1) {
      const byte = json[at];
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at += 1;
    }
    const quote = json.indexOf(QUOTE, at);
    if (quote < 0) return json.length;
    if (!isEscaped(json, quote, at)) return quote;
    at = quote + 1;
  }
  return json.length;
}

/** Backslashes before `from` have been read as what they are. */
function isEscaped(json: Buffer, quote: number, from: number): boolean {
  let before = quote - 1;
  while (before >= from && json[before] === BACKSLASH) before -= 1;
  return (quote - before) % 2 === 0;
}
