/** The ways in which the stand-in can be told to break the rules, one rule a way, so that an operator sees each refused. */
import { readCapabilities } from '../protocol/capabilities.js';
import {
  JSON_RPC_VERSION,
  METHOD_DISCOVER,
  METHOD_ELICIT,
  METHOD_SAMPLE,
  METHOD_TOOLS_LIST,
  NOTIFICATION_MESSAGE,
  RESULT_TASK,
  REVISION,
} from '../protocol/constants.js';
import { REMOVED_CODES } from '../protocol/errors.js';
import { type ClientMessage, type JsonObject, objectMember } from '../protocol/messages.js';
import { ASK_KEY, askForCommand } from './ask.js';
import { type DemoReply, notification } from './reply.js';
import type { DemoTasks } from './tasks.js';

/** When a way applies: as ze_execute asks, as it cannot ask this client, or on a method's result. */
export type Occasion = 'ask' | 'no-form' | typeof METHOD_TOOLS_LIST | typeof METHOD_DISCOVER;

export interface Distortion {
  /** What the stand-in then does, for the command's help. */
  readonly says: string;
  readonly on: Occasion;
  readonly distort: (reply: DemoReply, message: ClientMessage, tasks: DemoTasks) => DemoReply;
}

export const MISBEHAVIOURS = {
  'credential-field': {
    says: 'ze_execute asks for an api_key in its form',
    on: 'ask',
    distort: (reply) =>
      withForm(reply, (form) => ({
        ...form,
        properties: { ...objectMember(form, 'properties'), api_key: { type: 'string', title: 'API key' } },
      })),
  },
  'nested-form': {
    says: 'ze_execute asks for an object inside its form',
    on: 'ask',
    distort: (reply) =>
      withForm(reply, (form) => ({
        ...form,
        properties: {
          ...objectMember(form, 'properties'),
          options: { type: 'object', properties: { family: { type: 'string' } } },
        },
      })),
  },
  'url-mode': {
    says: 'ze_execute sends the user to a URL instead of asking by form',
    on: 'ask',
    distort: (reply) =>
      withRequests(reply, () => ({
        [ASK_KEY]: {
          method: METHOD_ELICIT,
          params: { mode: 'url', message: 'Choose the command here', url: 'https://ze.example/commands' },
        },
      })),
  },
  sampling: {
    says: 'ze_execute asks the model of the client to choose the command',
    on: 'ask',
    distort: (reply) =>
      withRequests(reply, () => ({
        [ASK_KEY]: {
          method: METHOD_SAMPLE,
          params: {
            messages: [{ role: 'user', content: { type: 'text', text: 'Which ze command should be run?' } }],
            maxTokens: 50,
          },
        },
      })),
  },
  'two-requests': {
    says: 'ze_execute asks two things at once',
    on: 'ask',
    distort: (reply) =>
      withRequests(reply, (requests) => ({
        ...requests,
        ze_execute_again: objectMember(requests, ASK_KEY) ?? {},
      })),
  },
  'request-state': {
    says: 'ze_execute issues a requestState with its ask',
    on: 'ask',
    distort: (reply) => withResult(reply, (result) => ({ ...result, requestState: 'ze-demo-state' })),
  },
  'task-input-required': {
    says: 'ze_execute asks from inside a task (to a client that declares the tasks extension)',
    on: 'ask',
    distort: (reply, message, tasks) => {
      if (!readCapabilities(message.meta).tasks) return reply;
      const asking = {
        status: 'input_required',
        inputRequests: objectMember(resultOf(reply), 'inputRequests') ?? {},
      };
      const task = tasks.begin({ content: [], isError: true }, asking);
      return withResult(reply, () => ({ resultType: RESULT_TASK, ...task }));
    },
  },
  'server-request': {
    says: 'ze_execute sends elicitation/create as a request of its own on the stream, then asks properly',
    on: 'ask',
    distort: (reply) => {
      const params = objectMember(askRequests(reply), ASK_KEY)?.params ?? {};
      const request = { jsonrpc: JSON_RPC_VERSION, id: 'ze-demo-1', method: METHOD_ELICIT, params };
      return { ...reply, ahead: [...reply.ahead, request] };
    },
  },
  'unasked-log': {
    says: 'ze_execute logs on the stream although no log level was requested, then asks properly',
    on: 'ask',
    distort: (reply) => {
      const log = notification(NOTIFICATION_MESSAGE, { level: 'info', data: 'asking for a command' });
      return { ...reply, ahead: [...reply.ahead, log] };
    },
  },
  'wrong-id': {
    says: 'ze_execute answers with an id that nobody sent',
    on: 'ask',
    distort: (reply) => ({ ...reply, idText: '"ze-demo-unknown"' }),
  },
  'unknown-result-type': {
    says: 'ze_execute answers with a resultType that the revision does not know',
    on: 'ask',
    distort: (reply) => withResult(reply, () => ({ resultType: 'ask_again_later' })),
  },
  'removed-code': {
    says: 'ze_execute answers with an error code that the revision removed',
    on: 'ask',
    distort: (reply) => {
      const code = Math.min(...REMOVED_CODES);
      return { ...reply, payload: { error: { code, message: 'elicitation required' } } };
    },
  },
  'ignore-capabilities': {
    says: 'ze_execute asks by form although the client did not declare it',
    on: 'no-form',
    distort: () => askForCommand(),
  },
  'list-required-missing': {
    says: 'tools/list never says that ze_execute requires its command',
    on: METHOD_TOOLS_LIST,
    distort: (reply) =>
      withResult(reply, (result) => {
        const tools = Array.isArray(result.tools) ? (result.tools as readonly JsonObject[]) : [];
        return { ...result, tools: tools.map(withoutRequired) };
      }),
  },
  'public-list': {
    says: 'tools/list says that its answer may be shared between callers',
    on: METHOD_TOOLS_LIST,
    distort: (reply) => withResult(reply, (result) => ({ ...result, cacheScope: 'public' })),
  },
  'old-version': {
    says: 'server/discover offers an earlier revision too',
    on: METHOD_DISCOVER,
    distort: (reply) =>
      withResult(reply, (result) => ({ ...result, supportedVersions: [REVISION, '2025-11-25'] })),
  },
} as const satisfies Record<string, Distortion>;

