/** Clients of earlier revisions: refused with the version that is spoken here, or passed where the route says so, and then still judged. */
import { describe, expect, it } from 'vitest';
import { callTool, EventReader, FORM, receive } from '../support/client.js';
import { findings, inFlight, openStreams } from '../support/counts.js';
import { type GatewayConfig, startPair } from '../support/pair.js';
import { jsonReply, sseEvent, sseReply } from '../support/upstream.js';

const PASS: GatewayConfig = { route: { legacy: 'pass' } };
const PASS_ZE: GatewayConfig = { route: { legacy: 'pass', profile: 'ze' } };
const INITIALIZE =
  '{ "jsonrpc":"2.0", "id":0, "method":"initialize", "params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"old","version":"1"}} }';
const CALL = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"book","arguments":{}}}';
const DONE = '{"jsonrpc":"2.0","id":7,"result":{"content":[]}}';
const ACCEPTED = '{"jsonrpc":"2.0","id":"srv-1","result":{"action":"accept","content":{"city":"Bern"}}}';

function elicitation(field: string): string {
  return `{"jsonrpc":"2.0","id":"srv-1","method":"elicitation/create","params":{"message":"More, please","requestedSchema":{"type":"object","properties":{"${field}":{"type":"string"}}}}}`;
}

function send(url: string, body: string, headers: Record<string, string> = {}) {
  const fields = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
    ...headers,
  };
  return fetch(url, { method: 'POST', headers: fields, body });
}

/** The GET stream of earlier revisions. */
function listen(url: string, headers: Record<string, string> = {}, signal?: AbortSignal) {
  return fetch(url, {
    headers: { accept: 'text/event-stream', 'mcp-protocol-version': '2025-06-18', ...headers },
    ...(signal && { signal }),
  });
}

describe('a route that refuses earlier revisions', () => {
  it.each([
    ['initialize', INITIALIZE, { 'mcp-protocol-version': '' }, '2025-11-25'],
    ['initialize with its header', INITIALIZE, {}, '2025-11-25'],
    ['any other request', CALL, { 'mcp-protocol-version': '2025-06-18' }, '2025-06-18'],
  ] as const)('names the one it speaks: %s', async (_, body, headers, requested) => {
    const { url, upstream } = await startPair();
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
    const fields = { 'content-type': 'application/json', ...(headers === undefined ? {} : sent) };
    const answer = await receive(await fetch(url, { method: 'POST', headers: fields, body }));
    expect(answer.status).toBe(400);
    expect(answer.message).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'], requested } },
    });
    expect(upstream.requests).toEqual([]);
  });

  it('takes no response from a client', async () => {
    const { url, upstream } = await startPair();
    const answer = await receive(await send(url, ACCEPTED));
    expect([answer.status, answer.message.error.code]).toEqual([400, -32600]);
    expect(upstream.requests).toEqual([]);
  });

  it.each(['GET', 'DELETE'])('has no %s', async (method) => {
    const { url, upstream } = await startPair();
    const answer = await fetch(url, { method, headers: { accept: 'text/event-stream' } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(upstream.requests).toEqual([]);
  });
});

