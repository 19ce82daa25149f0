import { describe, expect, it } from 'vitest';
import { post, type Received, requestHeaders } from '../support/client.js';
import { startPair } from '../support/pair.js';
import { gate, type Reply } from '../support/upstream.js';

const METHOD = 'notifications/cancelled';
const NOTIFICATION = `{"jsonrpc":"2.0", "method":"${METHOD}", "params":{"requestId":9007199254740993}}`;
const RPC_ERROR = '{"jsonrpc":"2.0","error":{"code":-32602,"message":"said by the server"}}';

async function notify(reply: Reply, body = NOTIFICATION, method = METHOD) {
  const { gateway, upstream, url } = await startPair(() => reply);
  const got: Received = await post(url, body, requestHeaders(method));
  return { ...got, gateway, upstream };
}

function json(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'application/json', 'x-kept': 'yes' }, body };
}

describe('a notification', () => {
  it('reaches the upstream byte for byte', async () => {
    const { upstream } = await notify({ status: 202, headers: {} });
    expect((await upstream.request(0)).text).toBe(NOTIFICATION);
  });

  it.each([
    ['202', { status: 202, headers: { 'x-kept': 'yes' } }],
    ['200 and nothing', { status: 200, headers: { 'x-kept': 'yes' } }],
    ['204', { status: 204, headers: { 'x-kept': 'yes' } }],
    ['200 and JSON', json(200, '{"jsonrpc":"2.0","id":1,"result":{"inputRequests":{}}}')],
    [
      '202 and text',
      { status: 202, headers: { 'content-type': 'text/plain', 'x-kept': 'yes' }, body: 'Accepted' },
    ],
    [
      'a stream',
      {
        headers: { 'content-type': 'text/event-stream', 'x-kept': 'yes' },
        body: ['data: {}\n\n'],
        after: 'stay-open',
      },
    ],
  ] as const)('that is answered with %s is accepted', async (_, reply) => {
    const { status, text, headers, gateway } = await notify(reply as Reply);
    expect([status, text]).toEqual([202, '']);
    expect(headers.get('content-type')).toBeNull();
    expect(headers.get('content-length')).toBe('0');
    expect(headers.get('x-kept')).toBe('yes');
    expect(await gateway.ended(0)).toMatchObject({ outcome: 'ok', status: 202 });
  });

  it.each([
    ['a JSON-RPC error without id', 400, RPC_ERROR],
    ['an OAuth error', 401, '{"error":"invalid_token"}'],
    ['text', 503, 'away'],
    ['nothing', 404, ''],
  ])('that is answered with %s is told so', async (_, status, body) => {
    const type = body.startsWith('{') ? 'application/json' : 'text/plain';
    const got = await notify({
      status,
      headers: { 'content-type': type, 'www-authenticate': 'Bearer' },
      body,
    });
    expect([got.status, got.text]).toEqual([status, body]);
    expect(got.headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each([
    ['a redirect', 502, { status: 307, headers: { location: '/elsewhere' } }],
    ['a result as an error', 502, json(500, '{"jsonrpc":"2.0","id":1,"result":{}}')],
    ['an input request as an error', 502, json(400, '{"inputRequests":{}}')],
    ['a removed code', 200, json(400, '{"jsonrpc":"2.0","error":{"code":-32042,"message":"x"}}')],
  ])('that is answered with %s gets a refusal without id', async (_, expected, reply) => {
    const { status, message } = await notify(reply);
    expect(status).toBe(expected);
    expect(message.error.code).toBe(-32603);
    expect(message).not.toHaveProperty('id');
  });

  it.each([
    [
      'carries a state',
      NOTIFICATION.replace('"params":{', '"params":{"requestState":"x",'),
      METHOD,
      'request-state-accepted',
    ],
    [
      'carries the state null',
      NOTIFICATION.replace('"params"', '"requestState":null,"params"'),
      METHOD,
      'request-state-accepted',
    ],
    ['names another method in its fields', NOTIFICATION, 'notifications/progress', 'headers-match-body'],
  ])('that %s is refused without id', async (_, body, method, rule) => {
    const { gateway, upstream, url } = await startPair(() => ({ status: 202, headers: {} }), {
      route: { requestState: 'forbid' },
    });
    const { status, message } = await post(url, body, requestHeaders(method));
    expect(status).toBe(400);
    expect(message.error.data.rule).toBe(rule);
    expect(message).not.toHaveProperty('id');
    expect(upstream.requests).toEqual([]);
    expect((await gateway.ended(0)).outcome).toBe('refused_inbound');
  });

  it('needs no fields but a version', async () => {
    const { upstream, url } = await startPair(() => ({ status: 202, headers: {} }));
    const { status } = await post(url, NOTIFICATION, {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
    });
    expect(status).toBe(202);
    expect(upstream.requests).toHaveLength(1);
  });

  it('is not accepted before the upstream has said so', async () => {
    const said = gate();
    const { upstream, url } = await startPair(async () => {
      await said.opened;
      return { status: 404, headers: {} };
    });
    const answer = post(url, NOTIFICATION, requestHeaders(METHOD));
    await upstream.request(0);
    said.open();
    expect((await answer).status).toBe(404);
  });
});
