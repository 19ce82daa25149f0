import type { Change } from '../protocol/changes.js';
import { METHOD_TOOLS_LIST } from '../protocol/constants.js';
import {
  arrayMember,
  has,
  isObject,
  type JsonObject,
  type JsonValue,
  objectMember,
  stringMember,
} from '../protocol/messages.js';
import { resultOf } from '../protocol/results.js';
import type { Rewrite } from './rewrite.js';

/** To a client that can be asked, a call without the argument is legal; to any other it is an error. The list says which. */
export const toolsListRequired: Rewrite<'outbound'> = {
  id: 'tools-list-required',
  stage: 'outbound',
  does: 'Arguments that a tool asks for by form are optional to clients that declare form mode and required to all others.',
  changes: ({ exchange, message }) => {
    const result = resultOf(message);
    if (result === undefined || exchange.message.method !== METHOD_TOOLS_LIST) return [];
    const adjust = exchange.capabilities.form ? release : demand;
    const changes: Change[] = [];
    for (const [index, tool] of (arrayMember(result, 'tools') ?? []).entries()) {
      const elicits = exchange.policy.tools.get(nameOf(tool) ?? '')?.elicits ?? [];
      const schema = isObject(tool) ? objectMember(tool, 'inputSchema') : undefined;
      if (schema === undefined || elicits.length === 0) continue;
      changes.push(...adjust(schema, elicits, ['result', 'tools', index, 'inputSchema', 'required']));
    }
    return changes;
  },
};

function release(schema: JsonObject, elicits: readonly string[], path: Change['path']): readonly Change[] {
  const required = arrayMember(schema, 'required') ?? [];
  const freed: Change[] = [];
  for (const [index, name] of required.entries()) {
    if (typeof name === 'string' && elicits.includes(name))
      freed.push({ path: [...path, index], json: undefined });
  }
  return freed.length > 0 && freed.length === required.length ? [{ path, json: undefined }] : freed;
}

function demand(schema: JsonObject, elicits: readonly string[], path: Change['path']): readonly Change[] {
  const properties = objectMember(schema, 'properties') ?? {};
  const required = arrayMember(schema, 'required');
  if (required === undefined && has(schema, 'required')) return [];
  const lacking = [...new Set(elicits)].filter((name) => has(properties, name) && !required?.includes(name));
  if (lacking.length === 0) return [];
  if (required === undefined) return [{ path, json: JSON.stringify(lacking) }];
  return lacking.map((name, index) => ({
    path: [...path, required.length + index],
    json: JSON.stringify(name),
  }));
}

function nameOf(tool: JsonValue): string | undefined {
  return isObject(tool) ? stringMember(tool, 'name') : undefined;
}
