/** What a message means to whoever reads it, as far as the gateway judges it. */
import { type GoValue, readAsGo, type Shape } from './go-reader.js';
import { memberOf, readTree, type Tree } from './slow-json.js';
import { isMap, isText, type Json, mapOf, own, wellFormed } from './values.js';

/** Every part is undefined where a message has none of it. */
export interface Meaning {
  readonly method: string | undefined;
  /** JSON text: `1` and `"1"` differ. */
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly state: string | undefined;
  readonly type: string | undefined;
  readonly asked: readonly AskedFor[] | undefined;
}

export interface AskedFor {
  readonly key: string;
  readonly kind: string | undefined;
  readonly mode: string | undefined;
  readonly message: string | undefined;
  readonly url: string | undefined;
  readonly fields: readonly string[];
}

/** By JSON.parse, as the gateway and every client in JavaScript have it. */
export function meaningOf(text: string): Meaning {
  const value = JSON.parse(text) as Json;
  const params = own(value, 'params');
  const result = own(value, 'result');
  const asked = own(result, 'inputRequests');
  return {
    method: textIn(value, 'method'),
    id: idText(memberOf(readTree(text), 'id')),
    name: textIn(params, 'name') ?? textIn(params, 'uri') ?? textIn(params, 'taskId'),
    state: textIn(params, 'requestState') ?? textIn(result, 'requestState'),
    type: textIn(result, 'resultType'),
    asked: isMap(asked) ? sorted(Object.entries(asked).map(askedFor)) : undefined,
  };
}

function askedFor([key, entry]: readonly [string, Json]): AskedFor {
  const params = own(entry, 'params');
  return {
    key: wellFormed(key),
    kind: textIn(entry, 'method'),
    mode: textIn(params, 'mode'),
    message: textIn(params, 'message'),
    url: textIn(params, 'url'),
    fields: Object.keys(mapOf(own(params, 'requestedSchema'), 'properties'))
      .map((name) => wellFormed(name))
      .sort(),
  };
}

function textIn(map: Json | undefined, name: string): string | undefined {
  const value = own(map, name);
  return isText(value) ? wellFormed(value) : undefined;
}

/** A number in the shortest way to write it, but for integers, which keep every digit. */
export function idText(id: Tree | undefined): string | undefined {
  if (id?.kind === 'string') return JSON.stringify(wellFormed(id.value));
  if (id?.kind !== 'number') return undefined;
  return /^-?\d+$/.test(id.lexeme) ? String(BigInt(id.lexeme)) : String(Number(id.lexeme));
}

export function sorted(asked: readonly AskedFor[]): readonly AskedFor[] {
  return [...asked].sort((one, other) => (one.key < other.key ? -1 : 1));
}

const SCHEMA: Shape = { struct: { properties: { map: 'raw' } } };
const ENTRY: Shape = {
  struct: {
    method: 'string',
    params: { struct: { mode: 'string', message: 'string', url: 'string', requestedSchema: SCHEMA } },
  },
};
const MESSAGE: Shape = {
  struct: {
    method: 'string',
    id: 'raw',
    params: { struct: { name: 'string', uri: 'string', taskId: 'string', requestState: 'string' } },
    result: { struct: { resultType: 'string', requestState: 'string', inputRequests: { map: ENTRY } } },
  },
};

/** As a server or client in Go has it. Throws a GoError where that would not take the message at all. */
export function goMeaningOf(text: string): Meaning {
  const tree = readTree(text);
  const message = tree === undefined ? undefined : readAsGo(tree, MESSAGE);
  const result = field(message, 'result');
  const params = field(message, 'params');
  const asked = field(result, 'inputRequests');
  return {
    method: goTextIn(message, 'method'),
    id: idText(field(message, 'id') as Tree | undefined),
    name: goTextIn(params, 'name') ?? goTextIn(params, 'uri') ?? goTextIn(params, 'taskId'),
    state: goTextIn(params, 'requestState') ?? goTextIn(result, 'requestState'),
    type: goTextIn(result, 'resultType'),
    asked: asked instanceof Map ? sorted([...asked].map(goAskedFor)) : undefined,
  };
}

function goAskedFor([key, entry]: [string, GoValue]): AskedFor {
  const params = field(entry, 'params');
  const properties = field(field(params, 'requestedSchema'), 'properties');
  return {
    key,
    kind: goTextIn(entry, 'method'),
    mode: goTextIn(params, 'mode'),
    message: goTextIn(params, 'message'),
    url: goTextIn(params, 'url'),
    fields: properties instanceof Map ? [...properties.keys()].sort() : [],
  };
}

function field(value: GoValue | undefined, name: string): GoValue | undefined {
  return value instanceof Map ? (value.get(name) as GoValue | undefined) : undefined;
}

function goTextIn(value: GoValue | undefined, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === 'string' ? found : undefined;
}
