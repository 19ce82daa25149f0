/**
 * What peers send stays between them. Canaries go through the built binary on every way an exchange can take, and none
 * of them is found where operators look, nor in an answer of the gateway's own.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { type Binary, startBinary } from './support/binary.js';
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
} from './support/canaries.js';
import {
  type CallOptions,
  callTool,
  EventReader,
  FORM,
  open,
  requestHeaders,
  requestText,
} from './support/client.js';
import { writeConfig } from './support/config-file.js';
import { rawRequest, sendRaw } from './support/raw.js';
import { resultReply, startUpstream, type Upstream } from './support/upstream.js';

const SPANS = pathToFileURL(resolve('test/support/span-lines.mjs')).href;

interface UnderTest {
  readonly gateway: Binary;
  readonly upstream: Upstream;
  readonly origin: string;
  /** Calls a tool with canaries wherever a client can put them. */
  readonly send: (route: string, tool: string, options?: CallOptions) => Promise<Sent>;
}

interface Sent {
  // biome-ignore lint/suspicious/noExplicitAny: tests read freely into what they assert
  readonly message: any;
  /** Header fields and body. */
  readonly whole: string;
  /** The same of a reply that is the gateway's alone; of a stream, its last event. */
  readonly own: string;
}

async function start(): Promise<UnderTest> {
  const upstream = await startUpstream((request) => {
    const tool = TOOLS[String(request.json().params?.name)];
    return tool === undefined ? resultReply(request, done) : tool(request);
  });
  onTestFinished(() => upstream.close());
  const { path } = await writeConfig(configFor(upstream.url));
  const env = { NODE_OPTIONS: `--import=${SPANS}` };
  const gateway = await startBinary(['serve', '--config', path], { env });
  onTestFinished(() => gateway.signal('SIGKILL'));
  const { origin } = new URL(gateway.url);
  const send = async (route: string, tool: string, { headers, params, ...more }: CallOptions = {}) => {
    const options = { ...more, params: { ...params }, headers: { ...HEADERS, ...headers } };
    const received = await callTool(`${origin}/${route}`, tool, { secret: CANARY.argument }, options);
    const whole = `${[...received.headers].join('\n')}\n${received.text}`;
    return { message: received.message, whole, own: received.events.at(-1) ?? whole };
  };
  return { gateway, upstream, origin, send };
}

function configFor(upstream: string): object {
  const route = (name: string, more: object) => ({ name, path: `/${name}`, upstream, ...more });
  const tokens = { ops: [`sha256:${'0'.repeat(64)}`] };
  const routes = [
    route('relay', { requestState: 'relay', passThrough: ['/files/'] }),
    route('forbid', { requestState: 'forbid', profile: 'ze' }),
    route('seal', { requestState: 'seal' }),
    route('report', { requestState: 'relay', mode: 'report' }),
    route('named', { requestState: 'relay', auth: { mode: 'bearer', tokens } }),
    { name: 'down', path: '/down', upstream: 'http://127.0.0.1:1/mcp', requestState: 'relay' },
  ];
  return {
    ...{ listen: '127.0.0.1:0', admin: '127.0.0.1:0', seal: { ephemeral: true }, routes },
    ...{ limits: { requestBytes: 65_536 }, log: { level: 'trace' } },
  };
}

/** The canaries reach whom they are for: their absence elsewhere would else say nothing. */
async function sendWhatPasses({ send, upstream }: UnderTest): Promise<void> {
  const asked = { capabilities: FORM };
  expect((await send('relay', 'done', { params: RETRY })).whole).toContain(CANARY.result);
  for (const tool of ['stream', 'tool-error'])
    expect((await send('relay', tool)).whole).toContain(CANARY.result);
  expect((await send('relay', 'rpc-error')).whole).toContain(CANARY.problem);
  expect((await send('relay', 'issue', asked)).whole).toContain(CANARY.issued);
  expect((await send('report', 'credential', { ...asked, params: RETRY })).whole).toContain(CANARY.question);
  const { requestState } = (await send('seal', 'issue', asked)).message.result;
  const retry = { requestState, inputResponses: ANSWERS };
  const again = await send('seal', 'issue', { ...asked, id: 2, params: retry });
  expect(again.message.result.resultType).toBe('input_required');
  expect(again.whole).not.toContain(CANARY.issued);
  const arrived = upstream.requests.map(({ rawHeaders, text }) => rawHeaders.join() + text);
  for (const canary of ['credential', 'cookie', 'field', 'state', 'answer', 'argument'] as const)
    expect(arrived[0]).toContain(CANARY[canary]);
  expect(arrived.at(-1)).toContain(CANARY.issued);
}

