/** Whole exchanges from the revision's schema: conforming ones, and such as come close. */
import fc from 'fast-check';
import type { Answered, Asked } from '../oracle/oracle.js';
import { ASKING, type Json, type JsonMap, META, REVISION, TASKS } from '../oracle/values.js';
import { type Choices, choices } from './choices.js';
import { type Draft, draftOf, mutate, textOfDraft } from './drafts.js';
import { fromSchema } from './from-schema.js';

export interface Case {
  readonly asked: Asked;
  readonly answered: Answered;
  /** Where the answer is cut into pieces. */
  readonly cuts: readonly number[];
}

/** Printed as what was sent and answered. */
export const exchanges: fc.Arbitrary<Case> = choices.map((list) => {
  const one = exchange(list);
  const { profile, head, body } = one.asked;
  const { status, head: type, body: answer } = one.answered;
  const shown = [
    `${profile} ${JSON.stringify(head)}`,
    JSON.stringify(Buffer.from(body).toString()),
    `${status} ${type.join(': ')}`,
    JSON.stringify(Buffer.from(answer).toString()),
  ].join('\n');
  return Object.assign(one, { [fc.toStringMethod]: () => shown });
});

type Build = (choices: Choices) => JsonMap;

const REQUESTS: readonly (readonly [string, string, string])[] = [
  ...Array.from({ length: 9 }, () => ['tools/call', 'CallToolRequest', 'CallToolResult'] as const),
  ...Array.from({ length: 3 }, () => ['prompts/get', 'GetPromptRequest', 'GetPromptResult'] as const),
  ...Array.from(
    { length: 3 },
    () => ['resources/read', 'ReadResourceRequest', 'ReadResourceResult'] as const,
  ),
  ['tools/list', 'ListToolsRequest', 'ListToolsResult'],
  ['server/discover', 'DiscoverRequest', 'DiscoverResult'],
  ['completion/complete', 'CompleteRequest', 'CompleteResult'],
  ['subscriptions/listen', 'SubscriptionsListenRequest', 'SubscriptionsListenResult'],
  ['resources/list', 'ListResourcesRequest', 'ListResourcesResult'],
  ['prompts/list', 'ListPromptsRequest', 'ListPromptsResult'],
  ['notifications/cancelled', 'CancelledNotification', 'Result'],
  ['tasks/get', '', 'Result'],
  ['tasks/update', '', 'Result'],
  ['tasks/cancel', '', 'Result'],
  ['x/own', '', 'Result'],
  ['initialize', '', 'Result'],
];
const NOTIFICATIONS = [
  ...['ProgressNotification', 'LoggingMessageNotification', 'ToolListChangedNotification'],
  ...['ResourceUpdatedNotification', 'SubscriptionsAcknowledgedNotification', 'CancelledNotification'],
];
const IDS: readonly Json[] = [1, '1', 0, 'a', '', -1, 9007199254740991, 'd\u00e9j\u00e0', '\ud800'];
const NOT_OBJECTS: readonly Json[] = [true, null, 'yes', [], 1];

export function exchange(choices: Choices): Case {
  const profile = choices.pick(['spec', 'ze'] as const);
  const [method, definition, result] = choices.pick(REQUESTS);
  const request = requestOf(method, definition, choices);
  const draft = mutated(draftOf(request), choices, 10);
  const body = spoilt(Buffer.from(textOfDraft(draft)), choices);
  const head = headOf(request, choices);
  const answered = answerOf(request, result, choices);
  const cuts = Array.from({ length: choices.below(4) }, () => choices.below(answered.body.length + 1));
  return { asked: { profile, head, body }, answered, cuts };
}

