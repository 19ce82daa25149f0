/** The rules on what a client sends, as docs/rules.md and the revision's pages have them, read slowly. */
import { type ClientMessage, declaresTasks, messageOf, type Profile } from './client-message.js';
import { decoded, type Head, isLegal, isUtf8, mediaTypeOf, valuesOf } from './head.js';
import { depthOf, readTree, repeatsName, type Tree, textOf } from './slow-json.js';
import {
  type Answer,
  ASKING,
  answerOf,
  type Finding,
  folded,
  hasVariant,
  holdsName,
  isMap,
  isText,
  type Json,
  type JsonMap,
  META,
  mapOf,
  namesIn,
  own,
  REVISION,
  TASKS_REQUIRED,
} from './values.js';

export interface Asked {
  readonly profile: Profile;
  readonly head: Head;
  readonly body: Uint8Array;
}

const ANSWERING = [...ASKING, 'tasks/update'];
const TASK_METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'];

const ENVELOPE = [
  ...namesIn('JSONRPCRequest', 'JSONRPCResultResponse', 'JSONRPCErrorResponse'),
  'requestState',
  'inputResponses',
];
const PARAMS = [
  ...namesIn('CallToolRequestParams', 'GetPromptRequestParams', 'ReadResourceRequestParams'),
  ...namesIn('CompleteRequestParams', 'PaginatedRequestParams', 'SubscriptionsListenRequestParams'),
  ...namesIn('CancelledNotificationParams'),
  'taskId',
];
const META_NAMES = [...namesIn('RequestMetaObject'), 'requestState'];
const ANSWER = namesIn('ElicitResult', 'CreateMessageResult', 'ListRootsResult');
const BROUGHT_BACK = ['requestState', 'inputResponses'];

/** Every rule that may find something in the request, in the order of the register. */
export function inboundFindings(asked: Asked): readonly Finding[] {
  const { head, body } = asked;
  const text = textOf(body);
  const tree = text === undefined ? undefined : readTree(text);
  const message = messageOf(body);
  const found = (rule: string, code: number, status: number, holds: Answer): Finding => ({
    rules: [rule],
    code,
    statuses: [status],
    holds,
  });
  const parsed = [
    found('origin-allowed', -32600, 403, foreignOrigin(head)),
    found('content-type-json', -32600, 415, answerOf(!isJson(head))),
    found('connection-names-none', -32600, 400, answerOf(namesRead(head))),
    found('json-unambiguous', -32700, 400, ambiguous(text, tree, message)),
    found('single-message', -32600, 400, tree === undefined ? 'yes' : notSingle(tree, message)),
  ];
  if (parsed.some(({ holds }) => holds === 'yes')) return parsed;
  return [
    ...parsed,
    found('headers-match-body', -32020, 400, headersDiffer(head, message)),
    {
      ...found('protocol-version-supported', -32022, 400, otherVersion(head, message)),
      data: versions(head, message),
    },
    found('request-meta-present', -32602, 400, metaLacks(message)),
    found('request-state-accepted', -32602, 400, stateMisplaced(asked.profile, message)),
    found('input-responses-shape', -32602, 400, answersMalformed(message)),
    { ...found('tasks-request-declared', -32021, 400, tasksUndeclared(message)), data: TASKS_REQUIRED },
  ];
}

/** A listener on loopback lets in loopback alone. */
function foreignOrigin(head: Head): Answer {
  const origins = valuesOf(head, 'origin');
  return answerOf(
    origins.some((origin) => !/^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin)),
  );
}

function isJson(head: Head): boolean {
  const type = mediaTypeOf(head);
  return type?.type === 'application/json' && isUtf8(type) && valuesOf(head, 'content-encoding').length === 0;
}

function namesRead(head: Head): boolean {
  const named = valuesOf(head, 'connection').flatMap((value) => value.toLowerCase().split(','));
  return named
    .map((name) => name.trim())
    .some((name) => /^(mcp-|content-)/.test(name) || name === 'authorization' || name === 'host');
}

function ambiguous(text: string | undefined, tree: Tree | undefined, { value }: ClientMessage): Answer {
  if (text === undefined || tree === undefined || repeatsName(tree)) return 'yes';
  const params = own(value, 'params');
  const meta = own(params, '_meta');
  const answers = Object.values(mapOf(params, 'inputResponses'));
  const loosely = (name: string) => folded(name).replaceAll(/[_-]/g, '');
  const brought = [value, params, meta].some((map) => hasVariant(map, BROUGHT_BACK, loosely));
  const spelt =
    hasVariant(value, ENVELOPE) ||
    hasVariant(params, PARAMS) ||
    hasVariant(meta, META_NAMES) ||
    answers.some((entry) => hasVariant(entry, ANSWER));
  if (brought || spelt) return 'yes';
  const odd =
    hasVariant(params, ['protocolVersion', 'capabilities', 'clientInfo']) ||
    hasVariant(meta, namesIn('NotificationMetaObject', 'ResultMetaObject'));
  return odd ? 'maybe' : 'no';
}

function notSingle(tree: Tree, { value, method, isRequest, id, idText }: ClientMessage): Answer {
  if (tree.kind !== 'object' || depthOf(tree) > 512) return 'yes';
  if (own(value, 'jsonrpc') !== '2.0' || !isText(own(value, 'method'))) return 'yes';
  const notifies = method.startsWith('notifications/');
  if (isRequest ? id === undefined || notifies : !notifies) {
    // An integer that is not written as one.
    return typeof own(value, 'id') === 'number' && /[.eE]/.test(idText ?? '') && !notifies ? 'maybe' : 'yes';
  }
  if (typeof id === 'number' && /[.eE]/.test(idText ?? '')) return 'maybe';
  if (holdsName(value, 'result') || holdsName(value, 'error')) return 'maybe';
  const proper = !holdsName(value, 'params') || isMap(own(value, 'params'));
  // Of a request they are invalid params, too.
  return proper ? 'no' : notifies && own(value, 'params') !== null ? 'yes' : 'maybe';
}