describe('a route that passes earlier revisions', () => {
  it('passes the handshake as it is, and the session both ways', async () => {
    const result =
      '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}';
    const { url, upstream, gateway } = await startPair(
      () => jsonReply(result, { headers: { 'content-type': 'application/json', 'mcp-session-id': 'abc' } }),
      PASS,
    );
    const answer = await send(url, INITIALIZE);
    expect(answer.headers.get('mcp-session-id')).toBe('abc');
    expect(await answer.text()).toBe(result);
    const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    upstream.answer(() => ({ status: 202 }));
    expect((await send(url, initialized, { 'mcp-session-id': 'abc' })).status).toBe(202);
    expect(upstream.requests.map(({ text }) => text)).toEqual([INITIALIZE, initialized]);
    expect(upstream.requests[1]?.headers).toMatchObject({
      'mcp-session-id': 'abc',
      'mcp-protocol-version': '2025-11-25',
    });
    expect(findings(gateway)).toEqual([]);
  });

  it('passes calls that are answered in JSON', async () => {
    const { url, gateway } = await startPair(() => jsonReply(DONE), PASS);
    const answer = await send(url, CALL);
    expect([answer.status, await answer.text()]).toEqual([200, DONE]);
    expect((await gateway.ended(0)).outcome).toBe('ok');
    expect(findings(gateway)).toEqual([]);
  });

  it('passes calls that are answered by a stream, with what the server asks and tells on it', async () => {
    const told = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}';
    const asked = elicitation('city');
    const { url, gateway } = await startPair(
      () => sseReply([told, asked, DONE].map((one) => sseEvent(one))),
      PASS,
    );
    const answer = await receive(await send(url, CALL));
    expect(answer.events).toEqual([told, asked, DONE]);
    expect((await gateway.ended(0)).outcome).toBe('ok');
    expect(findings(gateway)).toEqual([]);
  });

  it('passes what the client answers', async () => {
    const { url, upstream, gateway } = await startPair(() => ({ status: 202 }), PASS);
    const answer = await send(url, ACCEPTED);
    expect([answer.status, await answer.text()]).toEqual([202, '']);
    expect(upstream.requests[0]?.text).toBe(ACCEPTED);
    expect((await gateway.ended(0)).outcome).toBe('ok');
    expect(findings(gateway)).toEqual([]);
  });

  it('says when the server does not want what the client answers', async () => {
    const gone = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Session not found"}}';
    const { url } = await startPair(() => jsonReply(gone, { status: 404 }), PASS);
    const answer = await send(url, ACCEPTED);
    expect([answer.status, await answer.text()]).toEqual([404, gone]);
  });

  it('tells of a response that is missing', async () => {
    const { url } = await startPair(() => sseReply([sseEvent(elicitation('city'))]), PASS);
    const answer = await receive(await send(url, CALL));
    expect(answer.events).toHaveLength(2);
    expect(answer.message).toMatchObject({ id: 7, error: { code: -32603 } });
  });

  it('still judges messages of its own revision as such', async () => {
    const asked = elicitation('city');
    const { url } = await startPair(() => sseReply([sseEvent(asked)]), PASS);
    const answer = await callTool(url, 'book', {}, { capabilities: FORM });
    expect(answer.message.error.data.rule).toBe('no-server-request');
  });

  it.each([
    ['a method field', CALL, { 'mcp-method': 'tools/call' }],
    ['a name field', CALL, { 'mcp-name': 'book' }],
    ['its version', CALL, { 'mcp-protocol-version': '2026-07-28' }],
    [
      'metadata',
      CALL.replace(
        '"arguments"',
        '"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"},"arguments"',
      ),
      {},
    ],
  ])('does not take a message for an earlier one that has %s', async (_, body, headers) => {
    const { url, upstream } = await startPair(() => jsonReply(DONE), PASS);
    expect((await send(url, body, headers)).status).toBe(400);
    expect(upstream.requests).toEqual([]);
  });
});

