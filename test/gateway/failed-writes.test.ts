/** A reply whose bytes the connection could not take: nobody got it, whatever Node says of the end of writing. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { ExchangeSummary } from '../../src/engine/observer.js';
import { createGateway } from '../../src/index.js';
import { callTool } from '../support/client.js';
import { type Reply, resultReply, sseEvent, sseReply, startUpstream } from '../support/upstream.js';

const broken = () => Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
type Write = (chunk: unknown, encoding: string, callback: (error: Error) => void) => void;

/** How a write may fail: before it returns, or when the kernel reports it. */
const FAILURES: Readonly<Record<string, Write>> = {
  'at once': (_chunk, _encoding, callback) => callback(broken()),
  later: (_chunk, _encoding, callback) => void setImmediate(() => callback(broken())),
};

const DONE = { resultType: 'complete', content: [] };
const REPLIES: Readonly<Record<string, (request: Parameters<typeof resultReply>[0]) => Reply>> = {
  JSON: (request) => resultReply(request, DONE),
  'an event stream': () => sseReply([sseEvent(JSON.stringify({ jsonrpc: '2.0', id: 1, result: DONE }))]),
};

/** A gateway on whose connections every write fails so, and the first account that it gives. */
async function failing(
  upstream: string,
  write: Write,
): Promise<{ url: string; ended: Promise<ExchangeSummary> }> {
  let tell: (summary: ExchangeSummary) => void;
  const ended = new Promise<ExchangeSummary>((resolve) => {
    tell = resolve;
  });
  const observer = { ended: (summary: ExchangeSummary) => tell(summary) };
  const gateway = createGateway({ routes: [{ upstream, requestState: 'relay' }] }, { observer });
  const server = createServer((req, res) => {
    Object.assign(req.socket, { _write: write, _writev: null });
    gateway(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await gateway.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, ended };
}

const CASES = Object.keys(FAILURES).flatMap((when) =>
  Object.keys(REPLIES).map((what) => [what, when] as const),
);

it.each(CASES)(
  '%s that fails to be written %s counts as one that the client did not stay for',
  async (what, when) => {
    const upstream = await startUpstream(REPLIES[what]);
    onTestFinished(() => upstream.close());
    const { url, ended } = await failing(upstream.url, FAILURES[when] as Write);
    await expect(callTool(url, 'book')).rejects.toThrow();
    expect((await ended).outcome).toBe('client_gone');
  },
);
