/** Marked values for every place in which a peer can put one, and the exchanges that carry them. */
import type { CallOptions } from './client.js';
import { jsonReply, type Reply, resultReply, sseEvent, sseReply, type UpstreamRequest } from './upstream.js';

/** Letters and digits alone, so that no escaping and no encoding of texts changes them. */
export const CANARY = {
  credential: 'cAnArYcredential7f3a',
  cookie: 'cAnArYcookie7f3a',
  field: 'cAnArYfield7f3a',
  state: 'cAnArYstate7f3a',
  answer: 'cAnArYanswer7f3a',
  argument: 'cAnArYargument7f3a',
  result: 'cAnArYresult7f3a',
  question: 'cAnArYquestion7f3a',
  issued: 'cAnArYissued7f3a',
  problem: 'cAnArYproblem7f3a',
} as const;
export const HEADERS = {
  authorization: `Bearer ${CANARY.credential}`,
  cookie: CANARY.cookie,
  'x-field': CANARY.field,
};
export const ANSWERS = { which: { action: 'accept', content: { text: CANARY.answer } } };
export const RETRY = { requestState: CANARY.state, inputResponses: ANSWERS };

export const done = { resultType: 'complete', content: [{ type: 'text', text: CANARY.result }] };

function asking(properties: object, more: object = {}): object {
  const requestedSchema = { type: 'object', properties };
  const params = { mode: 'form', message: CANARY.question, requestedSchema };
  const inputRequests = { which: { method: 'elicitation/create', params } };
  return { resultType: 'input_required', inputRequests, ...more };
}

const TEXT = { text: { type: 'string', title: CANARY.question } };
const RESPONSE = (id: unknown, result: unknown = done) => ({ jsonrpc: '2.0', id, result });
const PROGRESS = { jsonrpc: '2.0', method: 'notifications/progress', params: { message: CANARY.result } };

/** How the upstream answers a call of the tool of this name. */
export const TOOLS: Readonly<Record<string, (request: UpstreamRequest) => Reply>> = {
  done: (request) => resultReply(request, done),
  stream: (request) => sseReply([sseEvent(PROGRESS), sseEvent(RESPONSE(request.json().id))]),
  ask: (request) => resultReply(request, asking(TEXT)),
  issue: (request) => resultReply(request, asking(TEXT, { requestState: CANARY.issued })),
  credential: (request) => resultReply(request, asking({ password: { type: 'string' } })),
  nested: (request) => resultReply(request, asking({ a: { type: 'object', default: CANARY.question } })),
  'late-refusal': (request) =>
    sseReply([sseEvent(PROGRESS), sseEvent(RESPONSE(request.json().id, asking({ password: {} })))]),
  'server-request': () => sseReply([sseEvent({ jsonrpc: '2.0', id: CANARY.question, method: 'roots/list' })]),
  'tool-error': (request) => resultReply(request, { ...done, isError: true }),
  'rpc-error': (request) =>
    jsonReply({ jsonrpc: '2.0', id: request.json().id, error: { code: -32000, message: CANARY.problem } }),
  'removed-code': (request) =>
    jsonReply({ jsonrpc: '2.0', id: request.json().id, error: { code: -32042, message: CANARY.problem } }),
  'other-id': () => jsonReply(RESPONSE(CANARY.result)),
  html: () => ({ headers: { 'content-type': 'text/html', 'x-field': CANARY.field }, body: CANARY.problem }),
  half: () => jsonReply(`{"jsonrpc":"2.0","result":"${CANARY.result}`),
  twice: () => jsonReply(`{"jsonrpc":"2.0","id":1,"result":{"a":"${CANARY.result}","a":1}}`),
  cut: () => ({ ...sseReply([sseEvent(PROGRESS)], 'destroy') }),
  redirect: () => ({ status: 302, headers: { location: `https://${CANARY.problem}.example/` } }),
  'no-http': () => ({ raw: CANARY.problem }),
  reset: () => ({ raw: '' }),
  never: () => ({ never: true }),
};

export const REFUSED_OUTBOUND = [
  ...[
    'credential',
    'nested',
    'late-refusal',
    'server-request',
    'removed-code',
    'other-id',
    'html',
    'half',
    'twice',
  ],
  ...['cut', 'redirect', 'no-http', 'reset', 'issue'],
];

/** Bodies that are no message, or not one alone; each holds canaries. */
export function brokenBodies(body: string): readonly string[] {
  return [
    body.slice(0, -2),
    `${body}${CANARY.argument}`,
    `[${body}]`,
    body.replace('{', `{"method":"${CANARY.argument}",`),
    body.replace('{', `{"Method":"${CANARY.argument}",`),
    body.replace('"2.0"', `"${CANARY.argument}"`),
    `{"jsonrpc":"2.0","id":1,"result":{"a":"${CANARY.answer}"}}`,
    body.replace('"id":1', `"id":{"a":"${CANARY.argument}"}`),
    `\ufeff${body}`,
    body.replace(CANARY.argument, CANARY.argument.repeat(5000)),
    `${'['.repeat(600)}"${CANARY.argument}"`,
  ];
}

/** What is wrong with each of these calls stands in what it sends beside the usual. */
export const REFUSED_INBOUND: readonly (readonly [string, CallOptions])[] = [
  ['forbid', { params: RETRY }],
  ['forbid', { params: { requestState: { a: CANARY.state } } }],
  ['seal', { params: RETRY }],
  ['seal', { params: { requestState: `mgw1.${CANARY.state}`, inputResponses: ANSWERS } }],
  ['relay', { params: { inputResponses: { which: { action: CANARY.answer } } } }],
  [
    'relay',
    { params: { inputResponses: { which: { action: 'accept', content: { a: { b: CANARY.answer } } } } } },
  ],
  ['relay', { params: { inputResponses: CANARY.answer } }],
  ['relay', { headers: { 'mcp-name': CANARY.argument } }],
  ['relay', { headers: { 'mcp-name': `=?base64?${CANARY.argument}!?=` } }],
  ['relay', { headers: { 'mcp-method': CANARY.argument } }],
  ['relay', { headers: { 'mcp-protocol-version': undefined } }],
  ['relay', { headers: { origin: `https://${CANARY.field}.example` } }],
  ['relay', { headers: { 'content-type': `text/${CANARY.field}` } }],
  ['relay', { headers: { 'content-encoding': CANARY.field } }],
  ['relay', { meta: { 'io.modelcontextprotocol/clientCapabilities': CANARY.argument } }],
  ['named', {}],
];
