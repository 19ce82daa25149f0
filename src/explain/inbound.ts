/** Rules on what clients send. */
import { META_CLIENT_CAPABILITIES, META_PROTOCOL_VERSION, METHOD_TASKS_GET } from '../protocol/constants.js';
import type { Example, Explanations } from './example.js';
import { CALL, form, NAME_FORM, page, TASKS } from './parts.js';

const SEAL = { requestState: 'seal' } as const;

/** A retry under a sealed state. */
function retry(says: string, sealedFor: NonNullable<Example['sealedFor']>, answer: object): Example {
  const inputResponses = { guest: answer as never };
  const params = { name: 'book_table', arguments: {}, requestState: '(sealed)', inputResponses };
  return { says, sealedFor, request: { ...CALL, params } };
}

function answers(says: string, answer: object): Example {
  const params = { name: 'book_table', arguments: {}, inputResponses: { guest: answer as never } };
  return { says, request: { ...CALL, params } };
}

export const INBOUND_EXPLANATIONS: Explanations = {
  'headers-match-body': {
    why: 'Proxies and firewalls decide by the fields, servers by the body. Where the two differ, a call that was let through as one tool runs another.',
    bad: {
      says: 'one tool in the field, another one in the body',
      request: { params: { name: 'erase_log', arguments: {} }, headers: { 'Mcp-Name': 'read_log' } },
    },
    good: { says: 'the same tool in both', request: { params: { name: 'read_log', arguments: {} } } },
  },
  'protocol-version-supported': {
    why: 'Earlier revisions ask by requests of the server and by a handshake, past all that is judged here. A client that is told which versions are spoken can choose one.',
    bad: {
      says: 'an earlier revision',
      request: {
        headers: { 'MCP-Protocol-Version': '2025-11-25' },
        meta: { [META_PROTOCOL_VERSION]: '2025-11-25' },
      },
    },
    good: { says: 'this revision' },
    tune: [['routes: [{ legacy: pass }]', 'lets earlier revisions through, their forms still judged']],
  },
  'request-meta-present': {
    why: 'There is no handshake: what a client can do is known from each request, or not at all. A server that guesses asks clients what they cannot answer.',
    bad: {
      says: 'a request that does not say what its client can do',
      request: { meta: { [META_CLIENT_CAPABILITIES]: undefined } },
    },
    good: {
      says: 'a request of a client that can do nothing beyond the protocol',
      request: { capabilities: {} },
    },
  },
  'request-state-accepted': {
    why: 'A requestState comes back through the client, who may make one up, keep it, or give it to somebody else. A server that issues none has no use for one; a server that does can be sure of it only when it was sealed.',
    route: { profile: 'ze' },
    bad: {
      says: 'a state on a route that forbids any (profile ze)',
      request: { ...CALL, params: { name: 'book_table', arguments: {}, requestState: 'c2Vzc2lvbg' } },
    },
    good: {
      says: 'a retry without one',
      request: { ...CALL, params: { name: 'book_table', arguments: {}, inputResponses: {} } },
    },
    tune: [
      ['routes: [{ requestState: relay }]', 'lets states pass as they are, both ways'],
      [
        'routes: [{ requestState: seal }]',
        'lets them pass encrypted, for the caller and the call that they were made for',
      ],
    ],
  },
  'input-responses-shape': {
    why: 'Servers read answers as they were asked. An action that nobody defined, or content that nests, makes each server decide for itself what the user meant.',
    bad: answers('an action that the revision does not know', { action: 'confirm' }),
    good: answers('one that it does', { action: 'accept', content: { name: 'Ada' } }),
  },
  'answer-matches-kind': {
    why: 'What was asked is known from the sealed state. An answer of another kind cannot be one to it: a server that reads it all the same takes a model’s words for a user’s, or the other way about.',
    route: SEAL,
    bad: retry('a form is answered with roots', { guest: NAME_FORM }, { roots: [] }),
    good: retry('a form is answered by its user', { guest: NAME_FORM }, { action: 'decline' }),
  },
  'answer-matches-mode': {
    why: 'URL mode is there so that what the user enters never passes through the client. Content in its answer means that it did, or that the client takes consent for completion.',
    route: SEAL,
    bad: retry(
      'content in the answer to a page',
      { guest: page('https://accounts.example/connect') },
      {
        action: 'accept',
        content: { done: true },
      },
    ),
    good: retry(
      'consent, and nothing else',
      { guest: page('https://accounts.example/connect') },
      { action: 'accept' },
    ),
  },
  'answer-matches-schema': {
    why: 'A form says what its answers look like, and servers rely on that. Without this rule each of them has to check again what the client was told.',
    route: SEAL,
    bad: retry(
      'a number where the form asks for at most 12',
      { guest: form({ seats: { type: 'integer', maximum: 12 } }) },
      {
        action: 'accept',
        content: { seats: 400 },
      },
    ),
    good: retry(
      'a number within the bounds',
      { guest: form({ seats: { type: 'integer', maximum: 12 } }) },
      {
        action: 'accept',
        content: { seats: 4 },
      },
    ),
  },
  'tasks-request-declared': {
    why: 'Tasks are an extension: a client that does not declare it cannot know what the answer means.',
    bad: {
      says: 'a question about a task, without the extension',
      request: { method: METHOD_TASKS_GET, params: { taskId: '7f3a' } },
    },
    good: {
      says: 'the same from a client that declares it',
      request: { method: METHOD_TASKS_GET, params: { taskId: '7f3a' }, capabilities: TASKS },
    },
  },
  'param-headers-legal': {
    why: 'Fields that mirror arguments are read by proxies. Characters that a field cannot hold are read differently by each of them.',
    bad: {
      says: 'a value that calls itself Base64 and is none',
      request: { headers: { 'Mcp-Param-Region': '=?base64?%%%?=' } },
    },
    good: {
      says: 'a value that is Base64 of UTF-8',
      request: { headers: { 'Mcp-Param-Region': '=?base64?WsO8cmljaA==?=' } },
    },
  },
};
