/**
 * What the gateway takes of memory for the bytes that it holds: requests of 4 MiB whose upstream does not answer.
 * `npm run build && node --import tsx bench/memory.ts [REQUESTS]`
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { requestHeaders, requestText } from '../test/support/client.js';

const REQUESTS = Number(process.argv[2] ?? 8);
const BYTES = 4_000_000;
const MIB = 1_048_576;

/** Elements of an array that fills a message, from what weighs least when it is read to what weighs most. */
const ELEMENTS: readonly (readonly [shape: string, element: string])[] = [
  ['one long text', ''],
  ['objects of one number', '{"key":12345}'],
  ['numbers of one digit', '1'],
  ['empty arrays', '[]'],
  ['empty objects', '{}'],
];

function messageOf(element: string): { body: string; headers: Record<string, string> } {
  const fill = `[${Array(Math.floor(BYTES / (element.length + 1)))
    .fill(element)
    .join(',')}]`;
  const filling = element === '' ? 'x'.repeat(BYTES) : '';
  const options = { params: { name: 'tool', arguments: { filling } } };
  const body = requestText('tools/call', options);
  return {
    body: element === '' ? body : body.replace('"filling":""', `"filling":${fill}`),
    headers: requestHeaders('tools/call', options),
  };
}

function residentBytes(gateway: ChildProcess): number {
  const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

async function measure(element: string): Promise<{ idle: number; held: number; resident: number }> {
  let arrived = 0;
  let all: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    all = resolve;
  });
  // An upstream that reads to the end of each message and keeps still.
  const message = messageOf(element);
  const upstream = createServer((socket) => {
    let bytes = 0;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const before = bytes;
      bytes += chunk.length;
      if (before < message.body.length && bytes >= message.body.length && ++arrived === REQUESTS) all();
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as AddressInfo;
  const free = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
  const args = ['dist/cli.js', 'serve', '--upstream', `http://127.0.0.1:${port}/mcp`, ...free];
  const gateway = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: gateway.stdout })) {
    const { msg, url } = JSON.parse(line);
    if (msg !== 'listening') continue;
    const idle = residentBytes(gateway);
    for (let n = 0; n < REQUESTS; n += 1) fetch(url, { method: 'POST', ...message }).catch(() => {});
    await held;
    const resident = residentBytes(gateway);
    gateway.kill('SIGKILL');
    upstream.close();
    return { idle, held: REQUESTS * message.body.length, resident };
  }
  throw new Error('the gateway did not start');
}

console.log(`${REQUESTS} requests of ${Math.round(BYTES / MIB)} MiB, Node ${process.version}`);
for (const [shape, element] of ELEMENTS) {
  const { idle, held, resident } = await measure(element);
  const times = ((resident - idle) / held).toFixed(1);
  const mib = (bytes: number) => `${Math.round(bytes / MIB)} MiB`;
  console.log(
    `${shape}: idle ${mib(idle)}, holding ${mib(held)}: ${mib(resident)}, ${times} bytes for each held`,
  );
}
process.exit();