/** What the gateway answers in a peer's place. */
async function sendWhatIsRefused({ send, origin }: UnderTest): Promise<string[]> {
  const own: string[] = [];
  for (const [route, options] of REFUSED_INBOUND) own.push((await send(route, 'done', options)).own);
  for (const tool of REFUSED_OUTBOUND)
    own.push((await send('forbid', tool, { capabilities: FORM })).own, (await send('forbid', tool)).own);
  own.push((await send('down', 'done', { params: RETRY })).own);
  const request = { params: { name: 'done', arguments: { secret: CANARY.argument }, ...RETRY } };
  const fields = Object.entries({ ...requestHeaders('tools/call', request), ...HEADERS }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const raw = async (start: string, body = '') => {
    const { fields: head, text } = await sendRaw(
      Number(new URL(origin).port),
      rawRequest(start, fields, body),
    );
    own.push(`${head.join('\n')}\n${text}`);
  };
  for (const body of brokenBodies(requestText('tools/call', request))) await raw('POST /relay', body);
  await raw(`GET /${CANARY.field}?a=${CANARY.state}`);
  await raw(`POST /relay/x;${CANARY.field}`);
  await raw(`DELETE /relay?${CANARY.state}`);
  expect(own.filter((answer) => !answer.includes('"error":'))).toEqual([]);
  return own;
}

/** The client leaves while the upstream has its request. */
async function sendAndLeave({ gateway, upstream, origin }: UnderTest): Promise<void> {
  const leave = new AbortController();
  const options = { params: { name: 'never', ...RETRY }, headers: HEADERS, signal: leave.signal };
  const arrived = upstream.request(upstream.requests.length);
  const left = open(`${origin}/relay`, 'tools/call', options).catch(() => undefined);
  await arrived;
  leave.abort();
  await left;
  await gateway.line(({ outcome }) => outcome === 'client_gone');
}

/** Listens to the status page's events; what is returned waits for that of a last decision, and has all that came. */
async function listen({ gateway: { adminUrl }, origin }: UnderTest): Promise<() => Promise<string>> {
  const leave = new AbortController();
  const reader = new EventReader(await fetch(`${adminUrl}events`, { signal: leave.signal }));
  let heard = '';
  const listening = async () => {
    for (let block = await reader.next(); block !== undefined; block = await reader.next()) heard += block;
  };
  const ended = listening().catch(() => undefined);
  return async () => {
    const params = { uri: 'file:///last', requestState: CANARY.state };
    await open(`${origin}/forbid`, 'resources/read', { params, headers: HEADERS });
    await expect.poll(() => heard, { timeout: 10_000 }).toContain('file:///last');
    leave.abort();
    await ended;
    return heard;
  };
}

async function textAt(url: string): Promise<string> {
  const response = await fetch(url);
  return `${[...response.headers].join('\n')}\n${await response.text()}`;
}

/** How a canary may look where it was written. */
function formsOf(canary: string): readonly string[] {
  const bytes = Buffer.from(canary);
  return [canary, canary.toLowerCase(), bytes.toString('base64').slice(0, 16), bytes.toString('hex')];
}

it('keeps what peers send out of metrics, logs, spans, the status page and its own answers', async () => {
  const underTest = await start();
  const { gateway, origin } = underTest;
  const heard = await listen(underTest);
  await sendWhatPasses(underTest);
  const own = await sendWhatIsRefused(underTest);
  await sendAndLeave(underTest);
  await fetch(`${origin}/files/x?token=${CANARY.state}`, { headers: HEADERS });

  const watched = new Map([['answers', own.join('\n')]]);
  watched.set('events', await heard());
  for (const path of ['', 'status.json', 'metrics', 'readyz'])
    watched.set(path || 'page', await textAt(gateway.adminUrl + path));
  const { stdout, stderr } = await gateway.stop();
  watched.set('log', stdout).set('spans', stderr);
  expectTraffic(watched, gateway);
  const found = Object.values(CANARY).flatMap((canary) =>
    [...watched].flatMap(([where, text]) =>
      formsOf(canary).some((form) => text.includes(form)) ? [`${canary} in ${where}`] : [],
    ),
  );
  expect(found).toEqual([]);
});

/** Every outcome came about, and many rules found something, wherever one looks. */
function expectTraffic(watched: ReadonlyMap<string, string>, { lines }: Binary): void {
  const outcomes = new Set(lines.filter(({ msg }) => msg === 'exchange').map(({ outcome }) => outcome));
  expect([...outcomes].sort()).toEqual([
    ...['client_gone', 'input_required', 'ok', 'refused_inbound', 'refused_outbound'],
    ...['rpc_error', 'tool_error', 'upstream_failed'],
  ]);
  const { rules, decisions } = JSON.parse(watched.get('status.json')?.split('\n').at(-1) ?? '{}');
  const shown = { 'status.json': JSON.stringify(decisions) };
  for (const [where, text] of Object.entries({ ...Object.fromEntries(watched), ...shown })) {
    if (!['events', 'spans', 'log', 'status.json', 'answers'].includes(where)) continue;
    const found = rules.filter(({ id }: { id: string }) => text.includes(`"${id}"`));
    expect(found.length, where).toBeGreaterThan(15);
  }
  expect(watched.get('page')).toContain('<title>mrtr-gateway status</title>');
  expect(watched.get('metrics')).toMatch(/mrtr_gateway_findings_total\{.*\} [1-9]/);
}
