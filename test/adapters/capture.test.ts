import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCapture } from '../../src/adapters/capture.js';
import type { CapturedExchange, CaptureGap } from '../../src/capture/format.js';
import { compile } from '../../src/config/compile.js';
import { loadObject } from '../../src/config/load.js';
import type { ExchangeSummary } from '../../src/engine/observer.js';
import { HeaderFields } from '../../src/protocol/headers.js';
import { readRequest } from '../../src/protocol/reading.js';
import { type Binary, startServe } from '../support/binary.js';
import {
  ANSWERS,
  brokenBodies,
  CANARY,
  done,
  HEADERS,
  REFUSED_INBOUND,
  REFUSED_OUTBOUND,
  RETRY,
  TOOLS,
} from '../support/canaries.js';
import { callTool, FORM, open, post, requestHeaders, requestText } from '../support/client.js';
import { temporaryFolder } from '../support/config-file.js';
import { describeWith } from '../support/programs.js';
import { resultReply, startUpstream } from '../support/upstream.js';

function linesOf(file: string): readonly CapturedExchange[] {
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/\n$/);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

interface Capturing {
  readonly gateway: Binary;
  readonly file: string;
  /** Stops the gateway; what it has captured. */
  readonly captured: () => Promise<readonly CapturedExchange[]>;
}

async function start(...flags: readonly string[]): Promise<Capturing> {
  const upstream = await startUpstream((request) => {
    const tool = TOOLS[String(request.json().params?.name)];
    return tool === undefined ? resultReply(request, done) : tool(request);
  });
  onTestFinished(() => upstream.close());
  const file = join(await temporaryFolder(), 'traffic.jsonl');
  const gateway = await startServe(upstream.url, '--capture', file, ...flags);
  const captured = async () => {
    expect((await gateway.stop()).code).toBe(0);
    return linesOf(file);
  };
  return { gateway, file, captured };
}

describe('a captured exchange', () => {
  it('has both heads and both bodies, and what became of it', async () => {
    const { gateway, file, captured } = await start();
    await callTool(gateway.url, 'done', { secret: CANARY.argument }, { headers: HEADERS });
    const [exchange] = await captured();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(exchange).toMatchObject({
      capture: 1,
      redacted: true,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      route: 'mcp',
      path: '/mcp',
      httpMethod: 'POST',
      request: {
        body: {
          json: { method: 'tools/call', params: { name: 'done', arguments: { secret: '[18 characters]' } } },
        },
      },
      answer: {
        status: 200,
        body: {
          json: { result: { resultType: 'complete', content: [{ type: 'text', text: '[16 characters]' }] } },
        },
      },
      outcome: 'ok',
      status: 200,
      findings: [],
    });
    expect(exchange?.request.headers).toContainEqual(['authorization', '[27 characters]']);
    expect(exchange?.request.body?.bytes).toBe(
      Number(Object.fromEntries(exchange?.request.headers ?? [])['content-length']),
    );
  });

  it('has a stream event by event', async () => {
    const { gateway, captured } = await start();
    await callTool(gateway.url, 'stream', {}, { meta: { progressToken: 'p' } });
    const [exchange] = await captured();
    expect(exchange?.answer?.body).toBeUndefined();
    expect(exchange?.answer?.events?.map(({ body }) => (body.json as { method?: string }).method)).toEqual([
      'notifications/progress',
      undefined,
    ]);
    expect(exchange?.findings).toEqual([
      { stage: 'outbound', rule: 'progress-requested', severity: 'enforce' },
    ]);
  });

  it('has what was refused, and why, without an answer', async () => {
    const { gateway, captured } = await start();
    await callTool(gateway.url, 'done', {}, { headers: { 'mcp-name': 'other' } });
    await post(
      gateway.url,
      '{"jsonrpc":"2.0","jsonrpc":"2.0"}',
      requestHeaders('tools/call', { params: { name: 'done' } }),
    );
    const [mismatch, twice] = await captured();
    expect(mismatch).toMatchObject({
      outcome: 'refused_inbound',
      status: 400,
      findings: [{ rule: 'headers-match-body' }],
    });
    expect(mismatch?.answer).toBeUndefined();
    expect(twice?.request.body).toEqual({ bytes: 33, fault: 'duplicate-member' });
  });

  it('is whole when that was asked for, and the log says so', async () => {
    const { gateway, captured } = await start('--capture-full');
    const warned = await gateway.line(({ msg }) => /capture/.test(msg ?? ''));
    const body = requestText('tools/call', { params: { name: 'done', arguments: { ü: CANARY.argument } } });
    const headers = { ...requestHeaders('tools/call', { params: { name: 'done' } }), ...HEADERS };
    const { text } = await post(gateway.url, body, headers);
    const [exchange] = await captured();
    expect(warned.msg).toMatch(/not redacted/);
    expect(exchange?.redacted).toBe(false);
    expect(exchange?.request.body?.text).toBe(body);
    expect(exchange?.request.headers).toContainEqual(['authorization', HEADERS.authorization]);
    expect(exchange?.answer?.body?.text).toBe(text);
  });

  it('is one line of ASCII', async () => {
    const { gateway, file, captured } = await start('--capture-full');
    await callTool(gateway.url, 'done', { text: '\u001b[2J\u009b\u202eü\n' });
    await captured();
    expect(readFileSync(file, 'latin1')).toMatch(/^[\x20-\x7e]*\n$/);
  });
});

