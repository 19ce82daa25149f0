/**
 * The one scanner: finds places in JSON text without building values, so that bytes can stay as they are. The text is
 * one that JSON.parse has accepted; for any other the answers mean nothing, but every function still ends. Offsets are
 * string offsets. Nothing here recurses into the text, and every cost is linear in its length.
 */
import { isArray, type JsonObject, type JsonValue, pointer } from './messages.js';

/** The name of a member, or the index of an element. */
export type Step = string | number;
export type Path = readonly Step[];

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** `text` takes the place of what stands between the offsets. */
export interface Edit extends Span {
  readonly text: string;
}

const POINTER_LENGTH = 200;
/** Escapes come in crowds (JSON inside a string): after one, so many characters are read singly before searching again. */
const CROWD = 32;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * How deep the value nests (a scalar is 0), and whether its text names a member twice in one object. JSON.parse keeps
 * one of equal names, so an ambiguous text has more strings than its value: no names have to be compared. `written` is
 * how many strings the text has.
 */
export function measure(
  text: string,
  value: JsonValue,
  written = countStrings(text),
): { depth: number; repeats: boolean } {
  let depth = 0;
  let level: (JsonObject | readonly JsonValue[])[] = [];
  let strings = sortOut(value, level);
  while (level.length > 0) {
    const inner: typeof level = [];
    for (const container of level) {
      if (isArray(container)) for (const item of container) strings += sortOut(item, inner);
      else for (const item of Object.values(container)) strings += 1 + sortOut(item, inner);
    }
    depth += 1;
    level = inner;
  }
  return { depth, repeats: written !== strings };
}

/** A string counts; a container is put aside to be opened. */
function sortOut(item: JsonValue | undefined, containers: (JsonObject | readonly JsonValue[])[]): number {
  if (typeof item === 'object' && item !== null) containers.push(item);
  return typeof item === 'string' ? 1 : 0;
}

/** JSON Pointer (at most 200 characters) to the first member whose name its object already has; escapes are resolved. */
export function findRepeated(text: string): string | undefined {
  const open: { readonly names: Set<string> | undefined; step: Step; named: boolean }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const top = open.at(-1);
    if (code === QUOTE) {
      const end = closingQuote(text, at + 1);
      if (top?.names !== undefined && !top.named) {
        const name = resolveEscapes(text.slice(at + 1, end));
        top.step = name;
        top.named = true;
        if (top.names.has(name)) return boundedPointer(open.map(({ step }) => step));
        top.names.add(name);
      }
      at = end;
    } else if (code === OPEN_BRACE) open.push({ names: new Set(), step: '', named: false });
    else if (code === OPEN_BRACKET) open.push({ names: undefined, step: 0, named: false });
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) open.pop();
    else if (code === COMMA && top !== undefined) {
      top.named = false;
      if (typeof top.step === 'number') top.step += 1;
    }
  }
  return undefined;
}

/** A pointer that may stand in a refusal, however long the names on its way are. */
export function boundedPointer(path: Path): string {
  const whole = pointer(...path.slice(0, POINTER_LENGTH));
  return whole.length <= POINTER_LENGTH
    ? whole
    : whole.slice(0, POINTER_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

/** Where the text's value begins. */
export function rootOf(text: string): number {
  return skipSpace(text, 0);
}

/** What kind of container begins at `start`; undefined for a scalar. */
export function containerAt(text: string, start: number): 'object' | 'array' | undefined {
  const code = text.charCodeAt(start);
  return code === OPEN_BRACE ? 'object' : code === OPEN_BRACKET ? 'array' : undefined;
}

/** Where the value at a path stands; of equal names the last, as in JSON.parse. */
export function spanOf(text: string, path: Path): Span | undefined {
  let start = rootOf(text);
  for (const step of path) {
    const found = itemAt(text, start, step);
    if (found === undefined) return undefined;
    start = found;
  }
  return { start, end: endOfValue(text, start) };
}

/** The value at a path as it is written: a number with all its digits. */
export function lexemeAt(text: string, path: Path): string | undefined {
  const span = spanOf(text, path);
  return span && text.slice(span.start, span.end);
}

/**
 * Visits the members or elements of the container that begins at `start`; returns the offset after it. The visitor is
 * given where the item begins (the member's name, or the element) and where its value does, and returns where the value
 * ends: by `endOfValue`, or by visiting the value in turn, so that one pass suffices for any number of places.
 */
export function visitItems(
  text: string,
  start: number,
  visit: (step: Step, itemStart: number, valueStart: number) => number,
): number {
  const named = containerAt(text, start) === 'object';
  let at = skipSpace(text, start + 1);
  if (text.charCodeAt(at) === (named ? CLOSE_BRACE : CLOSE_BRACKET)) return at + 1;
  for (let index = 0; at < text.length; index += 1) {
    const itemStart = at;
    let step: Step = index;
    if (named) {
      const end = closingQuote(text, at + 1);
      step = resolveEscapes(text.slice(at + 1, end));
      at = skipSpace(text, skipSpace(text, end + 1) + 1);
    }
    at = skipSpace(text, visit(step, itemStart, at));
    if (text.charCodeAt(at) !== COMMA) return at + 1;
    at = skipSpace(text, at + 1);
  }
  return at;
}

/** The offset after the value that begins at `start`. */
export function endOfValue(text: string, start: number): number {
  if (text.charCodeAt(start) === QUOTE) return closingQuote(text, start + 1) + 1;
  if (containerAt(text, start) === undefined) return endOfScalar(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = closingQuote(text, at + 1);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/** The text with the edits made; they come in order and do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let edited = '';
  let from = 0;
  for (const edit of edits) {
    if (edit.start < from) throw new RangeError('edits overlap or are out of order');
    edited += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return edited + text.slice(from);
}

function itemAt(text: string, start: number, wanted: Step): number | undefined {
  if (containerAt(text, start) !== (typeof wanted === 'string' ? 'object' : 'array')) return undefined;
  let found: number | undefined;
  visitItems(text, start, (step, _, valueStart) => {
    if (step === wanted) found = valueStart;
    return endOfValue(text, valueStart);
  });
  return found;
}

function countStrings(text: string): number {
  let count = 0;
  for (let open = text.indexOf('"'); open >= 0; count += 1) {
    open = text.indexOf('"', closingQuote(text, open + 1) + 1);
  }
  return count;
}

/** The offset of the quote that ends the string whose characters begin at `from`. */
export function closingQuote(text: string, from: number): number {
  for (let at = from; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    if (!isEscaped(text, quote)) return quote;
    at = quote + 1;
    for (let crowd = at + CROWD; at < crowd; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) return at;
      if (code === BACKSLASH) {
        at += 1;
        crowd = at + CROWD;
      }
    }
  }
}

function isEscaped(text: string, quote: number): boolean {
  let before = quote - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (quote - before) % 2 === 0;
}

function endOfScalar(text: string, start: number): number {
  let at = start;
  while (at < text.length && !isDelimiter(text.charCodeAt(at))) at += 1;
  return at;
}

export function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isDelimiter(code: number): boolean {
  return isSpace(code) || code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET;
}

function resolveEscapes(name: string): string {
  return name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name;
}
