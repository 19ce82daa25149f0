/** A stream that the upstream compresses although it was asked not to. */
import {
  type BrotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  type Deflate,
  deflateSync,
  type Gzip,
  gzipSync,
} from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { callTool, EventReader, open } from '../support/client.js';
import { buffered, findings } from '../support/counts.js';
import { startPair } from '../support/pair.js';
import { gate, type Step, sseEvent, sseReply } from '../support/upstream.js';

const DONE = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}';
const PROGRESS =
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}';
const TOOL = { params: { name: 'book', arguments: {} }, meta: { progressToken: 'p' } };

interface Coder {
  readonly make: () => Gzip | Deflate | BrotliCompress;
  readonly whole: (bytes: Buffer) => Buffer;
}

const CODERS: Readonly<Record<string, Coder>> = {
  gzip: { make: createGzip, whole: gzipSync },
  'X-Gzip': { make: createGzip, whole: gzipSync },
  deflate: { make: createDeflate, whole: deflateSync },
  br: { make: createBrotliCompress, whole: brotliCompressSync },
};

/** The steps, text of them compressed and flushed, as a server that compresses each event writes them. */
async function* compressed(
  coder: Gzip | Deflate | BrotliCompress,
  steps: readonly (string | Promise<unknown>)[],
  whole = true,
): AsyncGenerator<Uint8Array> {
  const flushed = () => new Promise<void>((resolve) => coder.flush(() => resolve()));
  for (const step of steps) {
    if (typeof step !== 'string') {
      await step;
      continue;
    }
    coder.write(step);
    await flushed();
    for (let some = coder.read(); some !== null; some = coder.read()) yield some as Uint8Array;
  }
  if (!whole) return;
  coder.end();
  for await (const rest of coder) yield rest as Uint8Array;
}

function codedReply(
  coding: string,
  body: AsyncIterable<Step> | Iterable<Step>,
  after: 'end' | 'destroy' | 'stay-open' = 'end',
) {
  return {
    ...sseReply(body, after),
    headers: { 'content-type': 'text/event-stream', 'content-encoding': coding },
  };
}

describe.each(Object.entries(CODERS))('a stream with content coding %s', (coding, { make, whole }) => {
  it('comes out event by event, uncoded', async () => {
    const rest = gate();
    const { url } = await startPair(() =>
      codedReply(coding, compressed(make(), [': x\n\n', sseEvent(PROGRESS), rest.opened, sseEvent(DONE)])),
    );
    const answer = await open(url, 'tools/call', TOOL);
    expect(answer.headers.has('content-encoding')).toBe(false);
    const reader = new EventReader(answer);
    expect(await reader.next()).toBe(': x');
    expect(await reader.nextMessage()).toMatchObject({ method: 'notifications/progress' });
    rest.open();
    expect(await reader.nextMessage()).toMatchObject({ id: 1, result: {} });
    expect(await reader.next()).toBeUndefined();
  });

  it('is judged like any other', async () => {
    const request = sseEvent('{"jsonrpc":"2.0","id":9,"method":"roots/list"}');
    const { url, upstream } = await startPair(() =>
      codedReply(coding, compressed(make(), [request], false), 'stay-open'),
    );
    const answer = await callTool(url, 'book');
    expect(answer.message.error.data.rule).toBe('no-server-request');
    await (await upstream.request(0)).aborted;
  });

  it('keeps the response that came before the upstream cut it', async () => {
    const { url } = await startPair(() =>
      codedReply(coding, compressed(make(), [sseEvent(PROGRESS), sseEvent(DONE)], false), 'destroy'),
    );
    const answer = await callTool(url, 'book', {}, TOOL);
    expect(answer.events).toEqual([PROGRESS, DONE]);
  });

  it('is missing its response when it is cut before that', async () => {
    const { url } = await startPair(() =>
      codedReply(coding, compressed(make(), [sseEvent(PROGRESS)], false), 'destroy'),
    );
    const answer = await callTool(url, 'book', {}, TOOL);
    expect(answer.events).toHaveLength(2);
    expect(answer.message).toMatchObject({ id: 1, error: { code: -32603 } });
  });

  it('is refused where it is not what it says', async () => {
    const { url, gateway } = await startPair(() => codedReply(coding, [sseEvent(DONE)]));
    const answer = await callTool(url, 'book');
    expect(answer.status).toBe(502);
    expect(answer.message.error.data.rule).toBe('response-readable');
    expect(findings(gateway)).toEqual(['response-readable']);
  });

  it('is not expanded beyond the limit of an event', async () => {
    const bomb = whole(Buffer.from(`${sseEvent(PROGRESS)}data: ${'x'.repeat(64 << 20)}`));
    const { url, gateway, upstream } = await startPair(() => codedReply(coding, [bomb], 'stay-open'), {
      limits: { eventBytes: 100_000 },
    });
    const answer = await callTool(url, 'book', {}, TOOL);
    expect(answer.message.error.data.rule).toBe('response-readable');
    await (await upstream.request(0)).aborted;
    await gateway.ended(0);
    expect(buffered(gateway).now).toBe(0);
    expect(buffered(gateway).most).toBeLessThan(200_000);
  });
});

describe('a content coding', () => {
  it.each(['zstd', 'compress', 'gzip, br'])('that cannot be undone is refused: %s', async (coding) => {
    const { url, upstream } = await startPair(() =>
      codedReply(coding, [gzipSync(sseEvent(DONE))], 'stay-open'),
    );
    const answer = await callTool(url, 'book');
    expect(answer.status).toBe(502);
    expect(answer.message).toMatchObject({ id: 1, error: { data: { rule: 'response-readable' } } });
    await (await upstream.request(0)).aborted;
  });

  it('may be identity', async () => {
    const { url } = await startPair(() => codedReply('identity', [sseEvent(DONE)]));
    expect((await callTool(url, 'book')).events).toEqual([DONE]);
  });
});

describe('flushing', () => {
  it('is left to the upstream: what it holds back comes with its next flush', async () => {
    const coder = createGzip({ flush: constants.Z_NO_FLUSH });
    coder.end(sseEvent(PROGRESS) + sseEvent(DONE));
    const { url } = await startPair(() => codedReply('gzip', coder));
    expect((await callTool(url, 'book', {}, TOOL)).events).toEqual([PROGRESS, DONE]);
  });
});