describe('the GET stream of an earlier revision', () => {
  const told = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

  it('passes what the server tells and asks, and ends as the server ends it', async () => {
    const asked = elicitation('city');
    const { url, upstream, gateway } = await startPair(
      () => ({
        ...sseReply([': hi\n\n', sseEvent(told), sseEvent(asked)]),
        headers: { 'content-type': 'text/event-stream', 'mcp-session-id': 'abc' },
      }),
      PASS,
    );
    const answer = await listen(url, { 'mcp-session-id': 'abc', 'last-event-id': '5' });
    expect(answer.headers.get('mcp-session-id')).toBe('abc');
    const { events, text } = await receive(answer);
    expect(events).toEqual([told, asked]);
    expect(text.startsWith(': hi\n\n')).toBe(true);
    expect(upstream.requests[0]).toMatchObject({
      method: 'GET',
      text: '',
      headers: { 'mcp-session-id': 'abc', 'last-event-id': '5' },
    });
    expect(upstream.requests[0]?.headers['content-type']).toBeUndefined();
    expect(await gateway.ended(0)).toMatchObject({ outcome: 'stream_closed', stream: true });
    expect(findings(gateway)).toEqual([]);
  });

  it('is cancelled when the client leaves', async () => {
    const { url, upstream, gateway } = await startPair(() => sseReply([sseEvent(told)], 'stay-open'), PASS);
    const leaving = new AbortController();
    const reader = new EventReader(await listen(url, {}, leaving.signal));
    await reader.nextMessage();
    leaving.abort();
    await (await upstream.request(0)).aborted;
    expect((await gateway.ended(0)).outcome).toBe('client_gone');
    expect([inFlight(gateway), openStreams(gateway)]).toEqual([0, 0]);
  });

  it('ends with a form that asks for a secret', async () => {
    const steps = [sseEvent(told), sseEvent(elicitation('api_key'))];
    const { url, upstream, gateway } = await startPair(() => sseReply(steps, 'stay-open'), PASS);
    const { events, text } = await receive(await listen(url));
    expect(events[0]).toBe(told);
    expect(text).not.toContain('More, please');
    expect(text).not.toContain('srv-1');
    await (await upstream.request(0)).aborted;
    expect(findings(gateway)).toEqual(['form-asks-no-credential']);
  });

  it('may be refused by the server', async () => {
    const { url } = await startPair(() => ({ status: 405, headers: { allow: 'POST' } }), PASS);
    const answer = await listen(url);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('is nothing else than a stream', async () => {
    const { url } = await startPair(() => ({ headers: { 'content-type': 'text/html' }, body: '<p>' }), PASS);
    const answer = await listen(url);
    expect(answer.status).toBe(502);
    expect(await answer.text()).not.toContain('<p>');
  });

  it('does not exist in the present revision', async () => {
    const { url, upstream } = await startPair(undefined, PASS);
    const answer = await listen(url, { 'mcp-protocol-version': '2026-07-28' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS, GET, DELETE']);
    expect(upstream.requests).toEqual([]);
  });
});

describe('the DELETE of an earlier revision', () => {
  it.each([200, 204, 405])('ends the session as the server says: %d', async (status) => {
    const { url, upstream } = await startPair(() => ({ status }), PASS);
    const answer = await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': 'abc' } });
    expect([answer.status, await answer.text()]).toEqual([status, '']);
    expect(upstream.requests[0]).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 'abc' } });
  });
});

describe('what an earlier revision asks for', () => {
  it('is refused where a form asks for a secret', async () => {
    const steps = [sseEvent(elicitation('password'))];
    const { url, upstream, gateway } = await startPair(() => sseReply(steps, 'stay-open'), PASS);
    const answer = await receive(await send(url, CALL));
    expect(answer.message).toMatchObject({
      id: 7,
      error: { code: -32603, data: { rule: 'form-asks-no-credential' } },
    });
    expect(answer.text).not.toContain('srv-1');
    await (await upstream.request(0)).aborted;
    expect((await gateway.ended(0)).outcome).toBe('refused_outbound');
  });

  it('is refused where a form is not flat', async () => {
    const nested = elicitation('a').replace('{"type":"string"}', '{"type":"object","properties":{}}');
    const { url } = await startPair(() => sseReply([sseEvent(nested)], 'stay-open'), PASS);
    const answer = await receive(await send(url, CALL));
    expect(answer.message.error.data.rule).toBe('form-schema-flat');
  });

  it('carries no requestState where the route forbids it, in either direction', async () => {
    const { url, upstream } = await startPair(
      () => jsonReply(DONE.replace('"content"', '"requestState":"s3cret","content"')),
      PASS_ZE,
    );
    const out = await receive(await send(url, CALL));
    expect(out.message).toMatchObject({ id: 7, error: { data: { rule: 'request-state-issued-none' } } });
    expect(out.text).not.toContain('s3cret');
    const back = await receive(
      await send(url, CALL.replace('"arguments"', '"requestState":"s3cret","arguments"')),
    );
    expect(back.status).toBe(400);
    expect(back.message.error).toMatchObject({
      code: -32602,
      message:
        'invalid params: params.requestState is not accepted; this server issues no requestState, so a retry must not carry one',
    });
    expect(upstream.requests).toHaveLength(1);
  });
});
