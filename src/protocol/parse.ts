/**
 * JSON.parse, and what is done where it reads names wrongly: from 12.8 on V8 may take a name with an escape for one that
 * an earlier text had, if that one's characters stand here as they are (nodejs/node#63785, docs/decisions/0017).
 */
import { closingQuote, containerAt, endOfValue, skipSpace } from './json.js';
import { isArray, type JsonValue } from './messages.js';

const COLON = 0x3a;
/** What is no part of a scalar; none of it begins a container. */
const BETWEEN = codesOf(' \t\n\r,:');
const CLOSING = codesOf(']}');

const MISREADS = misreads();

/** Undefined: the text is not one JSON value. The parser's error quotes its input, so it goes no further. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return MISREADS && hasEscapedName(text) ? compose(text) : value;
  } catch {
    return undefined;
  }
}

/** Whether this engine is one of those. */
function misreads(): boolean {
  const known = JSON.parse('{"mrtr-gateway":0,"\\\\":0}');
  return Object.keys(JSON.parse('{"mrtr-gateway":0,"\\u0061":0}'))[1] === Object.keys(known)[1];
}

/** Whether a member's name is written with an escape, in a text that JSON.parse accepts. */
export function hasEscapedName(text: string): boolean {
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
    at = closingQuote(text, at) + 1;
    if (text.charCodeAt(skipSpace(text, at)) === COLON) return true;
  }
  return false;
}

/** What a text says that JSON.parse accepts, each name read for itself. Linear in its length, and nothing recurses. */
export function compose(text: string): JsonValue {
  const root = new Composed([]);
  const open = [root];
  for (let at = 0; at < text.length; ) {
    const top = open.at(-1) ?? root;
    const kind = containerAt(text, at);
    if (kind !== undefined) {
      const inner = new Composed(kind === 'array' ? [] : {});
      top.take(inner.container);
      open.push(inner);
      at += 1;
    } else if (BETWEEN.has(text.charCodeAt(at))) at += 1;
    else if (CLOSING.has(text.charCodeAt(at))) {
      open.pop();
      at += 1;
    } else {
      const end = endOfValue(text, at);
      top.take(JSON.parse(text.slice(at, end)));
      at = end;
    }
  }
  return (root.container as JsonValue[])[0] ?? null;
}

/** An array, or an object and the name of its next member. */
class Composed {
  #name: string | undefined;

  constructor(readonly container: JsonValue[] | Record<string, JsonValue>) {}

  /** A value; of an object, names and values in turn. */
  take(value: JsonValue): void {
    const { container } = this;
    if (isArray(container)) (container as JsonValue[]).push(value);
    else if (this.#name === undefined) this.#name = String(value);
    else {
      addMember(container as Record<string, JsonValue>, this.#name, value);
      this.#name = undefined;
    }
  }
}

function addMember(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
}

function codesOf(characters: string): ReadonlySet<number> {
  return new Set(Array.from(characters, (character) => character.charCodeAt(0)));
}
