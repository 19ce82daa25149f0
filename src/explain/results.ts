/** Rules on what servers answer, whatever it is about. */
import {
  JSON_RPC_VERSION,
  METHOD_ELICIT,
  METHOD_PROMPTS_GET,
  METHOD_TASKS_GET,
  METHOD_TOOLS_LIST,
  RESULT_INPUT_REQUIRED,
  RESULT_TASK,
} from '../protocol/constants.js';
import { REMOVED_CODES } from '../protocol/errors.js';
import type { Explanations } from './example.js';
import { CALL, DONE, NAME_FORM, TASKS, task } from './parts.js';

const TASK_CALL = { ...CALL, capabilities: { ...CALL.capabilities, ...TASKS } };
const POLL = { ...TASK_CALL, method: METHOD_TASKS_GET, params: { taskId: '7f3a' } };

export const RESULTS: Explanations = {
  'response-readable': {
    why: 'What cannot be read cannot be judged. A body that one parser takes for an error and another for a question would pass every other rule.',
    bad: {
      says: 'a page of a proxy in the server’s place',
      request: CALL,
      answer: { type: 'text/html', body: '<h1>Bad gateway</h1>' },
    },
    good: { says: 'one JSON-RPC response', request: CALL, answer: { result: DONE } },
    tune: [['limits: { responseBytes: 33554432 }', 'lets longer answers through']],
  },
  'response-answers-request': {
    why: 'A client knows by the id which request was answered. With another one, and be it "1" instead of 1, it waits until it gives up.',
    bad: {
      says: 'the id as text',
      request: CALL,
      answer: { message: { jsonrpc: JSON_RPC_VERSION, id: '1', result: DONE } },
    },
    good: { says: 'the id as it was sent', request: CALL, answer: { result: DONE } },
  },
  'no-server-request': {
    why: 'Up to the revision before this one servers asked by requests of their own. A client of this one has no way to answer them, and none of the rules on questions would see them.',
    bad: {
      says: 'a question as a request of its own',
      request: CALL,
      answer: {
        event: 'later',
        message: {
          jsonrpc: JSON_RPC_VERSION,
          id: 's-1',
          method: METHOD_ELICIT,
          params: { message: 'For whom?' },
        },
      },
    },
    good: {
      says: 'the same question inside a result',
      request: CALL,
      answer: {
        event: 'later',
        result: { resultType: RESULT_INPUT_REQUIRED, inputRequests: { guest: NAME_FORM } },
      },
    },
  },
  'no-removed-message': {
    why: 'Clients of this revision do not know what it removed: they fail at such an error, or wait for a notification that means nothing to them.',
    bad: {
      says: 'the error that once asked for a page to be visited',
      request: CALL,
      answer: { error: { code: Math.min(...REMOVED_CODES), message: 'URL elicitation required' } },
    },
    good: {
      says: 'an error that the revision defines',
      request: CALL,
      answer: { error: { code: -32_602, message: 'Unknown tool' } },
    },
  },
  'result-type-known': {
    why: 'The type decides how a result is read. A client that does not know it must take the result for invalid, and one that is lenient takes a question for an answer.',
    bad: {
      says: 'a type that nobody defined',
      request: CALL,
      answer: { result: { resultType: 'ask_again_later' } },
    },
    good: { says: 'a type of the revision', request: CALL, answer: { result: DONE } },
  },
  'result-type-present': {
    why: 'Without a type the result is taken for complete, also when the server meant something else.',
    bad: {
      says: 'a result without a type',
      request: CALL,
      answer: { result: { content: [{ type: 'text', text: 'Booked.' }] } },
    },
    good: { says: 'a result that says what it is', request: CALL, answer: { result: DONE } },
  },
  'task-result-method-allowed': {
    why: 'The extension lets a tool’s work go on as a task, and nothing else. Clients do not look for a task where none can be.',
    bad: {
      says: 'a prompt answered with a task',
      request: { method: METHOD_PROMPTS_GET, params: { name: 'review' }, capabilities: TASKS },
      answer: { result: { resultType: RESULT_TASK, ...task({}) } },
    },
    good: {
      says: 'a tool answered with a task',
      request: TASK_CALL,
      answer: { result: { resultType: RESULT_TASK, ...task({}) } },
    },
  },
  'task-result-declared': {
    why: 'A client that does not know tasks takes the handle for the result, and the work is lost to it.',
    bad: {
      says: 'a task for a client that did not declare the extension on this request',
      request: CALL,
      answer: { result: { resultType: RESULT_TASK, ...task({}) } },
    },
    good: {
      says: 'a task for one that did',
      request: TASK_CALL,
      answer: { result: { resultType: RESULT_TASK, ...task({}) } },
    },
  },
  'task-not-input-required': {
    why: 'A task runs when nobody waits at the client any more. In the manner of Ze a tool asks before it becomes a task, so that whoever is asked is whoever called.',
    route: { profile: 'ze' },
    bad: {
      says: 'a task that waits for its user',
      request: POLL,
      answer: {
        result: {
          resultType: 'complete',
          ...task({ status: RESULT_INPUT_REQUIRED, inputRequests: { guest: NAME_FORM } }),
        },
      },
    },
    good: {
      says: 'a task that works',
      request: POLL,
      answer: { result: { resultType: 'complete', ...task({}) } },
    },
  },
  'task-result-complete': {
    why: 'A stored result is read when the call that it belongs to is long over: nobody can retry it with an answer.',
    bad: {
      says: 'a finished task whose result is a question',
      request: POLL,
      answer: {
        result: {
          resultType: 'complete',
          ...task({
            status: 'completed',
            result: { resultType: RESULT_INPUT_REQUIRED, requestState: 'c2Vzc2lvbg' },
          }),
        },
      },
    },
    good: {
      says: 'a finished task with its result',
      request: POLL,
      answer: { result: { resultType: 'complete', ...task({ status: 'completed', result: DONE }) } },
    },
  },
  'input-required-method-allowed': {
    why: 'Clients retry three requests with answers and no others. A list or a discovery that asks something is never completed.',
    bad: {
      says: 'a list that asks first',
      request: { method: METHOD_TOOLS_LIST, params: {}, capabilities: CALL.capabilities ?? {} },
      answer: { result: { resultType: RESULT_INPUT_REQUIRED, inputRequests: { guest: NAME_FORM } } },
    },
    good: {
      says: 'a tool that asks first',
      request: CALL,
      answer: { result: { resultType: RESULT_INPUT_REQUIRED, inputRequests: { guest: NAME_FORM } } },
    },
  },
};