function requestOf(method: string, definition: string, choices: Choices): JsonMap {
  const built = definition === '' ? {} : fromSchema(definition, choices);
  const params: Record<string, Json> = { ...(built.params as JsonMap) };
  if (method.startsWith('tasks/')) params.taskId = 't1';
  if (method === 'tasks/update') params.inputResponses = fromSchema('InputResponses', choices);
  if (method === 'subscriptions/listen' && choices.once(3))
    params.notifications = { ...(params.notifications as JsonMap), taskIds: choices.pick([['t1'], []]) };
  if (choices.once(ASKING.includes(method) ? 8 : 30))
    params.inputResponses = fromSchema('InputResponses', choices);
  if (choices.once(24)) params.requestState = choices.pick<Json>(['s', '', null, 7]);
  if (method.startsWith('notifications/')) return { jsonrpc: '2.0', method, params };
  if (method === 'initialize') {
    const legacy = { ...(!choices.once(4) && { protocolVersion: '2025-11-25' }), capabilities: {} };
    if (!choices.once(3)) return { jsonrpc: '2.0', id: choices.pick(IDS), method, params: legacy };
  }
  const _meta = {
    [`${META}protocolVersion`]: choices.once(24) ? choices.pick(['2025-11-25', '', 5]) : REVISION,
    [`${META}clientCapabilities`]: capabilitiesOf(method, choices),
    ...(choices.once(3) && { progressToken: choices.pick<Json>(['p', 1, '1']) }),
    ...(choices.once(4) && { [`${META}logLevel`]: 'info' }),
  };
  return { jsonrpc: '2.0', id: choices.pick(IDS), method, params: { ...params, _meta } };
}

function capabilitiesOf(method: string, choices: Choices): Json {
  if (choices.once(50)) return choices.pick(NOT_OBJECTS);
  const odd = (): Json => choices.pick(choices.once(8) ? NOT_OBJECTS : [{}]);
  const capabilities: Record<string, Json> = {};
  if (!choices.once(8))
    capabilities.elicitation = choices.pick<Json>([
      ...Array.from({ length: 4 }, () => ({ form: {}, url: {} })),
      {},
      { form: odd() },
      { url: odd() },
      { form: odd(), url: odd() },
      { voice: {} },
      odd(),
    ]);
  if (choices.once(2)) capabilities.sampling = choices.pick<Json>([{}, { tools: odd() }, odd()]);
  if (choices.once(2)) capabilities.roots = odd();
  if (method.startsWith('tasks/') ? !choices.once(12) : choices.once(2))
    capabilities.extensions = choices.pick<Json>([
      { [TASKS]: {} },
      { [TASKS]: odd() },
      { 'com.example/x': odd() },
      odd(),
    ]);
  return capabilities;
}

/** A conforming head, and sometimes one line of it changed. */
function headOf(request: JsonMap, choices: Choices): readonly string[] {
  const params = request.params as JsonMap;
  const method = request.method as string;
  const name = params.name ?? params.uri ?? params.taskId;
  const named =
    /^(tools\/call|prompts\/get|resources\/read|tasks\/)/.test(method) && typeof name === 'string';
  const lines: [string, string][] = [
    ['Host', '127.0.0.1'],
    ['Content-Type', 'application/json'],
    ['MCP-Protocol-Version', REVISION],
    ['Mcp-Method', method],
    ...(named ? [['Mcp-Name', mirrored(name as string)] as [string, string]] : []),
  ];
  if (params._meta === undefined && !choices.once(4)) {
    // A client of an earlier revision says so, or nothing, and mirrors nothing.
    lines.splice(2);
    if (choices.once(2)) lines.push(['MCP-Protocol-Version', '2025-11-25']);
  }
  if (!choices.once(16)) return lines.flat();
  const at = choices.below(lines.length - 1) + 1;
  const [field, value] = lines[at] as [string, string];
  const changes: readonly (() => unknown)[] = [
    () => lines.splice(at, 1),
    () => lines.push([field.toLowerCase(), value]),
    () => lines.push([field, choices.pick(['x', '', value])]),
    () =>
      lines.splice(at, 1, [field, choices.pick(['x', `${value}\u00e9`, '=?base64?eA==?=', '=?base64?eA?='])]),
    () => lines.splice(1, 1, ['Content-Type', choices.pick(MEDIA_TYPES)]),
    () => lines.push(choices.pick(FIELDS)),
  ];
  choices.pick(changes)();
  return lines.flat();
}

const MEDIA_TYPES = [
  ...['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"', 'text/plain'],
  ...['application/json; charset=latin1', 'application/json-rpc', ''],
];
const FIELDS: readonly [string, string][] = [
  ['Origin', 'http://localhost:3000'],
  ['Origin', 'https://evil.example'],
  ['Origin', 'null'],
  ['Content-Encoding', 'gzip'],
  ['Connection', 'close, Mcp-Method'],
  ['Connection', 'keep-alive'],
  ['Mcp-Param-Region', '\u00e9'],
  ['Mcp-Session-Id', '1'],
  ['Mcp-Name', 'x'],
];

