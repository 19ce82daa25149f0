import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type CallOptions, callTool, FORM, requestHeaders, requestText } from '../support/client.js';
import { type Gateway, startPair } from '../support/pair.js';
import { type RawAnswer, rawRequest, sendRaw } from '../support/raw.js';
import { resultReply } from '../support/upstream.js';

const CANARY = 'cAnArY-7f3a';

/** What the observer was told of decisions: findings alone, since an exchange that it is given along holds what was sent. */
function findings({ told }: Gateway): string {
  const decided = told.filter(({ event }) => event === 'decided').map(({ args }) => args[3]);
  return inspect(decided, { depth: 20 });
}

function expectSilence(text: string, gateway: Gateway): void {
  expect(text).not.toContain(CANARY);
  expect(findings(gateway)).not.toContain(CANARY);
  expect(inspect(gateway.errors, { depth: 20 })).not.toContain(CANARY);
}

function lines(headers: Record<string, string>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

const FIELDS = lines(requestHeaders('tools/call', { params: { name: 'echo' } }));
const BODY = requestText('tools/call', { params: { name: 'echo', arguments: { text: CANARY } } });

function without(name: string, ...fields: readonly string[]): string[] {
  return [...FIELDS.filter((field) => !field.toLowerCase().startsWith(`${name}:`)), ...fields];
}

const REQUESTS: readonly (readonly [string, Buffer])[] = [
  ['an unknown path', rawRequest(`GET /${CANARY}?${CANARY}`, [`Cookie: ${CANARY}`])],
  ['a disguised path', rawRequest(`POST /mcp/${CANARY}`, FIELDS, BODY)],
  ['another host in the target', rawRequest(`POST http://${CANARY}/mcp`, FIELDS, BODY)],
  ['another method', rawRequest(`DELETE /mcp?${CANARY}`, [`Authorization: Bearer ${CANARY}`])],
  ['a method that nobody knows', rawRequest(`${CANARY.toUpperCase()} /mcp`)],
  ['a foreign origin', rawRequest('POST /mcp', [...FIELDS, `Origin: https://${CANARY}.example`], BODY)],
  ['a foreign host', rawRequest('POST /mcp', [...FIELDS, `Host: ${CANARY}.example`], BODY)],
  [
    'an odd media type',
    rawRequest('POST /mcp', without('content-type', `Content-Type: text/${CANARY}`), BODY),
  ],
  ['an odd coding', rawRequest('POST /mcp', [...FIELDS, `Content-Encoding: ${CANARY}`], BODY)],
  ['an odd expectation', rawRequest('POST /mcp', [...FIELDS, `Expect: ${CANARY}`], BODY)],
  ['an odd Connection field', rawRequest('POST /mcp', [...FIELDS, `Connection: close, mcp-${CANARY}`], BODY)],
  [
    'a WebSocket',
    rawRequest('GET /mcp', [
      'Upgrade: websocket',
      'Connection: close, Upgrade',
      `Sec-WebSocket-Key: ${CANARY}`,
    ]),
  ],
  ['text', rawRequest('POST /mcp', FIELDS, CANARY)],
  ['half of JSON', rawRequest('POST /mcp', FIELDS, BODY.slice(0, -1))],
  ['a variant of a name', rawRequest('POST /mcp', FIELDS, BODY.replace('{', `{"Method":"${CANARY}",`))],
  ['a batch', rawRequest('POST /mcp', FIELDS, `[${BODY}]`)],
  ['a response', rawRequest('POST /mcp', FIELDS, `{"jsonrpc":"2.0","id":1,"result":{"a":"${CANARY}"}}`)],
  ['another JSON-RPC', rawRequest('POST /mcp', FIELDS, BODY.replace('2.0', CANARY))],
  [
    'a foreign method in a field',
    rawRequest('POST /mcp', without('mcp-method', `Mcp-Method: ${CANARY}`), BODY),
  ],
  ['a foreign name in a field', rawRequest('POST /mcp', without('mcp-name', `Mcp-Name: ${CANARY}`), BODY)],
  [
    'a malformed name in a field',
    rawRequest('POST /mcp', without('mcp-name', `Mcp-Name: =?base64?${CANARY}?=`), BODY),
  ],
  [
    'a malformed parameter in a field',
    rawRequest('POST /mcp', [...FIELDS, `Mcp-Param-X: =?base64?${CANARY}?=`], BODY),
  ],
];

describe('a refusal quotes nothing of a request', () => {
  it.each(REQUESTS)('with %s', async (_, request) => {
    const { gateway } = await startPair((received) =>
      resultReply(received, { resultType: 'complete', content: [] }),
    );
    const answer: RawAnswer = await sendRaw(gateway.port, request);
    expectSilence(`${answer.fields.join('\n')}\n${answer.text}`, gateway);
  });

  const RETRY: CallOptions = { headers: { authorization: `Bearer ${CANARY}` }, capabilities: FORM };
  const OPTIONS: readonly (readonly [string, CallOptions])[] = [
    ['a state', { params: { requestState: CANARY } }],
    ['a state that is no string', { params: { requestState: { [CANARY]: CANARY } } }],
    ['an answer with another action', { params: { inputResponses: { a: { action: CANARY } } } }],
    [
      'an answer with deep content',
      { params: { inputResponses: { a: { action: 'accept', content: { x: { y: CANARY } } } } } },
    ],
    ['answers that are no map', { params: { inputResponses: [CANARY] } }],
    ['an answer that is text', { params: { inputResponses: { a: CANARY } } }],
    ['another version', { meta: { 'io.modelcontextprotocol/protocolVersion': 7, x: CANARY } }],
    ['capabilities that are text', { capabilities: CANARY }],
    ['a name that is no string', { params: { name: [CANARY] } }],
  ];

  it.each(OPTIONS)('with %s, whatever else it carries', async (_, options) => {
    const { gateway, upstream, url } = await startPair(undefined, { route: { requestState: 'forbid' } });
    const { status, text, headers } = await callTool(url, 'echo', { text: CANARY }, { ...RETRY, ...options });
    expect(status).toBe(400);
    expectSilence([...headers].join('\n') + text, gateway);
    expect(upstream.requests).toEqual([]);
  });

  it('whose version is another, but for that version', async () => {
    const { gateway, url } = await startPair();
    const options = {
      headers: { 'mcp-protocol-version': '2019-01-01' },
      meta: { 'io.modelcontextprotocol/protocolVersion': '2019-01-01' },
    };
    const { message, text } = await callTool(url, 'echo', { text: CANARY }, options);
    expect(message.error.data.requested).toBe('2019-01-01');
    expectSilence(text, gateway);
  });
});

const ANSWERS: readonly (readonly [string, unknown])[] = [
  [
    'a form with a form in it',
    {
      inputRequests: {
        a: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: CANARY,
            requestedSchema: {
              type: 'object',
              properties: { field: { type: 'object', description: CANARY, default: CANARY } },
            },
          },
        },
      },
    },
  ],
  [
    'a link with a password',
    {
      inputRequests: {
        a: {
          method: 'elicitation/create',
          params: {
            mode: 'url',
            message: 'x',
            url: `https://user:${CANARY}@example.com/`,
            elicitationId: CANARY,
          },
        },
      },
    },
  ],
  [
    'sampling that nobody offered',
    {
      inputRequests: {
        a: {
          method: 'sampling/createMessage',
          params: { messages: [{ role: 'user', content: { type: 'text', text: CANARY } }] },
        },
      },
    },
  ],
  ['a request of an unknown kind', { inputRequests: { a: { method: CANARY } } }],
  ['an unknown type of result', { resultType: CANARY }],
  ['a state', { inputRequests: {}, requestState: CANARY, resultType: 'input_required' }],
];

