import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callTool } from '../support/client.js';
import { startGateway } from '../support/pair.js';
import { AUTHORITY, CLIENT_CERTIFICATE, CLIENT_KEY, SERVER_CERTIFICATE, SERVER_KEY } from '../support/tls.js';

const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}';

interface Seen {
  readonly host: string | undefined;
  readonly client: string | undefined;
}

/** An upstream that shows its certificate, and wants to see one when told so. */
async function startTls(requestCert: boolean): Promise<{ origin: string; seen: readonly Seen[] }> {
  const seen: Seen[] = [];
  const options = { cert: SERVER_CERTIFICATE, key: SERVER_KEY, ca: AUTHORITY, requestCert };
  const server = createServer(options, (req, res) => {
    const name = (req.socket as TLSSocket).getPeerCertificate().subject?.CN;
    seen.push({ host: req.headers.host, client: typeof name === 'string' ? name : undefined });
    req.resume().on('end', () => res.writeHead(200, { 'content-type': 'application/json' }).end(RESULT));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  return { origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** What messages and what passes through come back with. */
async function statuses(upstream: Record<string, unknown>): Promise<readonly number[]> {
  const gateway = await startGateway(String(upstream.url), { route: { upstream, passThrough: ['/docs/'] } });
  const passed = await fetch(`${gateway.origin}/docs/a`);
  return [(await callTool(gateway.url, 'echo')).status, passed.status];
}

describe('an upstream behind TLS', () => {
  it('is trusted when the configured authority vouches for it', async () => {
    const { origin, seen } = await startTls(false);
    expect(await statuses({ url: `${origin}/mcp`, ca: AUTHORITY })).toEqual([200, 200]);
    const host = origin.slice('https://'.length);
    expect(seen).toEqual([
      { host, client: undefined },
      { host, client: undefined },
    ]);
  });

  it('is not trusted when nobody vouches for it', async () => {
    const { origin, seen } = await startTls(false);
    expect(await statuses({ url: `${origin}/mcp` })).toEqual([502, 502]);
    expect(await statuses({ url: `${origin}/mcp`, ca: CLIENT_CERTIFICATE })).toEqual([502, 502]);
    expect(seen).toEqual([]);
  });

  it('is shown the configured certificate', async () => {
    const { origin, seen } = await startTls(true);
    const own = { ca: AUTHORITY, cert: CLIENT_CERTIFICATE, key: CLIENT_KEY };
    expect(await statuses({ url: `${origin}/mcp`, ...own })).toEqual([200, 200]);
    expect(seen.map(({ client }) => client)).toEqual(['client', 'client']);
    expect(await statuses({ url: `${origin}/mcp`, ca: AUTHORITY })).toEqual([502, 502]);
  });
});
