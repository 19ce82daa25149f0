/** The stand-in's methods: every one that it answers with a single reply, by name. */
import { readCapabilities } from '../protocol/capabilities.js';
import {
  META_SERVER_INFO,
  METHOD_DISCOVER,
  METHOD_TASKS_CANCEL,
  METHOD_TASKS_GET,
  METHOD_TASKS_UPDATE,
  METHOD_TOOLS_CALL,
  METHOD_TOOLS_LIST,
  REVISION,
  TASKS_EXTENSION,
} from '../protocol/constants.js';
import { METHOD_NOT_FOUND } from '../protocol/errors.js';
import { type ClientMessage, stringMember } from '../protocol/messages.js';
import { distort } from './misbehave.js';
import { complete, type DemoReply, refuse } from './reply.js';
import { callTool, toolDescriptors, type Workplace } from './tools.js';

const LIST_TTL_MS = 60_000;

type Method = (message: ClientMessage, place: Workplace) => DemoReply;

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  [METHOD_DISCOVER, discover],
  [METHOD_TOOLS_LIST, listTools],
  [METHOD_TOOLS_CALL, callTool],
  [METHOD_TASKS_GET, ofTask((id, { tasks }) => tasks.report(id))],
  [METHOD_TASKS_UPDATE, ofTask((id, { tasks }) => tasks.report(id) && {})],
  [METHOD_TASKS_CANCEL, ofTask((id, { tasks }) => (tasks.cancel(id) ? {} : undefined))],
]);

export function answer(message: ClientMessage, place: Workplace): DemoReply {
  const method = METHODS.get(message.method);
  if (method !== undefined) return method(message, place);
  const error = { code: METHOD_NOT_FOUND, message: 'method not found' };
  return { status: 404, ahead: [], payload: { error } };
}

function discover(message: ClientMessage, { misbehave, tasks }: Workplace): DemoReply {
  const reply = complete({
    supportedVersions: [REVISION],
    capabilities: { tools: { listChanged: true }, extensions: { [TASKS_EXTENSION]: {} } },
    instructions: 'A stand-in for Ze. Call ze_execute without arguments to be asked for a command.',
    ttlMs: LIST_TTL_MS,
    cacheScope: 'public',
    _meta: { [META_SERVER_INFO]: { name: 'ze-demo', title: 'Stand-in for Ze', version: '1.0.0' } },
  });
  return distort(misbehave, METHOD_DISCOVER, reply, message, tasks);
}

function listTools(message: ClientMessage, { misbehave, tasks }: Workplace): DemoReply {
  const tools = toolDescriptors(readCapabilities(message.meta));
  const reply = complete({ tools, ttlMs: LIST_TTL_MS, cacheScope: 'private' });
  return distort(misbehave, METHOD_TOOLS_LIST, reply, message, tasks);
}

function ofTask(read: (id: string, place: Workplace) => ReturnType<Workplace['tasks']['report']>): Method {
  return (message, place) => {
    if (!readCapabilities(message.meta).tasks) {
      const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
      return refuse('missingCapability', 'missing required client capability', { requiredCapabilities });
    }
    const result = read(stringMember(message.params, 'taskId') ?? '', place);
    return result === undefined ? refuse('invalidParams', 'invalid params: unknown task') : complete(result);
  };
}
