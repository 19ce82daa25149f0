/** What shows only when answers are held against each other: lists that differ between clients. */
import { readFields } from '../client/fields.js';
import { readCapabilities } from '../protocol/capabilities.js';
import { META_CLIENT_CAPABILITIES, METHOD_TOOLS_CALL } from '../protocol/constants.js';
import {
  arrayMember,
  isObject,
  type JsonObject,
  member,
  objectMember,
  pointer,
  stringMember,
} from '../protocol/messages.js';
import type { Fault } from './judge.js';
import { firstQuestions, type Known, type ListAnswer } from './known.js';
import { SHAPES, type ShapeName } from './shapes.js';

export interface Comparison {
  readonly rule: string;
  /** The exchange that shows it. */
  readonly entry: string;
  readonly about: string;
  readonly shape: ShapeName;
  readonly fault?: Fault;
}

export function compare(known: Known): readonly Comparison[] {
  return [...compareRequired(known), ...compareScopes(known)];
}

/** The arguments that a tool asks for by form: fields of its questions that its input schema has too. */
export function elicitedArguments(known: Known): ReadonlyMap<string, readonly string[]> {
  const elicited = new Map<string, readonly string[]>();
  for (const { method, about, asked } of firstQuestions(known)) {
    const properties = propertiesOf(known.tool(about));
    const names = asked.flatMap((request) => readFields(request).map(({ name }) => name));
    const own = [...new Set(names)].filter((name) => member(properties, name) !== undefined);
    if (method === METHOD_TOOLS_CALL && own.length > 0) elicited.set(about, own);
  }
  return elicited;
}

function compareRequired(known: Known): readonly Comparison[] {
  const elicited = elicitedArguments(known);
  return known.toolLists.flatMap(({ shape, result }) =>
    [...elicited].flatMap(([name, wanted]): Comparison[] => {
      const index = toolsOf(result).findIndex((tool) => stringMember(tool, 'name') === name);
      if (index < 0) return [];
      const says = { rule: 'tools-list-required', entry: 'tools-list', about: name, shape };
      const required = requiredOf(toolsOf(result)[index]);
      const message = canBeAsked(shape)
        ? wanted.some((argument) => required.has(argument)) && ASKED_BUT_REQUIRED
        : wanted.some((argument) => !required.has(argument)) && NOT_REQUIRED;
      const at = pointer('result', 'tools', index, 'inputSchema', 'required');
      return [message === false ? says : { ...says, fault: { at, message } }];
    }),
  );
}

const NOT_REQUIRED = 'the list does not require an argument of a client that the tool cannot ask for it';
const ASKED_BUT_REQUIRED = 'the list requires an argument of a client that the tool would ask for it';

function compareScopes({ toolLists }: Known): readonly Comparison[] {
  const [first] = toolLists;
  if (first === undefined) return [];
  const differs = toolLists.some(({ result }) => textOf(result) !== textOf(first.result));
  if (!differs) return [];
  return toolLists.map(({ shape, result }: ListAnswer) => {
    const says = { rule: 'list-scope-private', entry: 'tools-list', about: '', shape };
    if (member(result, 'cacheScope') !== 'public') return says;
    const message = 'a list that differs between clients says that they may share it';
    return { ...says, fault: { at: '/result/cacheScope', message } };
  });
}

function canBeAsked(shape: ShapeName): boolean {
  return readCapabilities({ [META_CLIENT_CAPABILITIES]: SHAPES[shape] }).form;
}

function toolsOf(result: JsonObject): readonly JsonObject[] {
  return (arrayMember(result, 'tools') ?? []).map((tool) => (isObject(tool) ? tool : {}));
}

function propertiesOf(tool: JsonObject | undefined): JsonObject {
  return objectMember(objectMember(tool ?? {}, 'inputSchema') ?? {}, 'properties') ?? {};
}

function requiredOf(tool: JsonObject | undefined): ReadonlySet<unknown> {
  return new Set(arrayMember(objectMember(tool ?? {}, 'inputSchema') ?? {}, 'required') ?? []);
}

/** Whatever the order. */
function textOf(result: JsonObject): string {
  return toolsOf(result)
    .map((tool) => JSON.stringify(tool))
    .sort()
    .join();
}