describe('a refusal quotes nothing of an answer', () => {
  it.each(ANSWERS)('with %s', async (_, result) => {
    const { gateway, url } = await startPair(
      (request) => ({
        ...resultReply(request, result),
        headers: { 'content-type': 'application/json', 'x-canary': CANARY },
      }),
      { route: { requestState: 'forbid' } },
    );
    const { message, text, headers } = await callTool(url, 'echo', {}, { capabilities: FORM });
    expect(message.error.data.rule).toEqual(expect.any(String));
    expectSilence([...headers].join('\n') + text, gateway);
  });

  it.each([
    ['text', { headers: { 'content-type': 'text/html' }, body: CANARY }],
    ['half of JSON', { headers: { 'content-type': 'application/json' }, body: `{"a":"${CANARY}"` }],
    ['another charset', { headers: { 'content-type': `application/json; charset=${CANARY}` }, body: '{}' }],
    [
      'another coding',
      { headers: { 'content-type': 'application/json', 'content-encoding': CANARY }, body: '{}' },
    ],
    ['a redirect', { status: 302, headers: { location: `https://${CANARY}.example/` } }],
    ['no HTTP', { raw: CANARY }],
    [
      'another id',
      {
        headers: { 'content-type': 'application/json' },
        body: `{"jsonrpc":"2.0","id":"${CANARY}","result":{}}`,
      },
    ],
    [
      'a removed code',
      {
        status: 400,
        headers: { 'content-type': 'application/json' },
        body: `{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"${CANARY}","data":"${CANARY}"}}`,
      },
    ],
  ])('that is %s', async (_, reply) => {
    const { gateway, url } = await startPair(() => reply);
    const { message, text, headers } = await callTool(url, 'echo');
    expect(message.error.code).toBe(-32603);
    expectSilence([...headers].join('\n') + text, gateway);
  });
});
