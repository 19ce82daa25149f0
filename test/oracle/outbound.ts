/** The rules on one message of the server, slowly: what may become of it. */
import { askedFindings, type Found } from './asked.js';
import { type ClientMessage, declaresTasks, type Profile } from './client-message.js';
import { depthOf, memberOf, readTree, repeatsName, type Tree, textOf } from './slow-json.js';
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
  possible,
  SCHEMA,
  TASKS,
  TASKS_REQUIRED,
} from './values.js';

export type Fate =
  | { readonly kind: 'send'; readonly text: string }
  | { readonly kind: 'drop' }
  | { readonly kind: 'refuse'; readonly finding: Finding };

export interface Waiting {
  readonly profile: Profile;
  readonly message: ClientMessage;
}

type Place = 'body' | 'event';

const UNREADABLE = ['response-readable', 'response-answers-request', 'no-server-request'];
const RESULT = ['resultType', 'inputRequests', 'requestState', 'ttlMs', 'cacheScope'];
const ENTRY = namesIn('CreateMessageRequest');
const ELICITATION = [...namesIn('ElicitRequestFormParams', 'ElicitRequestURLParams'), 'elicitationId'];
const ENVELOPE = namesIn('JSONRPCRequest', 'JSONRPCResultResponse', 'JSONRPCErrorResponse');
const FREE = ['properties', 'inputRequests', 'inputResponses', 'arguments', 'content'];
const TASK = ['taskId', 'status', 'statusMessage', 'createdAt', 'lastUpdatedAt', 'pollIntervalMs', 'taskIds'];
const FORM = ['$schema', 'type', 'properties', 'required'];
const FIELD = namesIn(
  ...['StringSchema', 'NumberSchema', 'BooleanSchema', 'LegacyTitledEnumSchema'],
  ...['TitledSingleSelectEnumSchema', 'TitledMultiSelectEnumSchema'],
);
/** What forms and errors may hold besides. */
const WORDS = [
  ...[
    'allOf',
    'anyOf',
    'not',
    'if',
    'const',
    'pattern',
    'writeOnly',
    'readOnly',
    'patternProperties',
    'prefixItems',
  ],
  ...['additionalProperties', 'unevaluatedProperties', 'supported', 'requested', 'requiredCapabilities'],
];
const EVERY_NAME = new Set([...namesIn(...Object.keys(SCHEMA.$defs)), ...RESULT, ...FORM, ...TASK, ...WORDS]);
const EVERY_SPELLING = new Set([...EVERY_NAME].map(folded));
/** Codes that the revision removed, and those of its own range that it does not define. */
const DEFINED = [-32020, -32021, -32022];

/** `yes` where the message surely is as said, and which fates it may have. */
export function fatesOf(bytes: Uint8Array, place: Place, waiting: Waiting): readonly Fate[] {
  const text = textOf(bytes);
  if (text === undefined) return [refuse('response-readable')];
  const tree = text.startsWith('\ufeff') ? undefined : readTree(text);
  if (tree === undefined) {
    const nothing = place === 'event' && !text.startsWith('\ufeff');
    return nothing ? [{ kind: 'drop' }] : [refuse('response-readable')];
  }
  if (depthOf(tree) > 512 || repeatsName(tree)) return [refuse('response-readable')];
  const value = JSON.parse(text) as Json;
  const readable: Finding = unreadable('response-readable', spelling(value));
  if (readable.holds === 'yes') return [{ kind: 'refuse', finding: readable }];
  const open: readonly Fate[] = readable.holds === 'maybe' ? [{ kind: 'refuse', finding: readable }] : [];
  if (!isMap(value)) return [...open, place === 'event' ? { kind: 'drop' } : refuse(...UNREADABLE)];
  return [...open, ...fatesOfMap(value, tree, text, place, waiting)];
}

function fatesOfMap(
  value: JsonMap,
  tree: Tree,
  text: string,
  place: Place,
  waiting: Waiting,
): readonly Fate[] {
  if (isText(own(value, 'method'))) {
    if (holdsName(value, 'id') || place === 'body') return [refuse(...UNREADABLE)];
    const answers = holdsName(value, 'result') || holdsName(value, 'error');
    const params = own(value, 'params') ?? null;
    const proper = own(value, 'jsonrpc') === '2.0' && !answers && (params === null || isMap(params));
    const fates = notificationFates(value, text, waiting);
    return proper ? fates : [{ kind: 'drop' }, refuse(...UNREADABLE)];
  }
  if (!holdsName(value, 'result') && !holdsName(value, 'error'))
    return place === 'event' ? [{ kind: 'drop' }] : [refuse(...UNREADABLE)];
  return fatesAfter(responseFindings(value, tree, waiting), { kind: 'send', text });
}

function fatesAfter(findings: readonly Finding[], otherwise: Fate): readonly Fate[] {
  const { findings: open, certain } = possible(findings);
  const refusals = open.map((finding): Fate => ({ kind: 'refuse', finding }));
  return certain ? refusals : [...refusals, otherwise];
}

export function refuse(...rules: readonly string[]): Fate {
  return { kind: 'refuse', finding: { rules, code: -32603, statuses: [200, 502], holds: 'yes' } };
}

