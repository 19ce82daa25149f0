import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exchangeOf, judgeAnswer, judgeRequest, policyOf } from '../../examples/judge-offline.js';
import { HeaderFields } from '../../src/index.js';
import { callTool, FORM, requestHeaders, requestText } from '../support/client.js';
import { startServer } from './mount.js';

interface Example {
  readonly lines: AsyncIterableIterator<string>;
  readonly stop: () => void;
  readonly code: Promise<number | null>;
}

function startExample(file: string, env: Record<string, string> = {}): Example {
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    stop: () => void child.kill('SIGTERM'),
    code: new Promise((resolve) => child.on('close', resolve)),
  };
}

describe('the Express app of the examples', () => {
  it('serves the gateway, its metrics and its own routes, and ends when told to', async () => {
    const upstream = await startServer();
    const app = startExample('examples/express-app.ts', { UPSTREAM: upstream.url, PORT: '0' });
    const { port } = JSON.parse((await app.lines.next()).value);
    const origin = `http://127.0.0.1:${port}`;
    expect((await callTool(`${origin}/mcp`, 'book')).message.result.content[0].text).toBe('done');
    const order = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"tea":1}' };
    expect(await (await fetch(`${origin}/orders`, order)).json()).toEqual({ ordered: { tea: 1 } });
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    expect(metrics).toContain('mrtr_gateway_exchanges_total{route="mcp",method="tools/call",outcome="ok"} 1');
    app.stop();
    expect(await app.code).toBe(0);
  });
});

describe('judging without HTTP', () => {
  const ze = policyOf({ profile: 'ze' });
  const headersOf = (headers: Record<string, string>) => new HeaderFields(Object.entries(headers).flat());
  const params = { name: 'book', arguments: {} };
  const sound = Buffer.from(requestText('tools/call', { params, capabilities: FORM }));
  const headers = headersOf(requestHeaders('tools/call', { params }));
  const found = (findings: ReturnType<typeof judgeRequest>) =>
    findings.map(({ rule, severity, violation }) => [rule.id, severity, violation.at]);

  it('prints what the documents say', async () => {
    const { lines } = startExample('examples/judge-offline.ts');
    const printed: string[] = [];
    for await (const line of lines) printed.push(line);
    const documented = /```text\n([\s\S]*?)```/.exec(readFileSync('docs/library.md', 'utf8'))?.[1];
    expect(`${printed.join('\n')}\n`).toBe(documented);
  });

  it('finds nothing in a sound request and a sound answer', () => {
    const answer = { jsonrpc: '2.0', id: 1, result: { resultType: 'complete', content: [] } };
    expect(judgeRequest(ze, sound, headers)).toEqual([]);
    expect(judgeAnswer(exchangeOf(ze, sound, headers), Buffer.from(JSON.stringify(answer)))).toEqual([]);
  });

  it.each([
    ['no JSON', '{', [['json-unambiguous', 'enforce', '']]],
    ['a batch', '[]', [['single-message', 'enforce', '']]],
    [
      'a requestState',
      requestText('tools/call', { params: { ...params, requestState: 'x' } }),
      [['request-state-accepted', 'enforce', '/params/requestState']],
    ],
  ])('finds %s', (_, body, findings) => {
    expect(found(judgeRequest(ze, Buffer.from(body), headers))).toEqual(findings);
  });

  it('finds in an answer what its request makes wrong', () => {
    const ask = {
      method: 'elicitation/create',
      params: { mode: 'form', message: 'm', requestedSchema: { type: 'object', properties: {} } },
    };
    const answer = {
      jsonrpc: '2.0',
      id: 1,
      result: { resultType: 'input_required', inputRequests: { q: ask } },
    };
    const bytes = Buffer.from(JSON.stringify(answer));
    const undeclared = Buffer.from(requestText('tools/call', { params }));
    expect(judgeAnswer(exchangeOf(ze, sound, headers), bytes)).toEqual([]);
    expect(found(judgeAnswer(exchangeOf(ze, undeclared, headers), bytes))).toEqual([
      ['input-request-declared', 'enforce', '/result/inputRequests/q'],
    ]);
  });

  it('finds a response that is not readable', () => {
    const [finding] = judgeAnswer(exchangeOf(ze, sound, headers), Buffer.from('<html>'));
    expect(finding?.rule.id).toBe('response-readable');
  });
});
