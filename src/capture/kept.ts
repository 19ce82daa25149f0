/** What a redacted capture keeps of messages: what the protocol itself says, and what rules judge. */
import {
  JSON_RPC_VERSION,
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  META_PROTOCOL_VERSION,
  META_SERVER_INFO,
  META_SUBSCRIPTION_ID,
  RESULT_COMPLETE,
  RESULT_INPUT_REQUIRED,
  RESULT_TASK,
} from '../protocol/constants.js';
import { type ClientMessage, member } from '../protocol/messages.js';
import { type Echoes, each, type Keep, members, words } from './redact.js';

const VERSION = words(JSON_RPC_VERSION);
const INFO = members({ name: 'short', version: 'short' });
/** Capabilities are objects: that they are there is what they say. */
const META = {
  [META_PROTOCOL_VERSION]: 'short',
  [META_CLIENT_INFO]: INFO,
  [META_SERVER_INFO]: INFO,
  [META_CLIENT_CAPABILITIES]: 'mask',
  [META_LOG_LEVEL]: words('debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'),
  traceparent: 'short',
} as const satisfies Record<string, Keep>;
const FILTER = members({
  toolsListChanged: 'keep',
  promptsListChanged: 'keep',
  resourcesListChanged: 'keep',
  resourceSubscriptions: each('uri'),
});
/** Of an answer its action; whatever stands beside it is the user's. */
const ANSWERS = each(members({ action: words('accept', 'decline', 'cancel') }));

export const REQUEST: Keep = members({
  jsonrpc: VERSION,
  id: 'short',
  method: 'short',
  params: members({
    _meta: members({ ...META, progressToken: 'short' }),
    name: 'short',
    uri: 'uri',
    protocolVersion: 'short',
    notifications: FILTER,
    inputResponses: ANSWERS,
  }),
});

/** What an answer may repeat of its request. */
export function echoesOf({ id, meta }: ClientMessage): Echoes {
  const token = member(meta, 'progressToken');
  return [id?.value, token].filter((value) => typeof value === 'string' || typeof value === 'number');
}

/** A form, but for what it is filled in with. */
const FIELD = members({ default: 'mask', examples: 'mask' }, 'keep');
const FORM = members({ properties: each(FIELD), default: 'mask', examples: 'mask' }, 'keep');
const MODE = words('form', 'url');
const ASKED = each(
  members({
    method: 'short',
    params: members({ mode: MODE, message: 'keep', requestedSchema: FORM, url: 'link', maxTokens: 'keep' }),
  }),
);
const ANSWER_META = members({ ...META, progressToken: 'echo', [META_SUBSCRIPTION_ID]: 'echo' });
const TOOL = members({
  name: 'short',
  inputSchema: members({ type: 'short', required: each('short'), properties: each('mask') }),
});

const RESULT = {
  _meta: ANSWER_META,
  resultType: words(RESULT_COMPLETE, RESULT_INPUT_REQUIRED, RESULT_TASK),
  inputRequests: ASKED,
  ttlMs: 'keep',
  cacheScope: words('public', 'private'),
  supportedVersions: each('short'),
  capabilities: 'mask',
  isError: 'keep',
  status: words('working', RESULT_INPUT_REQUIRED, 'completed', 'failed', 'cancelled'),
  pollIntervalMs: 'keep',
  content: each(members({ type: 'short' })),
  contents: each(members({ uri: 'uri', mimeType: 'short' })),
  tools: each(TOOL),
  prompts: each(members({ name: 'short' })),
  resources: each(members({ name: 'short', uri: 'uri' })),
} as const satisfies Record<string, Keep>;
/** Of a task: what its request came to. */
const STORED = { result: members(RESULT), error: members({ code: 'keep' }) } as const;

export const ANSWER: Keep = members({
  jsonrpc: VERSION,
  id: 'echo',
  method: 'short',
  result: members({ ...RESULT, ...STORED }),
  error: members({
    code: 'keep',
    data: members({ supported: each('short'), requested: 'short', requiredCapabilities: 'mask' }),
  }),
  params: members({
    ...RESULT,
    ...STORED,
    progressToken: 'echo',
    requestId: 'echo',
    uri: 'uri',
    notifications: FILTER,
    // A request of the server's own, as earlier revisions had them.
    mode: MODE,
    requestedSchema: FORM,
    url: 'link',
  }),
});
