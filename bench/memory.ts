/**
 * What the gateway takes of memory for the messages that it holds: requests of 4 MiB, all at once, whose upstream does not
 * answer. `npm run build && node --import tsx bench/memory.ts [REQUESTS]`; NODE_OPTIONS reach the gateway too.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { requestHeaders, requestText } from '../test/support/client.js';

const REQUESTS = Number(process.argv[2] ?? 8);
const BYTES = 4_000_000;
const MIB = 1_048_576;

/** Elements of an array that fills a message. */
const ELEMENTS: readonly (readonly [shape: string, element: (index: number) => string])[] = [
  ['one long text', () => ''],
  ['objects of one number', () => '{"key":12345}'],
  ['numbers of one digit', () => '1'],
  ['empty arrays', () => '[]'],
  ['empty objects', () => '{}'],
  ['objects of names of their own', (index) => `{"${index.toString(36)}":1}`],
];

function messageOf(element: (index: number) => string): { body: string; headers: Record<string, string> } {
  const elements: string[] = [];
  for (let bytes = 0; bytes < BYTES && element(0) !== ''; bytes += (elements.at(-1)?.length ?? 0) + 1)
    elements.push(element(elements.length));
  const filling = element(0) === '' ? 'x'.repeat(BYTES) : '';
  const options = { params: { name: 'tool', arguments: { filling } } };
  const body = requestText('tools/call', options).replace(
    '"filling":""',
    `"filling":[${elements.join(',')}]`,
  );
  return { body, headers: requestHeaders('tools/call', options) };
}

function residentBytes(gateway: ChildProcess, measure: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8');
  return Number(new RegExp(`${measure}:\\s+(\\d+)`).exec(status)?.[1]) * 1024;
}

interface Taken {
  readonly idle: number;
  readonly held: number;
  readonly refused: number;
  readonly resident: number;
  readonly peak: number;
}

async function measure(element: (index: number) => string): Promise<Taken> {
  const message = messageOf(element);
  let settled = 0;
  let refused = 0;
  let all: () => void = () => {};
  const everyOne = new Promise<void>((resolve) => {
    all = resolve;
  });
  const settle = () => {
    settled += 1;
    if (settled === REQUESTS) all();
  };
  // An upstream that reads to the end of each message and keeps still.
  const upstream = createServer((socket) => {
    let bytes = 0;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const before = bytes;
      bytes += chunk.length;
      if (before < message.body.length && bytes >= message.body.length) settle();
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as AddressInfo;
  const free = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
  const args = ['dist/cli.js', 'serve', '--upstream', `http://127.0.0.1:${port}/mcp`, ...free];
  // So many messages may take longer to arrive than one client may take.
  const env = { ...process.env, MRTR_GATEWAY_TIMEOUTS_REQUEST_MS: '0' };
  const gateway = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  gateway.once('exit', (code) => {
    if (code === null) return;
    console.error(`the gateway ended with ${code}`);
    process.exit(1);
  });
  for await (const line of createInterface({ input: gateway.stdout })) {
    const { msg, url } = JSON.parse(line);
    if (msg !== 'listening') continue;
    const idle = residentBytes(gateway, 'VmRSS');
    const refusal = ({ status }: Response) => {
      if (status !== 503) throw new Error(`answered with ${status}`);
      refused += 1;
      settle();
    };
    for (let n = 0; n < REQUESTS; n += 1) fetch(url, { method: 'POST', ...message }).then(refusal, () => {});
    await everyOne;
    const [resident, peak] = [residentBytes(gateway, 'VmRSS'), residentBytes(gateway, 'VmHWM')];
    gateway.kill('SIGKILL');
    upstream.close();
    return { idle, held: (REQUESTS - refused) * message.body.length, refused, resident, peak };
  }
  throw new Error('the gateway did not start');
}

const mib = (bytes: number) => `${Math.round(bytes / MIB)} MiB`;
console.log(`${REQUESTS} requests of ${Math.round(BYTES / MIB)} MiB, Node ${process.version}`);
for (const [shape, element] of ELEMENTS) {
  const { idle, held, refused, resident, peak } = await measure(element);
  const times = ((resident - idle) / Math.max(held, 1)).toFixed(1);
  console.log(
    `${shape}: idle ${mib(idle)}, holding ${mib(held)}, ${refused} refused: ${mib(resident)}, ` +
      `${times} bytes for each held; never more than ${mib(peak)}`,
  );
}
process.exit();
