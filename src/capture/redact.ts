/**
 * Takes the values out of JSON and leaves what it is made of: names of members, types, lengths. What is to be kept is
 * listed; everything else goes.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from '../protocol/messages.js';

/**
 * `keep`: as it is. `short`: as it is when it is no longer than a name. `echo`: when it repeats what the request said.
 * `uri`: without user, query and fragment. `link`: of an address only what a rule may judge: scheme, host, names in the
 * query. `mask`: type and length alone, as of every value inside of what is none of the others.
 */
export type Keep = 'keep' | 'short' | 'echo' | 'uri' | 'link' | 'mask' | Words | Members | Each;

/** Texts that the protocol itself knows. */
export interface Words {
  readonly words: ReadonlySet<string>;
}

/** An object's members by name, and what becomes of those that have no row. */
export interface Members {
  readonly members: ReadonlyMap<string, Keep>;
  readonly rest: Keep;
}

/** A list's items, or an object's members whatever they are called. */
export interface Each {
  readonly each: Keep;
}

/** What the request said and an answer may repeat. */
export type Echoes = readonly (string | number)[];

const MOST_KEPT = 4_096;
const MOST_SHORT = 128;

export function words(...known: readonly string[]): Words {
  return { words: new Set(known) };
}

export function members(rows: Readonly<Record<string, Keep>>, rest: Keep = 'mask'): Members {
  return { members: new Map(Object.entries(rows)), rest };
}

export function each(keep: Keep): Each {
  return { each: keep };
}

export function redact(value: JsonValue, keep: Keep, echoes: Echoes = []): JsonValue {
  if (isArray(value)) {
    const inside = typeof keep === 'object' && 'each' in keep ? keep.each : insideOf(keep);
    return value.map((item) => redact(item, inside, echoes));
  }
  if (isObject(value)) return redactMembers(value, keep, echoes);
  if (typeof value === 'string') return redactText(value, keep, echoes);
  if (value === null || keep === 'keep' || keep === 'short') return value;
  if (keep === 'echo' && typeof value === 'number')
    return echoes.includes(value) ? value : otherNumber(echoes);
  return typeof value === 'number' ? 0 : false;
}

function redactMembers(object: JsonObject, keep: Keep, echoes: Echoes): JsonObject {
  const keepOf = (name: string): Keep => {
    if (typeof keep === 'object' && 'members' in keep) return keep.members.get(name) ?? keep.rest;
    return typeof keep === 'object' && 'each' in keep ? keep.each : insideOf(keep);
  };
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name.length > MOST_SHORT ? masked(name) : name,
      redact(value, keepOf(name), echoes),
    ]),
  );
}

/** A list or an object where a text was to be kept is not kept. */
function insideOf(keep: Keep): Keep {
  return keep === 'keep' ? 'keep' : 'mask';
}

export function redactText(text: string, keep: Keep, echoes: Echoes = []): string {
  if (typeof keep === 'object') return 'words' in keep && keep.words.has(text) ? text : masked(text);
  switch (keep) {
    case 'keep':
      return text.length > MOST_KEPT ? masked(text) : text;
    case 'short':
      return text.length > MOST_SHORT ? masked(text) : text;
    case 'echo':
      return echoes.includes(text) ? redactText(text, 'short') : otherThan(text);
    case 'uri':
      return text.length > MOST_KEPT ? masked(text) : withoutValues(text);
    case 'link':
      return linkOf(text) ?? masked(text);
    case 'mask':
      return masked(text);
  }
}

/** What stands for a text that is not kept. */
export function masked(text: string): string {
  return `[${text.length} characters]`;
}

/** The same where it is none that the request said: it must not look as if it were. */
export function otherThan(text: string): string {
  return `[${text.length} other characters]`;
}

function otherNumber(echoes: Echoes): number {
  return echoes.includes(0) ? -1 : 0;
}

/** A resource's uri, in which a query or a user may be a credential. */
function withoutValues(uri: string): string {
  return uri
    .replace(/[?#].*$/s, (rest) => `?[${rest.length}]`)
    .replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*@/i, '$1//[user]@');
}

/** Undefined for what is no web address. Its path may be a credential too, and no rule reads it. */
function linkOf(text: string): string | undefined {
  if (text.length > MOST_KEPT || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, username, password, host, search, hash } = new URL(text);
  const user = username === '' && password === '' ? '' : 'x@';
  return `${protocol}//${user}${host}/x${namesOf(search)}${namesOf(hash)}`;
}

/** `?token=abc&x` as `?token=x&x`: a part without `=` may be all value. */
function namesOf(part: string): string {
  if (part === '') return '';
  const named = part
    .slice(1)
    .split('&')
    .map((pair) => (pair.includes('=') ? `${pair.split('=', 1)[0]?.slice(0, MOST_SHORT)}=x` : 'x'));
  return `${part.charAt(0)}${named.join('&')}`;
}