describe('a redacted capture', () => {
  it('holds none of the values that peers send, whatever they send', async () => {
    const { gateway, file, captured } = await start();
    const send = (tool: string, options = {}) =>
      callTool(gateway.url, tool, { secret: CANARY.argument }, { headers: HEADERS, ...options });
    for (const tool of ['done', 'stream', 'tool-error', 'rpc-error', 'issue', ...REFUSED_OUTBOUND])
      await send(tool, { capabilities: FORM, params: { inputResponses: ANSWERS } }).catch(() => undefined);
    for (const [, { headers, params, ...more }] of REFUSED_INBOUND)
      await send('done', { ...more, params: { ...params }, headers: { ...HEADERS, ...headers } });
    const request = { params: { name: 'done', arguments: { secret: CANARY.argument }, ...RETRY } };
    for (const body of brokenBodies(requestText('tools/call', request)))
      await post(gateway.url, body, { ...requestHeaders('tools/call', request), ...HEADERS });
    const leave = new AbortController();
    const left = open(gateway.url, 'tools/call', {
      params: { name: 'never', ...RETRY },
      signal: leave.signal,
    });
    leave.abort();
    await left.catch(() => undefined);
    const exchanges = await captured();
    expect(exchanges.length).toBeGreaterThan(40);
    const text = readFileSync(file, 'utf8');
    const found = Object.entries(CANARY).filter(
      ([name, canary]) => name !== 'question' && text.includes(canary),
    );
    expect(found).toEqual([]);
    expect(text.includes(CANARY.question)).toBe(true);
  });
});

describe('the file of a capture', () => {
  const quiet = { full: false, notify: () => undefined };

  it('is for its owner alone, also when it was there before, and is appended to', async () => {
    const file = join(await temporaryFolder(), 'traffic.jsonl');
    writeFileSync(file, '{"capture":1}\n');
    chmodSync(file, 0o644);
    await openCapture({ ...quiet, file }).close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe('{"capture":1}\n');
  });

  it.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link', (path: string) => symlinkSync('/dev/null', path)],
  ])('is not %s', async (_, make) => {
    const file = join(await temporaryFolder(), 'traffic.jsonl');
    make(file);
    expect(() => openCapture({ ...quiet, file })).toThrow();
  });

  it('ends the start of a gateway that cannot have it', async () => {
    await expect(startServe('http://127.0.0.1:1/mcp', '--capture', '/nowhere/traffic.jsonl')).rejects.toThrow(
      /ended with 1[\s\S]*ENOENT/,
    );
  });

  it('does without exchanges that it cannot keep up with, and says how many', async () => {
    const file = join(await temporaryFolder(), 'traffic.jsonl');
    const told: string[] = [];
    const capture = openCapture({ file, full: true, notify: (message) => void told.push(message) });
    const [route] = compile(loadObject({ routes: [{ upstream: 'http://127.0.0.1/mcp' }] }).config).routes;
    if (route === undefined) throw new Error('no route');
    const reading = readRequest(Buffer.from(JSON.stringify('x'.repeat(1_000_000))));
    const summary = {
      outcome: 'ok',
      status: 200,
      durationMs: 1,
      decisions: [],
    } as unknown as ExchangeSummary;
    for (let count = 0; count < 20; count += 1) {
      const exchange = capture.begin(route.policy, { httpMethod: 'POST', headers: new HeaderFields([]) });
      exchange.asked(reading);
      exchange.ended(summary);
    }
    await capture.close();
    const lines = linesOf(file) as readonly (CapturedExchange | CaptureGap)[];
    expect(lines.at(-1)).toEqual({ capture: 1, dropped: 21 - lines.length });
    expect(told[0]).toBe('the capture file does not keep up; exchanges that are not in it: 1');
    expect(told).toHaveLength(2);
  });
});

describeWith('mkfifo', 'a pipe in the place of the capture', (mkfifo) => {
  it('is refused at once', async () => {
    const file = join(await temporaryFolder(), 'pipe');
    execFileSync(mkfifo, [file]);
    expect(() => openCapture({ file, full: false, notify: () => undefined })).toThrow();
  });
});
