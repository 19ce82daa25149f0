/** Values that conform to the revision's JSON schema, with words of whose meaning the oracle is sure. */
import {
  HARMLESS_NAMES,
  HARMLESS_TEXTS,
  SECRET_FOR_ZE,
  SECRET_NAMES,
  SECRET_TEXTS,
} from '../oracle/credentials.js';
import { BAD_URLS, GOOD_URLS } from '../oracle/urls.js';
import { type Json, type JsonMap, SCHEMA } from '../oracle/values.js';
import type { Choices } from './choices.js';

interface Node {
  readonly $ref?: string;
  readonly anyOf?: readonly Node[];
  readonly allOf?: readonly Node[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Node;
  readonly items?: Node;
  readonly minimum?: number;
}

const DEFINITIONS = SCHEMA.$defs as Readonly<Record<string, Node>>;
const MAX_DEPTH = 7;
const ANYTHING: readonly Json[] = ['x', 1, true, null, [], {}, { a: 1 }, 'd\u00e9j\u00e0 \ud83d\ude00'];
const NAMES = [
  'ze_execute',
  'book',
  'r\u00e9sum\u00e9',
  ' padded ',
  '=?base64?eA==?=',
  'a/b~c',
  'caf\u00e9 \u4e16',
];

export function fromSchema(definition: string, choices: Choices): JsonMap {
  return build(DEFINITIONS[definition] as Node, '', choices, 0) as JsonMap;
}

function build(node: Node, name: string, choices: Choices, depth: number): Json {
  if (node.$ref !== undefined) {
    const to = node.$ref.slice('#/$defs/'.length);
    return build(DEFINITIONS[to] as Node, name, choices, depth);
  }
  if (node.anyOf !== undefined) return build(choices.pick(node.anyOf), name, choices, depth);
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return choices.pick(node.enum);
  const type = typeof node.type === 'string' || node.type === undefined ? node.type : choices.pick(node.type);
  if (type === 'object') return buildObject(node, name, choices, depth);
  if (type === 'array') return buildList(node, name, choices, depth);
  if (type === 'string') return textFor(name, choices);
  if (type === 'boolean') return choices.once(2);
  if (type === 'integer') return choices.pick([1, 0, 30, 9007199254740991]);
  if (type === 'number') return choices.pick([1, 0.5, 0]);
  return choices.pick(ANYTHING);
}

function buildObject(node: Node, name: string, choices: Choices, depth: number): Json {
  const object: Record<string, Json> = {};
  const required = node.required ?? [];
  for (const [member, inner] of Object.entries(node.properties ?? {})) {
    const wanted = required.includes(member) || (depth < MAX_DEPTH && choices.once(4));
    if (wanted && member !== 'requestState' && member !== 'inputResponses')
      object[member] = build(inner, member, choices, depth + 1);
  }
  const further = node.additionalProperties;
  if (further !== undefined && depth < MAX_DEPTH)
    for (let count = choices.below(3); count > 0; count -= 1)
      object[keyFor(name, choices)] = build(further, '', choices, depth + 1);
  return object;
}

function buildList(node: Node, name: string, choices: Choices, depth: number): Json {
  const count = depth < MAX_DEPTH ? choices.below(3) : 0;
  return Array.from({ length: count }, () => build(node.items ?? {}, name, choices, depth + 1));
}

function keyFor(name: string, choices: Choices): string {
  if (name === 'properties') return fieldName(choices);
  return choices.pick(['a', 'b', 'ze_execute_command', 'Method', 'toString', 'k~/']);
}

function fieldName(choices: Choices): string {
  if (!choices.once(8)) return choices.pick(HARMLESS_NAMES);
  return choices.pick(choices.once(2) ? SECRET_FOR_ZE : SECRET_NAMES);
}

function textFor(name: string, choices: Choices): string {
  if (name === 'url') return choices.pick(choices.once(4) ? BAD_URLS : GOOD_URLS);
  if (name === 'uri') return choices.pick(['file:///a', 'https://example.com/\u00e9', 'x:y']);
  if (name === 'name') return choices.pick(NAMES);
  if (name === 'required') return fieldName(choices);
  if (name === 'resultType') return 'complete';
  return choices.pick(choices.once(12) ? SECRET_TEXTS : HARMLESS_TEXTS);
}