function unreadable(rule: string, holds: Answer): Finding {
  return { rules: [rule], code: -32603, statuses: [502], holds };
}

const violates: Found = (rule, holds) => ({ rules: [rule], code: -32603, statuses: [200], holds });

/** A letter-case variant where rules read surely counts; anywhere else it may. */
function spelling(value: Json): Answer {
  const result = own(value, 'result');
  const entries = Object.values(mapOf(result, 'inputRequests'));
  const elicitations = entries.filter((entry) => own(entry, 'method') === 'elicitation/create');
  const forms = elicitations.map((entry) => own(own(entry, 'params'), 'requestedSchema'));
  const fields = forms.flatMap((form) => Object.values(mapOf(form, 'properties')));
  const levels: readonly (readonly [Json | undefined, readonly string[]])[] = [
    [value, ENVELOPE],
    [result, RESULT],
    [own(value, 'error'), namesIn('Error')],
    ...entries.map((entry) => [entry, ENTRY] as const),
    ...elicitations.map((entry) => [own(entry, 'params'), ELICITATION] as const),
    ...forms.map((form) => [form, FORM] as const),
    ...fields.map((field) => [field, FIELD] as const),
  ];
  if (levels.some(([map, names]) => hasVariant(map, names))) return 'yes';
  return hasVariantAnywhere(value) ? 'maybe' : 'no';
}

/** Of any name that the protocol knows. */
export function hasVariantAnywhere(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(hasVariantAnywhere);
  if (!isMap(value)) return false;
  return Object.entries(value).some(
    ([name, inner]) =>
      (!EVERY_NAME.has(name) && EVERY_SPELLING.has(folded(name))) ||
      (FREE.includes(name) && isMap(inner)
        ? Object.values(inner).some(hasVariantAnywhere)
        : hasVariantAnywhere(inner)),
  );
}

function notificationFates(value: JsonMap, text: string, { profile, message }: Waiting): readonly Fate[] {
  const params = mapOf(value, 'params');
  const removed = answerOf(own(value, 'method') === 'notifications/elicitation/complete');
  const task = own(value, 'method') === 'notifications/tasks' ? params : undefined;
  const findings = [
    violates(
      'no-removed-message',
      removed === 'yes' || !holdsName(params, 'elicitationId') ? removed : 'maybe',
    ),
    // A request that lacks its id.
    violates('no-server-request', `${own(value, 'method')}`.startsWith('notifications/') ? 'no' : 'maybe'),
    ...taskFindings(task, profile),
    ...askedFindings(own(task, 'inputRequests'), profile, message, violates, () => violates('', 'no')),
    violates('log-level-requested', unaskedLog(value, message)),
    violates('progress-requested', unaskedProgress(value, message)),
  ];
  const undeclared = askedFindings(own(task, 'inputRequests'), profile, message, violates, (holds) =>
    violates('input-request-declared', holds),
  );
  const { findings: open, certain } = possible([...findings, ...undeclared]);
  if (certain) return [{ kind: 'drop' }];
  return open.length > 0 ? [{ kind: 'drop' }, { kind: 'send', text }] : [{ kind: 'send', text }];
}

function unaskedLog(value: JsonMap, { meta }: ClientMessage): Answer {
  if (own(value, 'method') !== 'notifications/message') return 'no';
  const level = own(meta, `${META}logLevel`);
  if (level === undefined) return 'yes';
  return isText(level) ? 'no' : 'maybe';
}

function unaskedProgress(value: JsonMap, { meta }: ClientMessage): Answer {
  if (own(value, 'method') !== 'notifications/progress') return 'no';
  const token = own(meta, 'progressToken');
  const given = own(mapOf(value, 'params'), 'progressToken');
  if (token === undefined || given === undefined || token !== given) return 'yes';
  return isText(token) || Number.isInteger(token) ? 'no' : 'maybe';
}

function responseFindings(value: JsonMap, tree: Tree, { profile, message }: Waiting): readonly Finding[] {
  const result = own(value, 'result');
  const error = own(value, 'error');
  const shape = [
    { rules: UNREADABLE, code: -32603, statuses: [200, 502], holds: misshapen(value) },
    unreadable('response-answers-request', answersAnother(value, tree, message)),
  ];
  if (shape.some(({ holds }) => holds === 'yes')) return shape;
  if (!isMap(result)) return [...shape, violates('no-removed-message', removedCode(own(error, 'code')))];
  return [...shape, ...resultFindings(result, profile, message)];
}

function answersAnother(value: JsonMap, tree: Tree, message: ClientMessage): Answer {
  const id = own(value, 'id');
  if (id !== message.id) return 'yes';
  const given = memberOf(tree, 'id');
  const lexeme = given?.kind === 'number' ? given.lexeme : undefined;
  if (lexeme === undefined || lexeme === message.idText) return 'no';
  return /[.eE]/.test(`${lexeme}${message.idText}`) || lexeme === '-0' || message.idText === '-0'
    ? 'maybe'
    : 'yes';
}

