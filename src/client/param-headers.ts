/** `Mcp-Param-*`: arguments that a tool wants mirrored (basic/transports/streamable-http#custom-headers-from-tool-parameters). */
import { encodeMirrored } from '../protocol/headers.js';
import { isObject, type JsonObject, member, objectMember } from '../protocol/messages.js';
import type { FieldValues } from './request.js';

const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
const MAX_DEPTH = 32;

interface Mirrored {
  readonly header: string;
  readonly path: readonly string[];
}

/** What a tool's descriptor asks for; undefined when an annotation is not legal: the tool must then not be used. */
export function readParamHeaders(tool: JsonObject): readonly Mirrored[] | undefined {
  const found: Mirrored[] = [];
  const legal = collect(objectMember(tool, 'inputSchema') ?? {}, [], found);
  const names = new Set(found.map(({ header }) => header.toLowerCase()));
  return legal && names.size === found.length ? found : undefined;
}

function collect(schema: JsonObject, path: readonly string[], found: Mirrored[]): boolean {
  if (path.length > MAX_DEPTH) return false;
  return Object.entries(objectMember(schema, 'properties') ?? {}).every(([name, property]) => {
    if (!isObject(property)) return true;
    const here = [...path, name];
    const header = member(property, 'x-mcp-header');
    if (header !== undefined) {
      if (typeof header !== 'string' || !TOKEN.test(header) || !TYPES.has(member(property, 'type')))
        return false;
      found.push({ header, path: here });
    }
    return collect(property, here, found);
  });
}

/** The fields for these arguments; a value that is absent has none. */
export function paramHeaders(mirrored: readonly Mirrored[], args: JsonObject): FieldValues {
  const fields: [string, string][] = [];
  for (const { header, path } of mirrored) {
    let value: unknown = args;
    for (const name of path)
      value = isObject(value as JsonObject) ? member(value as JsonObject, name) : undefined;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      fields.push([`Mcp-Param-${header}`, encodeMirrored(String(value))]);
  }
  return Object.fromEntries(fields);
}
