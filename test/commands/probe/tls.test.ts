import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runBinary } from '../../support/binary.js';
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from '../../support/tls.js';

const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[]}}';

async function startTls(): Promise<string> {
  const server = createServer({ cert: SERVER_CERTIFICATE, key: SERVER_KEY }, (req, res) => {
    req.resume().on('end', () => res.writeHead(200, { 'content-type': 'application/json' }).end(RESULT));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

describe('a server behind TLS', () => {
  it('is not spoken to when nobody vouches for it', async () => {
    const { code, stdout } = await runBinary(['probe', await startTls(), '--do', 'list']);
    expect(stdout).toContain('! no TLS connection that can be trusted came about (');
    expect(code).toBe(4);
  });

  it('is, with every byte inside TLS shown, when NODE_EXTRA_CA_CERTS names who does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mrtr-gateway-probe-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'ca.pem');
    writeFileSync(file, AUTHORITY);
    const env = { NODE_EXTRA_CA_CERTS: file };
    const { code, stdout } = await runBinary(['probe', await startTls(), '--raw', '--do', 'list'], { env });
    expect(stdout).toContain('>> POST /mcp HTTP/1.1\\r\\n');
    expect(stdout).toContain('<< HTTP/1.1 200 OK\\r\\n');
    expect(code).toBe(0);
  });
});
