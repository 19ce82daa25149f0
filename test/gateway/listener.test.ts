import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGatewayServer, listen } from '../../src/adapters/server.js';
import { compile } from '../../src/config/compile.js';
import { createGateway, loadObject } from '../../src/index.js';
import { requestHeaders, requestText } from '../support/client.js';
import { parseAnswer, rawRequest, sendRaw } from '../support/raw.js';
import { jsonReply, resultReply, startUpstream, type Upstream } from '../support/upstream.js';

const METHOD = 'completion/complete';
const FIELDS = Object.entries(requestHeaders(METHOD)).map(([name, value]) => `${name}: ${value}`);
const CALL = requestText(METHOD);

/** The binary's listener: what it adds to the handler is how it answers what never becomes a request. */
async function startListener(): Promise<{ port: number; upstream: Upstream }> {
  const upstream = await startUpstream((request) =>
    request.method === 'POST'
      ? resultReply(request, { resultType: 'complete', completion: {} })
      : jsonReply({ jsonrpc: '2.0' }),
  );
  const config = { routes: [{ upstream: upstream.url, passThrough: ['/docs/'], requestState: 'relay' }] };
  const gateway = createGateway(config);
  const plan = compile(loadObject(config).config);
  const { server } = createGatewayServer(
    (req, res) => gateway(req, res),
    (target) => target === '/mcp',
    plan,
    { limitRejected: () => undefined },
  );
  const address: AddressInfo = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await gateway.close();
    await upstream.close();
  });
  return { port: address.port, upstream };
}

const ODD_PATHS: readonly (readonly [string, string])[] = [
  ...[
    '/',
    '*',
    '//',
    '///mcp',
    '/%',
    '/%zz/mcp',
    '/%c0%af',
    '//[::1',
    'http://',
    'http://[::1/mcp',
    'http://%/mcp',
    'mcp:///',
    '/mcp/..',
    '/docs/%',
    '/\\[',
  ].map((path) => [path, path] as const),
  ['that is endless', `/${'a'.repeat(20_000)}`],
  ['with endless dots', `/${'../'.repeat(5_000)}mcp`],
];

describe('the listener', () => {
  it('serves messages and what passes through', async () => {
    const { port } = await startListener();
    expect((await sendRaw(port, rawRequest('POST /mcp', FIELDS, CALL))).json()).toMatchObject({ result: {} });
    expect((await sendRaw(port, rawRequest('POST /mcp?x=1', FIELDS, CALL))).json()).toMatchObject({
      result: {},
    });
    expect((await sendRaw(port, rawRequest('GET /docs/a', FIELDS))).status).toBe(200);
  });

  it.each([
    ['a tunnel', rawRequest('CONNECT 127.0.0.1:80'), 404],
    ['a WebSocket', rawRequest('GET /mcp', ['Upgrade: websocket', 'Connection: Upgrade, close']), 404],
    ['a miracle', rawRequest('POST /mcp', [...FIELDS, 'Expect: miracle'], CALL), 417],
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['no HTTP that is known', 'GET /mcp HTTP/9.9\r\n\r\n', 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    [
      'two lengths',
      rawRequest('POST /mcp', [...FIELDS, 'Content-Length: 1', 'Content-Length: 2'], CALL),
      400,
    ],
    [
      'a length and chunks',
      rawRequest('POST /mcp', [...FIELDS, 'Content-Length: 1', 'Transfer-Encoding: chunked'], CALL),
      400,
    ],
    ['a field that goes on', 'GET /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: 1\r\n 2\r\n\r\n', 400],
    ['a field with a space in its name', 'GET /mcp HTTP/1.1\r\nHost: localhost\r\nX A: 1\r\n\r\n', 400],
    ['a control character', 'GET /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: \u0001\r\n\r\n', 400],
    [
      'a character in its target that belongs escaped',
      'GET /docs/\u00e9 HTTP/1.1\r\nHost: localhost\r\n\r\n',
      400,
    ],
    ['an endless head', rawRequest('POST /mcp', [...FIELDS, `X-Filler: ${'x'.repeat(40_000)}`], CALL), 431],
  ])('answers in JSON what asks for %s', async (_, request, status) => {
    const { port, upstream } = await startListener();
    const answer = await sendRaw(port, request);
    expect(answer.status).toBe(status);
    expect(answer.one('content-type')).toBe('application/json');
    expect(answer.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
    expect(answer.json()).not.toHaveProperty('id');
    expect(upstream.requests).toEqual([]);
  });

  it.each(ODD_PATHS)('never answers an odd path in HTML: %s', async (_, target) => {
    const { port } = await startListener();
    for (const method of ['GET', 'POST', 'OPTIONS', 'PROPFIND']) {
      const answer = await sendRaw(port, rawRequest(`${method} ${target}`));
      if (answer.status === 200) continue;
      expect([400, 404, 405]).toContain(answer.status);
      expect(answer.one('content-type')).toBe('application/json');
      expect(answer.json().jsonrpc).toBe('2.0');
      expect(answer.one('x-powered-by')).toBeUndefined();
    }
  });
});

describe('a client that waits to be asked for its body', () => {
  const waiting = (line: string, fields: readonly string[], length: number) =>
    rawRequest(line, [...FIELDS, ...fields, `Content-Length: ${length}`, 'Expect: 100-continue']);

  it.each([
    ['a foreign origin', 'POST /mcp', ['Origin: https://evil.example'], 1_000, 403],
    ['a content coding', 'POST /mcp', ['Content-Encoding: gzip'], 1_000, 415],
    ['a declared length over the limit', 'POST /mcp', [], 1_000_000_000, 413],
    ['an unknown path', 'POST /other', [], 1_000, 404],
    ['another method', 'PUT /mcp', [], 1_000, 405],
  ])('is not asked when its head is refused: %s', async (_, line, fields, length, status) => {
    const { port, upstream } = await startListener();
    const socket = connect(port, '127.0.0.1');
    socket.write(waiting(line, fields, length));
    const [first] = await once(socket, 'data');
    socket.destroy();
    expect(parseAnswer(first as Buffer)).toMatchObject({ status, interim: [] });
    expect(upstream.requests).toEqual([]);
  });

  it('is asked once, and then answered', async () => {
    const { port, upstream } = await startListener();
    const socket = connect(port, '127.0.0.1');
    socket.write(waiting('POST /mcp', [], Buffer.byteLength(CALL)));
    const chunks: Buffer[] = [];
    for await (const chunk of socket) if (chunks.push(chunk as Buffer) === 1) socket.write(CALL);
    expect(String(chunks[0])).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    expect(parseAnswer(Buffer.concat(chunks))).toMatchObject({ status: 200, interim: [100] });
    expect((await upstream.request(0)).headers).not.toHaveProperty('expect');
  });

  it('is asked and answered, too, when it has not waited', async () => {
    const { port } = await startListener();
    const answer = await sendRaw(port, rawRequest('POST /mcp', [...FIELDS, 'Expect: 100-continue'], CALL));
    expect(answer).toMatchObject({ status: 200, interim: [100] });
  });
});
