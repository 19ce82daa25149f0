import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBinary } from '../support/binary.js';
import { callTool, FORM } from '../support/client.js';

const PRELOAD = pathToFileURL(resolve('examples/tracing/print-spans.mjs')).href;
const CALLER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('the example of tracing', () => {
  it('turns spans on in the binary, which goes on with the caller’s trace', async () => {
    const ports = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
    const demo = await startBinary(['demo', ...ports], { env: { NODE_OPTIONS: `--import=${PRELOAD}` } });
    onTestFinished(() => demo.signal('SIGKILL'));
    const headers = { traceparent: CALLER };
    await callTool(demo.url, 'ze_execute', { command: 'show version' }, { capabilities: FORM, headers });
    await demo.line(({ msg }) => msg === 'exchange');
    const { stderr } = await demo.stop();
    const spans = stderr.split('\n').map((line) => JSON.parse(line));
    const server = spans.find(({ kind }) => kind === 'SERVER');
    expect(server).toMatchObject({
      name: 'tools/call ze_execute',
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      parentSpanId: '00f067aa0ba902b7',
      attributes: { 'mrtr_gateway.outcome': 'ok' },
    });
    const client = { name: 'tools/call ze_execute', kind: 'CLIENT', parentSpanId: server.spanId };
    expect(spans).toContainEqual(expect.objectContaining(client));
    expect(stderr).not.toContain('show version');
  });
});
