/** Every configuration key with its notes, read off the schema: what docs, variables and messages are made of. */
import { z } from 'zod';
import type { JsonValue } from '../protocol/messages.js';
import { configSchema } from './schema.js';
import type { KeyNotes } from './values.js';

/** The part of JSON Schema that the configuration's schema turns into. */
export interface Shape extends KeyNotes {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: JsonValue;
  readonly enum?: readonly (string | number)[];
  readonly const?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | Shape;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

export type KeyKind = 'section' | 'map' | 'text' | 'number' | 'boolean' | 'list';

export interface ConfigKey {
  /** Names from the root; `*` stands for an index or a free name. */
  readonly path: readonly string[];
  readonly kind: KeyKind;
  readonly shape: Shape;
  readonly required: boolean;
  /** `<n>` stands for the route's index. Undefined where names are free. */
  readonly variable: string | undefined;
}

export const VARIABLE_PREFIX = 'MRTR_GATEWAY_';
export const ANY = '*';

export const CONFIG_SHAPE = z.toJSONSchema(configSchema, { io: 'input' }) as unknown as Shape;

export const CONFIG_KEYS: readonly ConfigKey[] = [...keysBelow(CONFIG_SHAPE, [])];

/** The shape at a path; undefined where the schema has none. */
export function shapeAt(path: readonly PropertyKey[]): Shape | undefined {
  let shape: Shape | undefined = CONFIG_SHAPE;
  for (const name of path) {
    if (shape === undefined) return undefined;
    if (typeof name === 'number') shape = shape.items;
    else shape = memberShape(shape, String(name));
  }
  return shape;
}

function memberShape(shape: Shape, name: string): Shape | undefined {
  if (shape.properties !== undefined && Object.hasOwn(shape.properties, name)) return shape.properties[name];
  return shape.additionalProperties === false ? undefined : shape.additionalProperties;
}

function* keysBelow(shape: Shape, path: readonly string[]): Generator<ConfigKey> {
  for (const [name, below] of Object.entries(shape.properties ?? {})) {
    yield* keyAndBelow(below, [...path, name], shape.required?.includes(name) === true);
  }
}

function* keyAndBelow(shape: Shape, path: readonly string[], required: boolean): Generator<ConfigKey> {
  const kind = kindOf(shape);
  yield { path, kind, shape, required, variable: variableOf(path, kind) };
  if (kind === 'section')
    yield* keysBelow(shape.items ?? shape, shape.items === undefined ? path : [...path, ANY]);
  else if (
    kind === 'map' &&
    shape.additionalProperties !== false &&
    shape.additionalProperties !== undefined
  ) {
    yield* keysBelow(shape.additionalProperties, [...path, ANY]);
  }
}

function kindOf(shape: Shape): KeyKind {
  const types = [shape, ...(shape.anyOf ?? [])].flatMap(({ type }) => type ?? []);
  if (types.includes('object')) return shape.properties === undefined ? 'map' : 'section';
  if (types.includes('array')) return shape.items?.properties === undefined ? 'list' : 'section';
  if (types.includes('integer') || types.includes('number')) return 'number';
  return types.includes('boolean') ? 'boolean' : 'text';
}

/** `limits.requestBytes` is MRTR_GATEWAY_LIMITS_REQUEST_BYTES. Sections have none, save an upstream, which may be a URL alone. */
function variableOf(path: readonly string[], kind: KeyKind): string | undefined {
  const [first, second, ...rest] = path;
  const inRoute = first === 'routes' && second === ANY;
  const isUpstream = inRoute && rest.length === 1 && rest[0] === 'upstream';
  if ((kind === 'section' && !isUpstream) || kind === 'map') return undefined;
  const names = inRoute ? rest : path;
  if (names.includes(ANY)) return undefined;
  return VARIABLE_PREFIX + (inRoute ? 'ROUTES_<n>_' : '') + names.map(shouted).join('_');
}

function shouted(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase();
}