/** One response: a result that is an object, or an error with its code and message. */
function misshapen(value: JsonMap): Answer {
  if (own(value, 'jsonrpc') !== '2.0') return 'yes';
  if (holdsName(value, 'result') && holdsName(value, 'error')) return 'yes';
  if (holdsName(value, 'method')) return 'maybe';
  if (holdsName(value, 'result')) return answerOf(!isMap(own(value, 'result')));
  const error = own(value, 'error');
  return answerOf(!Number.isInteger(own(error, 'code')) || !isText(own(error, 'message')));
}

export function removedCode(code: Json | undefined): Answer {
  if (typeof code !== 'number') return 'no';
  const reserved = code <= -32020 && code >= -32099 && !DEFINED.includes(code);
  return answerOf(reserved || code === -32002);
}

function resultFindings(result: JsonMap, profile: Profile, message: ClientMessage): readonly Finding[] {
  const { method } = message;
  const type = holdsName(result, 'resultType') ? own(result, 'resultType') : 'complete';
  const inTask = method === 'tasks/get' || (method === 'tools/call' && type === 'task');
  const asks = type === 'input_required' || (holdsName(result, 'inputRequests') && !inTask);
  const asked = asks || inTask ? own(result, 'inputRequests') : undefined;
  const ze = profile === 'ze';
  const count = isMap(asked) ? Object.keys(asked).length : 0;
  const manyAnswer: Answer = count > (ze ? 1 : 16) ? (asks ? 'yes' : 'maybe') : 'no';
  const task = inTask ? result : undefined;
  const capability = (rule: string, holds: Answer, data: JsonMap = TASKS_REQUIRED): Finding => ({
    ...{ rules: [rule], code: -32021, statuses: [400], holds, data },
  });
  return [
    violates('no-removed-message', elicitationIds(result, asked)),
    // A task that failed stores its error, and any result may be taken for a task.
    violates('no-removed-message', removedCode(own(own(result, 'error'), 'code')) === 'yes' ? 'maybe' : 'no'),
    violates('result-type-known', unknownType(type, message)),
    violates('task-result-method-allowed', answerOf(type === 'task' && method !== 'tools/call')),
    capability('task-result-declared', answerOf(type === 'task' && !declaresTasks(message))),
    ...taskFindings(task, profile),
    violates('input-required-method-allowed', answerOf(asks && !ASKING.includes(method))),
    violates('input-required-content-present', asks ? contentFaulty(result) : 'no'),
    violates('request-state-issued-none', ze ? issuesState(result, asks) : 'no'),
    violates('input-requests-within-limit', manyAnswer),
    ...askedFindings(asked, profile, message, violates, (holds, required) =>
      capability('input-request-declared', holds, { requiredCapabilities: required }),
    ),
  ];
}

function elicitationIds(result: JsonMap, asked: Json | undefined): Answer {
  const entries = Object.values(isMap(asked) ? asked : {});
  const elicitations = entries.filter((entry) => own(entry, 'method') === 'elicitation/create');
  if (elicitations.some((entry) => holdsName(own(entry, 'params'), 'elicitationId'))) return 'yes';
  return JSON.stringify(result).includes('"elicitationId"') ? 'maybe' : 'no';
}

function unknownType(type: Json | undefined, { capabilities }: ClientMessage): Answer {
  if (type === 'complete' || type === 'input_required' || type === 'task') return 'no';
  const others = Object.entries(mapOf(capabilities, 'extensions')).filter(([name]) => name !== TASKS);
  if (!others.some(([, value]) => isMap(value))) return 'yes';
  return isText(type) ? 'no' : 'maybe';
}

function taskFindings(task: JsonMap | undefined, profile: Profile): readonly Finding[] {
  if (task === undefined) return [];
  const waits = own(task, 'status') === 'input_required';
  const stored = own(task, 'result');
  const asks = own(stored, 'resultType') === 'input_required';
  const hidden = holdsName(stored, 'inputRequests') || asks;
  const complete = own(task, 'status') === 'completed';
  const failed = removedCode(own(own(task, 'error'), 'code')) === 'yes';
  return [
    violates('no-removed-message', failed ? 'maybe' : 'no'),
    violates(
      'task-not-input-required',
      profile === 'ze' ? answerOf(waits, hidden || holdsName(task, 'inputRequests') ? 'maybe' : 'no') : 'no',
    ),
    violates('task-result-complete', answerOf(asks && complete, hidden ? 'maybe' : 'no')),
    violates('input-request-kind-allowed', Array.isArray(own(task, 'inputRequests')) ? 'maybe' : 'no'),
  ];
}

/** What is no string says nothing, unless the result is one whose state is read. */
function issuesState(result: JsonMap, asks: boolean): Answer {
  if (!holdsName(result, 'requestState')) return 'no';
  return answerOf(asks || isText(own(result, 'requestState')), 'maybe');
}

function contentFaulty(result: JsonMap): Answer {
  const asked = own(result, 'inputRequests');
  const state = own(result, 'requestState');
  if (asked !== undefined && !isMap(asked)) return 'yes';
  if (state !== undefined && !isText(state)) return 'yes';
  return answerOf(state === undefined && Object.keys(asked ?? {}).length === 0);
}
