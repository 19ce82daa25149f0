/** A client that does not read holds the upstream back, and misses nothing when it reads on. */
import { randomBytes } from 'node:crypto';
import { createGzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { requestHeaders, requestText } from '../support/client.js';
import { buffered, inFlight, openStreams } from '../support/counts.js';
import { type Pair, startPair } from '../support/pair.js';
import { parseAnswer, rawRequest } from '../support/raw.js';
import { atRest, sendUnread } from '../support/slow-client.js';
import { type HttpReply, sseEvent, sseReply } from '../support/upstream.js';

const DONE = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}';
const PIECES = 1024;
const PAYLOAD = randomBytes(49_152).toString('base64');
/** Two hops of kernel buffers, and room to spare; the whole is twice as much. */
const MOST_UNDERWAY = 32 << 20;

function notification(n: number): string {
  return `{"jsonrpc":"2.0","method":"notifications/x","params":{"n":${n},"payload":"${PAYLOAD}"}}`;
}

function* events(count = PIECES): Generator<string> {
  for (let n = 0; n < count; n += 1) yield sseEvent(notification(n));
  yield sseEvent(DONE);
}

function expectedEvents(count = PIECES): readonly string[] {
  return [...Array.from({ length: count }, (_, n) => notification(n)), DONE];
}

function callRequest(): Buffer {
  const params = { name: 'book', arguments: {} };
  const fields = Object.entries(requestHeaders('tools/call', { params })).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return rawRequest('POST /mcp', fields, requestText('tools/call', { params }));
}

function eventsOf(text: string): readonly string[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => block.slice('event: message\ndata: '.length));
}

function settled({ gateway }: Pair): void {
  expect(inFlight(gateway)).toBe(0);
  expect(openStreams(gateway)).toBe(0);
  expect(buffered(gateway).now).toBe(0);
}

const KINDS: Readonly<Record<string, () => HttpReply>> = {
  'a stream': () => sseReply(events()),
  'a compressed stream': () => ({
    ...sseReply(gzipped()),
    headers: { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' },
  }),
};

async function* gzipped(): AsyncGenerator<Uint8Array> {
  const coder = createGzip({ level: 1 });
  const write = async () => {
    for (const event of events()) {
      if (!coder.write(event)) await new Promise((resolve) => coder.once('drain', resolve));
    }
    coder.end();
  };
  const written = write();
  for await (const part of coder) yield part as Buffer;
  await written;
}

describe.each(Object.entries(KINDS))('%s', (_, reply) => {
  it('waits for a client that does not read, and then arrives whole', async () => {
    const pair = await startPair(reply);
    const client = await sendUnread(pair.gateway.port, callRequest());
    const { taken } = await pair.upstream.request(0);
    expect(await atRest(taken)).toBeLessThan(MOST_UNDERWAY);
    const answer = parseAnswer(await client.rest());
    const received = eventsOf(answer.text);
    expect(received).toHaveLength(PIECES + 1);
    expect(received.every((event, n) => event === (n < PIECES ? notification(n) : DONE))).toBe(true);
    expect((await pair.gateway.ended(0)).outcome).toBe('ok');
    settled(pair);
  });

  it('is given up when that client leaves', async () => {
    const pair = await startPair(reply);
    const client = await sendUnread(pair.gateway.port, callRequest());
    const request = await pair.upstream.request(0);
    await atRest(request.taken);
    client.leave();
    await request.aborted;
    expect((await pair.gateway.ended(0)).outcome).toBe('client_gone');
    settled(pair);
  });
});

describe('a stream whose upstream closes while its client does not read', () => {
  it('arrives whole', async () => {
    const count = 64;
    const pair = await startPair(() => ({
      headers: { 'content-type': 'text/event-stream', connection: 'close' },
      body: events(count),
    }));
    const client = await sendUnread(pair.gateway.port, callRequest());
    const request = await pair.upstream.request(0);
    await request.closed;
    const answer = parseAnswer(await client.rest());
    expect(eventsOf(answer.text)).toEqual(expectedEvents(count));
    expect((await pair.gateway.ended(0)).outcome).toBe('ok');
  });
});

describe('what passes through', () => {
  const config = { route: { passThrough: ['/files/'] } };
  const request = rawRequest('GET /files/large');

  it('waits for a client that does not read, and then arrives whole', async () => {
    const block = Buffer.from(PAYLOAD);
    const pair = await startPair(() => ({ body: Array.from({ length: PIECES }, () => block) }), config);
    const client = await sendUnread(pair.gateway.port, request);
    const { taken } = await pair.upstream.request(0);
    expect(await atRest(taken)).toBeLessThan(MOST_UNDERWAY);
    const { body } = parseAnswer(await client.rest());
    expect(body.length).toBe(PIECES * block.length);
    expect(body.subarray(-block.length).equals(block)).toBe(true);
  });

  it('is given up when that client leaves', async () => {
    const block = Buffer.from(PAYLOAD);
    const pair = await startPair(() => ({ body: Array.from({ length: PIECES }, () => block) }), config);
    const client = await sendUnread(pair.gateway.port, request);
    const proxied = await pair.upstream.request(0);
    await atRest(proxied.taken);
    client.leave();
    await proxied.aborted;
  });
});

describe('a JSON answer', () => {
  it('counts as held until its client has read it', async () => {
    const large = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"x":"${'y'.repeat(15_000_000)}"}}`;
    const pair = await startPair(() => ({ body: large }));
    const client = await sendUnread(pair.gateway.port, callRequest());
    await (await pair.upstream.request(0)).closed;
    await atRest(() => client.socket.bytesWritten);
    expect(inFlight(pair.gateway)).toBe(1);
    expect(buffered(pair.gateway).now).toBeGreaterThan(15_000_000);
    expect(parseAnswer(await client.rest()).text).toBe(large);
    expect((await pair.gateway.ended(0)).outcome).toBe('ok');
    settled(pair);
  });

  it('is not one that its client got when the client leaves before that', async () => {
    const large = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"x":"${'y'.repeat(15_000_000)}"}}`;
    const pair = await startPair(() => ({ body: large }));
    const client = await sendUnread(pair.gateway.port, callRequest());
    await (await pair.upstream.request(0)).closed;
    await atRest(() => client.socket.bytesWritten);
    client.leave();
    expect((await pair.gateway.ended(0)).outcome).toBe('client_gone');
    settled(pair);
  });
});