function headersDiffer(head: Head, { method, isRequest, params, meta }: ClientMessage): Answer {
  const versions = valuesOf(head, 'mcp-protocol-version');
  const version = own(meta, `${META}protocolVersion`);
  // An empty version may count as none.
  if (version === '') return 'maybe';
  if (version === undefined) {
    if (versions.length === 1 && isLegal(versions[0] as string) && versions[0] !== REVISION) return 'no';
    if (versions.length === 0) return isRequest ? answerOf(method !== 'initialize') : 'maybe';
  }
  const answers = [
    matches(versions.map(plain), version, isRequest),
    matches(valuesOf(head, 'mcp-method').map(plain), method, isRequest),
  ];
  const name = nameOf(method, params);
  if (name !== undefined) {
    const names = valuesOf(head, 'mcp-name').map(decoded);
    answers.push(matches(names, name.value, name.required && isRequest));
  }
  if (answers.includes('yes')) return 'yes';
  return answers.includes('maybe') ? 'maybe' : 'no';
}

function nameOf(method: string, params: JsonMap): { value: Json | undefined; required: boolean } | undefined {
  if (method === 'tools/call' || method === 'prompts/get')
    return { value: own(params, 'name'), required: true };
  if (method === 'resources/read') return { value: own(params, 'uri'), required: true };
  return method.startsWith('tasks/') ? { value: own(params, 'taskId'), required: false } : undefined;
}

/** A header that knows no sentinel. */
function plain(value: string): string | undefined {
  return isLegal(value) ? value : undefined;
}

/** `yes`: the header is not what the body says. */
function matches(values: readonly (string | undefined)[], body: Json | undefined, required: boolean): Answer {
  if (values.length === 0) return answerOf(required);
  if (values.length > 1 || values[0] === undefined) return 'yes';
  if (body === undefined || !isText(body)) return 'maybe';
  return answerOf(values[0] !== body);
}

function otherVersion(head: Head, { method, meta, isRequest }: ClientMessage): Answer {
  const version = own(meta, `${META}protocolVersion`);
  const header = valuesOf(head, 'mcp-protocol-version')[0];
  const declared = version ?? header;
  if (declared === REVISION) return 'no';
  if (declared === undefined) return isRequest ? answerOf(method === 'initialize', 'maybe') : 'maybe';
  return isText(declared) && declared !== '' ? 'yes' : 'maybe';
}

/** What was asked for is what the message declares; the handshake of earlier revisions has a place of its own for it. */
function versions(head: Head, { method, meta, params }: ClientMessage): JsonMap {
  const declared = own(meta, `${META}protocolVersion`);
  const asked =
    method === 'initialize'
      ? (own(params, 'protocolVersion') ?? '')
      : valuesOf(head, 'mcp-protocol-version')[0];
  const requested = declared === undefined || declared === '' ? asked : declared;
  // How much of an odd value comes back is not written down.
  const plainly = isText(requested) && /^[\w.-]{0,32}$/.test(requested);
  return { supported: [REVISION], ...(plainly && { requested }) };
}

function metaLacks({ isRequest, meta }: ClientMessage): Answer {
  if (!isRequest) return 'no';
  const version = own(meta, `${META}protocolVersion`);
  return answerOf(!isText(version) || version === '' || !isMap(own(meta, `${META}clientCapabilities`)));
}

function stateMisplaced(profile: Profile, { value, method, params, meta, isRequest }: ClientMessage): Answer {
  const elsewhere = [value, meta].some((map) => holdsName(map, 'requestState'));
  const here = holdsName(params, 'requestState');
  if (profile === 'ze') return answerOf(elsewhere || here);
  if (here && !(isText(own(params, 'requestState')) && isRequest && ASKING.includes(method))) return 'yes';
  return elsewhere ? 'maybe' : 'no';
}

function answersMalformed({ value, method, params, meta, isRequest }: ClientMessage): Answer {
  if (holdsName(params, 'inputResponses')) {
    const answers = own(params, 'inputResponses');
    if (!isRequest || !ANSWERING.includes(method) || !isMap(answers)) return 'yes';
    if (!Object.values(answers).every(isGoodAnswer)) return 'yes';
  }
  return [value, meta].some((map) => holdsName(map, 'inputResponses')) ? 'maybe' : 'no';
}

function isGoodAnswer(answer: Json): boolean {
  if (!isMap(answer)) return false;
  if (!holdsName(answer, 'action')) return true;
  const action = own(answer, 'action');
  if (action !== 'accept') return action === 'decline' || action === 'cancel';
  if (!holdsName(answer, 'content')) return true;
  const content = own(answer, 'content');
  return isMap(content) && Object.values(content).every(isFlat);
}

function isFlat(value: Json): boolean {
  return Array.isArray(value) ? value.every(isText) : ['string', 'number', 'boolean'].includes(typeof value);
}

function tasksUndeclared(message: ClientMessage): Answer {
  if (declaresTasks(message)) return 'no';
  if (TASK_METHODS.includes(message.method)) return answerOf(message.isRequest, 'maybe');
  if (message.method !== 'subscriptions/listen') return 'no';
  const ids = own(mapOf(message.params, 'notifications'), 'taskIds');
  if (Array.isArray(ids) && ids.length > 0) return 'yes';
  return ids === undefined ? 'no' : 'maybe';
}
