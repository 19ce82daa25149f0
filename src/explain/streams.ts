/** Rules on caching, and on what a stream carries beside the response. */
import {
  JSON_RPC_VERSION,
  META_LOG_LEVEL,
  META_SUBSCRIPTION_ID,
  METHOD_LISTEN,
  METHOD_TOOLS_LIST,
  NOTIFICATION_ACKNOWLEDGED,
  NOTIFICATION_MESSAGE,
  NOTIFICATION_PROGRESS,
  NOTIFICATION_PROMPTS_CHANGED,
  NOTIFICATION_TOOLS_CHANGED,
} from '../protocol/constants.js';
import type { JsonObject } from '../protocol/messages.js';
import type { AnswerExample, Explanations } from './example.js';
import { CALL } from './parts.js';

const LISTEN = { method: METHOD_LISTEN, params: { notifications: { toolsListChanged: true } } };
const LIST = { method: METHOD_TOOLS_LIST, params: {} };
const TAG = { _meta: { [META_SUBSCRIPTION_ID]: 1 } };

function notification(
  method: string,
  params: JsonObject,
  event: AnswerExample['event'] = 'later',
): AnswerExample {
  return { event, message: { jsonrpc: JSON_RPC_VERSION, method, params } };
}

export const STREAMS: Explanations = {
  'cache-hints-present': {
    why: 'Without hints a client asks again each time, or keeps a list for ever. A list that depends on what its client declared must not be given to another one.',
    bad: {
      says: 'a list that does not say how long it is good for',
      request: LIST,
      answer: { result: { resultType: 'complete', tools: [] } },
    },
    good: {
      says: 'a list for one minute and one client',
      request: LIST,
      answer: { result: { resultType: 'complete', tools: [], ttlMs: 60_000, cacheScope: 'private' } },
    },
    tune: [['routes: [{ listTtlMs: 60000 }]', 'caps how long lists that depend on the client may be kept']],
  },
  'log-level-requested': {
    why: 'Log messages cost the client room and may say more than it should see. It says on each request whether it wants them, and from which level on.',
    bad: {
      says: 'a log message that nobody asked for',
      request: CALL,
      answer: notification(NOTIFICATION_MESSAGE, { level: 'info', data: 'looking for a table' }),
    },
    good: {
      says: 'the same for a request that asks for it',
      request: { ...CALL, meta: { [META_LOG_LEVEL]: 'info' } },
      answer: notification(NOTIFICATION_MESSAGE, { level: 'info', data: 'looking for a table' }),
    },
  },
  'progress-requested': {
    why: 'Progress belongs to the request whose token it names. Under another token it moves the bar of another call.',
    bad: {
      says: 'progress of another request',
      request: { ...CALL, meta: { progressToken: 'mine' } },
      answer: notification(NOTIFICATION_PROGRESS, { progressToken: 'yours', progress: 1 }),
    },
    good: {
      says: 'progress of this one',
      request: { ...CALL, meta: { progressToken: 'mine' } },
      answer: notification(NOTIFICATION_PROGRESS, { progressToken: 'mine', progress: 1 }),
    },
  },
  'listen-acknowledged-first': {
    why: 'The acknowledgement says which part of the filter the server keeps to. What comes before it is about a subscription that the client does not know to be there.',
    bad: {
      says: 'a change before the acknowledgement',
      request: LISTEN,
      answer: notification(NOTIFICATION_TOOLS_CHANGED, TAG, 'first'),
    },
    good: {
      says: 'the acknowledgement',
      request: LISTEN,
      answer: notification(
        NOTIFICATION_ACKNOWLEDGED,
        { ...TAG, notifications: { toolsListChanged: true } },
        'first',
      ),
    },
  },
  'listen-tagged': {
    why: 'A client may have several subscriptions: by the id it knows which of them a change belongs to.',
    bad: {
      says: 'a change without the id',
      request: LISTEN,
      answer: notification(NOTIFICATION_TOOLS_CHANGED, {}),
    },
    good: {
      says: 'a change with it',
      request: LISTEN,
      answer: notification(NOTIFICATION_TOOLS_CHANGED, TAG),
    },
  },
  'listen-filtered': {
    why: 'A subscription is for what its client asked for. Anything else may be about resources that it should not hear of.',
    bad: {
      says: 'a change of another kind',
      request: LISTEN,
      answer: notification(NOTIFICATION_PROMPTS_CHANGED, TAG),
    },
    good: {
      says: 'a change of the kind that was asked for',
      request: LISTEN,
      answer: notification(NOTIFICATION_TOOLS_CHANGED, TAG),
    },
  },
};
