/**
 * JSON as Go's encoding/json reads it into structs: names match whatever their letter case, the last of equal ones wins, a
 * map keeps its keys as they are, null changes nothing, and half of a surrogate pair becomes U+FFFD.
 */
import type { Member, Tree } from './slow-json.js';
import { wellFormed } from './values.js';

/** What a struct's field, or a map's value, is read into. */
export type Shape =
  | 'string'
  /** Left as it is written. */
  | 'raw'
  | { readonly struct: Readonly<Record<string, Shape>> }
  | { readonly map: Shape }
  | { readonly slice: Shape };

export type GoValue = string | Tree | readonly GoValue[] | ReadonlyMap<string, GoValue>;

/** Where encoding/json returns an error. */
export class GoError extends Error {
  override readonly name = 'GoError';
}

/** Undefined: the zero value. Structs and maps are Maps, a struct's by the names of its fields. */
export function readAsGo(tree: Tree, shape: Shape): GoValue | undefined {
  if (shape === 'raw') return tree;
  if (tree.kind === 'null') return undefined;
  if (shape === 'string') {
    if (tree.kind !== 'string') throw new GoError('cannot unmarshal into a string');
    return wellFormed(tree.value);
  }
  if ('slice' in shape) {
    if (tree.kind !== 'array') throw new GoError('cannot unmarshal into a slice');
    return tree.items.map((item) => readAsGo(item, shape.slice) ?? '');
  }
  if (tree.kind !== 'object') throw new GoError('cannot unmarshal into a struct or map');
  return 'map' in shape ? mapOf(tree.members, shape.map) : structOf(tree.members, shape.struct);
}

function mapOf(members: readonly Member[], shape: Shape): GoValue {
  const map = new Map<string, GoValue>();
  for (const { name, value: inner } of members) map.set(wellFormed(name), readAsGo(inner, shape) ?? '');
  return map;
}

function structOf(members: readonly Member[], fields: Readonly<Record<string, Shape>>): GoValue {
  const struct = new Map<string, GoValue>();
  for (const { name, value: inner } of members) {
    const field = fieldFor(wellFormed(name), Object.keys(fields));
    const shape = field === undefined ? undefined : fields[field];
    if (field === undefined || shape === undefined) continue;
    const value = readAsGo(inner, shape);
    const before = struct.get(field);
    // A struct that is read into again keeps what it had.
    const merged =
      before instanceof Map && value instanceof Map && typeof shape === 'object' && 'struct' in shape;
    if (value !== undefined) struct.set(field, merged ? new Map([...before, ...value]) : value);
  }
  return struct;
}

/** The exact name first, then any that is equal when letter case does not count. */
function fieldFor(name: string, fields: readonly string[]): string | undefined {
  return fields.includes(name) ? name : fields.find((field) => goFold(field) === goFold(name));
}

/** Simple case folding: the long s is an s and the Kelvin sign a k, but the Turkish letters are nobody's. */
function goFold(name: string): string {
  return [...name]
    .map((letter) =>
      '\u0130\u0131'.includes(letter) ? letter : letter.toLowerCase().toUpperCase().toLowerCase(),
    )
    .join('');
}