function mirrored(value: string): string {
  if (/^[!-~]([ -~]*[!-~])?$/.test(value) && !value.startsWith('=?base64?')) return value;
  return `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

function answerOf(request: JsonMap, definition: string, choices: Choices): Answered {
  const id = request.id ?? 1;
  const response = draftOf({ jsonrpc: '2.0', id: id as Json, ...outcomeOf(request, definition, choices) });
  const final = mutated(response, choices, 3);
  const kind = choices.below(16);
  if (kind >= 10 && kind < 15) return streamOf(request, final, choices);
  const head = ['content-type', choices.once(30) ? choices.pick(MEDIA_TYPES) : 'application/json'];
  if (kind === 15) {
    const status = choices.pick([400, 404, 500, 401, 301, 202, 201]);
    const bodies = [
      () => textOfDraft(errorOf(id as Json, choices)),
      () => textOfDraft(final),
      () => choices.pick(ERRORS),
    ];
    return { status, head, body: Buffer.from(choices.pick(bodies)()) };
  }
  return { status: 200, head, body: spoilt(Buffer.from(textOfDraft(final, choices.once(6))), choices) };
}

const ERRORS = [
  '',
  'Bad gateway',
  '{"error":"invalid_token"}',
  '{"error":"x","result":{}}',
  '{"Method":1}',
  '[]',
  'null',
];

function errorOf(id: Json, choices: Choices): Draft {
  const error = {
    code: choices.pick([-32602, -32022, -32002, -32050, 7]),
    message: 'm',
    data: { supported: [REVISION, '2025-11-25'] },
  };
  const draft = draftOf({ jsonrpc: '2.0', id: choices.pick<Json>([id, null, 2, '1']), error });
  return mutated(draft, choices, 4);
}

function outcomeOf(request: JsonMap, definition: string, choices: Choices): JsonMap {
  const { method } = request;
  if (choices.once(10)) {
    const code = choices.pick([-32602, -32603, -32021, -32002, -32042, -32099, 5]);
    return { error: { code, message: 'm' } };
  }
  const complete: Build = () => fromSchema(definition, choices);
  const asynchronous: Build = () => task(request, choices);
  const likely = ASKING.includes(method as string)
    ? question
    : method === 'tasks/get'
      ? asynchronous
      : complete;
  return {
    result: choices.pick([likely, likely, likely, likely, complete, question, asynchronous])(choices),
  };
}

function question(choices: Choices): JsonMap {
  const asked: Record<string, Json> = {};
  for (let count = choices.pick([1, 1, 1, 1, 1, 1, 2, 2, 0, 17]); count > 0; count -= 1)
    asked[
      count > 2 ? `k${count}` : choices.pick(['ze_execute_command', 'a', 'Method', '__proto_', '\ud800'])
    ] = entry(choices);
  return {
    resultType: choices.once(12) ? choices.pick(['complete', 'task', 'partial']) : 'input_required',
    ...(!choices.once(10) && { inputRequests: asked }),
    ...(choices.once(4) && { requestState: 's' }),
  };
}

function entry(choices: Choices): Json {
  const built = choices.once(4) ? fromSchema('InputRequest', choices) : fromSchema('ElicitRequest', choices);
  const params = built.params as Record<string, Json> | undefined;
  // Most forms ask for something, and say that they are forms.
  if (params?.requestedSchema !== undefined && !choices.once(6)) params.mode = 'form';
  if (params?.requestedSchema !== undefined && choices.once(4))
    params.requestedSchema = oddForm(params.requestedSchema as JsonMap, choices);
  return built;
}

const ODD_MEMBERS: readonly (readonly [string, Json])[] = [
  ['type', 'object'],
  ['type', ['string', 'null']],
  ['format', 'uuid'],
  ['format', 'password'],
  ['writeOnly', true],
  ['enum', ['red', 1]],
  ['enumNames', ['Red']],
  ['oneOf', [{ const: 'red', title: 'red' }]],
  ['oneOf', [{ const: 'red' }]],
  ['anyOf', [{ type: 'string' }]],
  ['allOf', []],
  ['not', {}],
  ['if', {}],
  ['$ref', '#/$defs/a'],
  ['items', { type: 'object' }],
  ['items', { type: 'string', enum: ['red'] }],
  ['properties', { password: { type: 'string' } }],
  ['patternProperties', {}],
  ['additionalProperties', false],
  ['pattern', '^red$'],
  ['minLength', 1.5],
  ['maximum', '1'],
  ['default', 1],
  ['required', ['password']],
  ['title', 7],
  ['x-own', {}],
];

/** With a member that it, or one of its fields, does not have in the revision. */
function oddForm(form: JsonMap, choices: Choices): JsonMap {
  const odd = Object.fromEntries([choices.pick(ODD_MEMBERS)]);
  const fields = form.properties as JsonMap;
  const name = choices.pick([...Object.keys(fields), '']);
  if (name === '') return { ...form, ...odd };
  return { ...form, properties: { ...fields, [name]: { ...(fields[name] as JsonMap), ...odd } } };
}

function task(request: JsonMap, choices: Choices): JsonMap {
  const status = choices.pick(['working', 'completed', 'input_required', 'failed', 'cancelled']);
  const built = {
    resultType: request.method === 'tasks/get' ? 'complete' : 'task',
    ...{
      taskId: 't1',
      status,
      createdAt: '2026-01-01T00:00:00Z',
      lastUpdatedAt: '2026-01-01T00:00:00Z',
      ttlMs: null,
    },
  };
  if (status === 'input_required') return { ...built, inputRequests: { a: entry(choices) } };
  if (status === 'completed')
    return { ...built, result: choices.once(4) ? question(choices) : fromSchema('CallToolResult', choices) };
  return status === 'failed' ? { ...built, error: { code: -32603, message: 'm' } } : built;
}

function streamOf(request: JsonMap, final: Draft, choices: Choices): Answered {
  const lineEnd = choices.pick(['\n', '\r\n', '\r']);
  const events = Array.from({ length: choices.below(4) }, () => eventText(request, choices));
  if (!choices.once(12)) events.push(textOfDraft(final, choices.once(3)));
  const text = events.map((data) => {
    const lines = data.split('\n').map((line) => `data:${choices.once(4) ? '' : ' '}${line}`);
    const around = choices.once(6)
      ? choices.pick([': comment', 'event: message', 'id: 7', 'retry: 1', 'data'])
      : undefined;
    return [...(around === undefined ? [] : [around]), ...lines, '', ''].join(lineEnd);
  });
  const whole = `${choices.once(16) ? '\ufeff' : ''}${text.join('')}`;
  const cut = choices.once(24) ? whole.slice(0, -lineEnd.length) : whole;
  const status = choices.once(24) ? choices.pick([201, 202, 400, 500, 302]) : 200;
  return { status, head: ['content-type', 'text/event-stream'], body: Buffer.from(cut) };
}

function eventText(request: JsonMap, choices: Choices): string {
  const kind = choices.below(10);
  if (kind === 7) return choices.pick(['', ' ', '1', '[]', '{}', '{', '"x"', '{"jsonrpc":"2.0"}']);
  if (kind === 8)
    return textOfDraft(
      mutated(draftOf({ jsonrpc: '2.0', id: 9, ...fromSchema('InputRequest', choices) }), choices, 3),
    );
  if (kind === 9)
    return JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/elicitation/complete',
      params: { elicitationId: 'e' },
    });
  if (kind === 6)
    return textOfDraft(
      mutated(
        draftOf({ jsonrpc: '2.0', method: 'notifications/tasks', params: task(request, choices) }),
        choices,
        3,
      ),
    );
  const notification = fromSchema(choices.pick(NOTIFICATIONS), choices);
  const params = { ...(notification.params as JsonMap) } as Record<string, Json>;
  const token = ((request.params as JsonMap)._meta as JsonMap | undefined)?.progressToken;
  if ('progressToken' in params && token !== undefined && !choices.once(4)) params.progressToken = token;
  return textOfDraft(mutated(draftOf({ ...notification, params }), choices, 4));
}

/** Once in so many something in it is wrong, and then perhaps more than one thing. */
function mutated(draft: Draft, choices: Choices, inSoMany: number): Draft {
  if (!choices.once(inSoMany)) return draft;
  let changed = draft;
  for (let count = choices.pick([1, 1, 1, 2, 3]); count > 0; count -= 1) changed = mutate(changed, choices);
  return changed;
}

/** Bytes that are no JSON any more, or not one message. */
function spoilt(bytes: Buffer, choices: Choices): Buffer {
  if (!choices.once(30)) return bytes;
  const at = choices.below(bytes.length + 1);
  const spoils: readonly (() => Buffer)[] = [
    () => Buffer.concat([Buffer.from('\ufeff'), bytes]),
    () => Buffer.concat([Buffer.from('['), bytes, Buffer.from(']')]),
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes, Buffer.from(' \r\n')]),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at)]),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from('\u00e9'), bytes.subarray(at)]),
  ];
  return choices.pick(spoils)();
}