export type Misbehaviour = keyof typeof MISBEHAVIOURS;

const BY_NAME: ReadonlyMap<string, Distortion> = new Map(Object.entries(MISBEHAVIOURS));

export function isMisbehaviour(name: string): name is Misbehaviour {
  return BY_NAME.has(name);
}

/** The reply as the chosen ways leave it, in the order in which they were chosen. */
export function distort(
  chosen: ReadonlySet<Misbehaviour>,
  occasion: Occasion,
  reply: DemoReply,
  message: ClientMessage,
  tasks: DemoTasks,
): DemoReply {
  let left = reply;
  for (const name of chosen) {
    const way: Distortion = MISBEHAVIOURS[name];
    if (way.on === occasion) left = way.distort(left, message, tasks);
  }
  return left;
}

function resultOf(reply: DemoReply): JsonObject {
  return 'result' in reply.payload ? reply.payload.result : {};
}

function askRequests(reply: DemoReply): JsonObject {
  return objectMember(resultOf(reply), 'inputRequests') ?? {};
}

function withResult(reply: DemoReply, edit: (result: JsonObject) => JsonObject): DemoReply {
  return { ...reply, payload: { result: edit(resultOf(reply)) } };
}

function withRequests(reply: DemoReply, edit: (requests: JsonObject) => JsonObject): DemoReply {
  return withResult(reply, (result) => ({ ...result, inputRequests: edit(askRequests(reply)) }));
}

function withForm(reply: DemoReply, edit: (form: JsonObject) => JsonObject): DemoReply {
  return withRequests(reply, (requests) => {
    const ask = objectMember(requests, ASK_KEY) ?? {};
    const params = objectMember(ask, 'params') ?? {};
    const requestedSchema = edit(objectMember(params, 'requestedSchema') ?? {});
    return { ...requests, [ASK_KEY]: { ...ask, params: { ...params, requestedSchema } } };
  });
}

function withoutRequired(tool: JsonObject): JsonObject {
  const { required: _, ...inputSchema } = objectMember(tool, 'inputSchema') ?? {};
  return { ...tool, inputSchema };
}
