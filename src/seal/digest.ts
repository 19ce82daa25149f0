/** The digest of what a client asks for: equal for requests that say the same, different for any others. */
import { createHash } from 'node:crypto';
import { containerAt, endOfValue, type Step, spanOf, visitItems } from '../protocol/json.js';
import { looseName } from '../protocol/names.js';

/** Members of `params` that differ between an operation's rounds by right. */
const PER_ROUND: ReadonlySet<Step> = new Set(['_meta', 'inputResponses', 'requestState']);
const NONE: ReadonlySet<Step> = new Set();

const UNPAIRED = /\p{Surrogate}/gu;

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;

/**
 * SHA-256 of the message's `params` in canonical form, as base64url. Members stand in the order of their names, strings
 * are written one way, space is gone; numbers are kept as they were sent, since a number past 2^53 is not what it parses
 * to. The message nests no deeper than the parse stage lets through, which bounds the recursion.
 */
export function digestParams(text: string): string {
  const span = spanOf(text, ['params']);
  const canonical = span === undefined ? '' : new CanonicalText(text).read(span.start, PER_ROUND);
  return createHash('sha256').update(canonical).digest('base64url');
}

/** Names that some parser takes for one stay in their order: which of them counts depends on it. */
function inOrder(members: ReadonlyMap<string, string>): Iterable<string> {
  if (members.size < 2) return members.keys();
  const names = Array.from(members.keys(), (name) => ({
    name,
    loose: looseName(name).replace(UNPAIRED, '\ufffd'),
  }));
  return names.sort((one, other) => compare(one.loose, other.loose)).map(({ name }) => name);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Reads values one after the other. What is canonical already is taken over in runs. */
class CanonicalText {
  /** The offset after the value that was read last. */
  #end = 0;
  /** The first backslash that is not behind what was read. */
  #backslash = -1;

  constructor(readonly text: string) {}

  read(start: number, without: ReadonlySet<Step> = NONE): string {
    const container = containerAt(this.text, start);
    if (container === 'object') return this.#object(start, without);
    if (container === 'array') return this.#array(start);
    return this.#scalar(start);
  }

  #object(start: number, without: ReadonlySet<Step>): string {
    const members = new Map<string, string>();
    const end = visitItems(this.text, start, (name, _, valueStart) => {
      if (without.has(name)) return endOfValue(this.text, valueStart);
      members.set(String(name), this.read(valueStart));
      return this.#end;
    });
    this.#end = end;
    let written = '{';
    for (const name of inOrder(members)) written += `${JSON.stringify(name)}:${members.get(name) as string},`;
    return `${written}}`;
  }

  /** Arrays inside arrays are read along: nothing in them has to be moved. */
  #array(start: number): string {
    const { text } = this;
    let written = '';
    let depth = 0;
    let from = start;
    let at = start;
    do {
      const code = text.charCodeAt(at);
      if (code === OPEN_BRACKET) depth += 1;
      else if (code === CLOSE_BRACKET) depth -= 1;
      if (code === QUOTE && this.#isPlain(at)) at = this.#end;
      else if (code > 0x20 && code !== QUOTE && code !== OPEN_BRACE) at += 1;
      else {
        written += text.slice(from, at) + (code > 0x20 ? this.read(at) : '');
        at = code > 0x20 ? this.#end : at + 1;
        from = at;
      }
    } while (depth > 0 && at < text.length);
    this.#end = at;
    return written + text.slice(from, at);
  }

  /** A string without escapes is written as JSON.stringify would write it. */
  #scalar(start: number): string {
    const isPlain = this.#isPlain(start);
    const lexeme = this.text.slice(start, this.#end);
    return isPlain ? lexeme : JSON.stringify(JSON.parse(lexeme));
  }

  #isPlain(start: number): boolean {
    if (this.#backslash < start) {
      const next = this.text.indexOf('\\', start);
      this.#backslash = next < 0 ? this.text.length : next;
    }
    this.#end = endOfValue(this.text, start);
    return this.#backslash >= this.#end;
  }
}
