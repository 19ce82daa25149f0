import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { auditOf } from './audits.js';

const TIMEOUT_MS = 400;

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function serveBytes(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const always =
  (status: number, type: string, body: string): RequestListener =>
  (request, response) => {
    request.resume().on('end', () => response.writeHead(status, { 'content-type': type }).end(body));
  };

/** Answers each method with what the table has for it, else with what it has for `''`. */
const rpc =
  (answers: Readonly<Record<string, { status?: number; says: object }>>): RequestListener =>
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
      const { status = 200, says } = answers[method] ?? answers[''] ?? { says: {} };
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...says }));
    });
  };

const error = (code: number, data?: unknown) => ({ error: { code, message: 'no', data } });

const KINDS: readonly (readonly [string, () => Promise<string>, RegExp])[] = [
  ['is down', async () => 'http://127.0.0.1:1/mcp', /^nothing listens there/],
  ['has no name', async () => 'http://mrtr-gateway.invalid/mcp', /host/],
  [
    'serves a web page',
    () => serve(always(200, 'text/html', '<!doctype html><h1>hello')),
    /it serves a web page \(200\)/,
  ],
  ['has no such page', () => serve(always(404, 'text/html', '<h1>no')), /it serves a web page \(404\)/],
  ['answers in plain text', () => serve(always(200, 'text/plain', 'pong')), /media type is neither/],
  [
    'answers with other JSON',
    () => serve(always(200, 'application/json', '{"ok":true}')),
    /is no MCP server/,
  ],
  ['answers with broken JSON', () => serve(always(200, 'application/json', '{"ok":')), /not one JSON value/],
  ['redirects', () => serve(always(307, 'text/plain', '')), /a redirect \(307\)/],
  [
    'asks for a credential',
    () => serve(always(401, 'application/json', '{"error":"invalid_token"}')),
    /--bearer/,
  ],
  ['is out of order', () => serve(always(503, 'text/plain', 'later')), /answers 503 to everything/],
  [
    'speaks another JSON-RPC protocol',
    () => serve(rpc({ '': { says: error(-32601) } })),
    /an error of another protocol/,
  ],
  [
    'speaks an earlier revision',
    () =>
      serve(
        rpc({
          initialize: { says: { result: { protocolVersion: '2025-06-18\u001b[2J', capabilities: {} } } },
          '': { status: 400, says: error(-32000) },
        }),
      ),
    /^the server speaks an earlier revision \(2025-06-18\\u\{1b\}\[2J\)/,
  ],
  [
    'speaks other revisions alone',
    () => serve(rpc({ '': { status: 400, says: error(-32022, { supported: ['2027-01-01', '\u009b1m'] }) } })),
    /^the server does not speak 2026-07-28; it speaks 2027-01-01, \\u\{9b\}1m$/,
  ],
  ['never answers', () => serve(() => undefined), /^no answer began within 0\.4 s$/],
  [
    'never ends its answer',
    () =>
      serve((_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{')),
    /^the answer was not whole within 0\.4 s$/,
  ],
  [
    'streams without end',
    () =>
      serve((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const timer = setInterval(() => response.write(': still here\n\n'), 20);
        response.on('close', () => clearInterval(timer));
      }),
    /^the answer was not whole within 0\.4 s$/,
  ],
  ['hangs up', () => serveBytes((socket) => socket.end()), /closed without an answer/],
  [
    'speaks no HTTP',
    () => serveBytes((socket) => socket.end('220 mail.example ESMTP\r\n')),
    /does not speak HTTP/,
  ],
  ['says nothing at all', () => serveBytes(() => undefined), /^no answer began within/],
];

describe('an audit of what is no server of this revision', () => {
  it.each(KINDS)('ends with one sentence when it %s', async (_, start, sentence) => {
    const audited = await auditOf(await start(), { timeoutMs: TIMEOUT_MS });
    expect(audited).toEqual({ kind: 'no-server', why: expect.stringMatching(sentence) });
    expect((audited as { why: string }).why).not.toMatch(/\p{C}/u);
  });
});

describe('an audit of a server that has no server/discover', () => {
  const cache = { ttlMs: 0, cacheScope: 'private' };

  it('goes on, and finds that it has none', async () => {
    const url = await serve(
      rpc({
        'tools/list': { says: { result: { resultType: 'complete', tools: [], ...cache } } },
        '': { status: 404, says: error(-32601) },
      }),
    );
    const audited = await auditOf(url);
    if (audited.kind === 'no-server') throw new Error(audited.why);
    const faults = audited.evidence.filter(({ fault }) => fault !== undefined).map(({ rule }) => rule);
    expect(faults).toContain('discover-answered');
    expect(faults).toContain('headers-match-body');
  });
});

describe('an audit of a server that stops answering', () => {
  it('ends after a few exchanges without an answer, and says so', async () => {
    let left = 4;
    const discovered = {
      result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    };
    const answering = rpc({ '': { says: discovered } });
    const url = await serve((request, response) => {
      left -= 1;
      if (left >= 0) answering(request, response);
    });
    const audited = await auditOf(url, { timeoutMs: 200 });
    if (audited.kind === 'no-server') throw new Error(audited.why);
    expect(audited.notes.at(-1)).toBe('the server stopped answering; the rest was not asked');
    expect(audited.exchanges).toBe(6);
  });
});
