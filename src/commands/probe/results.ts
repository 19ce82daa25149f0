/** Results as lines for people: what each method's result is about, and JSON for the rest. */
import { display, displayJson, displayLines } from '../../client/display.js';
import {
  META_SERVER_INFO,
  METHOD_DISCOVER,
  METHOD_PROMPTS_GET,
  METHOD_PROMPTS_LIST,
  METHOD_RESOURCE_TEMPLATES_LIST,
  METHOD_RESOURCES_LIST,
  METHOD_RESOURCES_READ,
  METHOD_TASKS_GET,
  METHOD_TOOLS_CALL,
  METHOD_TOOLS_LIST,
} from '../../protocol/constants.js';
import {
  arrayMember,
  isObject,
  type JsonObject,
  type JsonValue,
  member,
  objectMember,
  stringMember,
} from '../../protocol/messages.js';

type Show = (result: JsonObject) => readonly string[];

const SHOWN: ReadonlyMap<string, Show> = new Map<string, Show>([
  [METHOD_TOOLS_CALL, toolLines],
  [METHOD_TOOLS_LIST, (result) => each(result, 'tools', toolRow)],
  [METHOD_PROMPTS_LIST, (result) => each(result, 'prompts', (prompt) => namedRow(prompt, 'name'))],
  [METHOD_RESOURCES_LIST, (result) => each(result, 'resources', (resource) => namedRow(resource, 'uri'))],
  [
    METHOD_RESOURCE_TEMPLATES_LIST,
    (result) => each(result, 'resourceTemplates', (template) => namedRow(template, 'uriTemplate')),
  ],
  [METHOD_PROMPTS_GET, (result) => each(result, 'messages', messageLines)],
  [METHOD_RESOURCES_READ, (result) => each(result, 'contents', contentsLines)],
  [METHOD_DISCOVER, discoverLines],
  [METHOD_TASKS_GET, taskLines],
]);

export function resultLines(method: string, result: JsonObject): readonly string[] {
  return SHOWN.get(method)?.(result) ?? [displayJson(result)];
}

export function taskLines(task: JsonObject): readonly string[] {
  const id = display(stringMember(task, 'taskId') ?? '', 200);
  const status = display(stringMember(task, 'status') ?? 'unknown', 50);
  const message = stringMember(task, 'statusMessage');
  const result = objectMember(task, 'result');
  return [
    `task ${id} ${status}${message === undefined ? '' : `: ${display(message, 500)}`}`,
    ...(result === undefined ? [] : toolLines(result)),
    ...(member(task, 'error') === undefined ? [] : [`error ${displayJson(member(task, 'error'))}`]),
  ];
}

function toolLines(result: JsonObject): readonly string[] {
  const structured = member(result, 'structuredContent');
  const lines = each(result, 'content', contentLines);
  return structured === undefined ? lines : [...lines, `structuredContent ${displayJson(structured)}`];
}

/** Which arguments a tool requires depends on what the client declared: it is the first thing that is shown. */
function toolRow(tool: JsonObject): readonly string[] {
  const required = arrayMember(objectMember(tool, 'inputSchema') ?? {}, 'required') ?? [];
  const names = required.map((name) => display(String(name), 100)).join(', ');
  const about = stringMember(tool, 'description') ?? stringMember(tool, 'title') ?? '';
  return [
    `${nameOf(tool, 'name')}  required: ${names === '' ? 'none' : names}  ${display(about, 200)}`.trimEnd(),
  ];
}

function namedRow(entry: JsonObject, key: string): readonly string[] {
  const about = stringMember(entry, 'description') ?? stringMember(entry, 'title') ?? '';
  return [`${nameOf(entry, key)}  ${display(about, 200)}`.trimEnd()];
}

function nameOf(entry: JsonObject, key: string): string {
  return display(stringMember(entry, key) ?? '', 200);
}

function messageLines(message: JsonObject): readonly string[] {
  const role = display(stringMember(message, 'role') ?? '', 50);
  const content = objectMember(message, 'content');
  return content === undefined ? [displayJson(message)] : [`${role}:`, ...contentLines(content)];
}

function contentLines(content: JsonObject): readonly string[] {
  const type = stringMember(content, 'type');
  const text = stringMember(content, 'text');
  if (type === 'text' && text !== undefined) return displayLines(text);
  if (type === 'resource') return contentsLines(objectMember(content, 'resource') ?? {});
  const data = stringMember(content, 'data');
  if (data === undefined) return [displayJson(content)];
  const media = display(stringMember(content, 'mimeType') ?? '', 100);
  return [`[${display(type ?? '', 50)} ${media}, ${data.length} characters of base64]`];
}

function contentsLines(contents: JsonObject): readonly string[] {
  const uri = nameOf(contents, 'uri');
  const text = stringMember(contents, 'text');
  if (text !== undefined) return [`${uri}:`, ...displayLines(text)];
  const blob = stringMember(contents, 'blob');
  return blob === undefined ? [displayJson(contents)] : [`${uri}: ${blob.length} characters of base64`];
}

function discoverLines(result: JsonObject): readonly string[] {
  const info = objectMember(objectMember(result, '_meta') ?? {}, META_SERVER_INFO);
  const versions = arrayMember(result, 'supportedVersions') ?? [];
  const instructions = stringMember(result, 'instructions');
  return [
    ...(info === undefined ? [] : [`server: ${nameOf(info, 'name')} ${nameOf(info, 'version')}`]),
    `versions: ${versions.map((version) => display(String(version), 50)).join(', ')}`,
    `capabilities: ${displayJson(member(result, 'capabilities') ?? null)}`,
    ...(instructions === undefined ? [] : displayLines(instructions)),
  ];
}

function each(
  result: JsonObject,
  name: string,
  show: (entry: JsonObject) => readonly string[],
): readonly string[] {
  const entries: readonly JsonValue[] = arrayMember(result, name) ?? [];
  return entries.flatMap((entry) => (isObject(entry) ? show(entry) : [displayJson(entry)]));
}
