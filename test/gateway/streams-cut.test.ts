/** A stream is the same stream wherever the network cuts it: the client gets the same bytes. */
import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replyTo } from '../support/stream-reply.js';

/** Everything that framing can be, a dropped and a rewritten event, characters of every length, and a late message. */
const STREAM = Buffer.from(
  [
    '\ufeff: first\r\n\r\n',
    'event: x\ndata:{"jsonrpc":"2.0","method":"notifications/progress",\rdata: "params":{"progressToken":"p","message":"é€🎉"}}\r\r',
    'data\n\n',
    'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n',
    ':ping\n',
    'id: 1\r\nretry: 5\r\ndata: nothing\r\n\r\n',
    'data: {"jsonrpc":"2.0",\r\ndata: "id":1,\r\ndata:  "result":{"resultType":"complete","content":[]}}\r\n\r\n',
    'data: {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","late":true}}\n\n',
  ].join(''),
);
const EXPECTED = [
  ': first\n\n',
  'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress",\ndata: "params":{"progressToken":"p","message":"é€🎉"}}\n\n',
  ':ping\n\n',
  'event: message\ndata: {"jsonrpc":"2.0",\ndata: "id":1,\ndata:  "result":{"resultType":"complete","content":[]}}\n\n',
].join('');

function cutAt(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const ends = [...new Set(places)].sort((one, other) => one - other);
  return [0, ...ends].map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length));
}

describe('a stream', () => {
  it('is as expected when it comes whole', async () => {
    expect(await replyTo([STREAM])).toBe(EXPECTED);
  });

  it('is the same cut at any one byte', async () => {
    for (let place = 1; place < STREAM.length; place += 1)
      expect(await replyTo(cutAt(STREAM, [place])), `cut at ${place}`).toBe(EXPECTED);
  });

  it('is the same cut after every byte', async () => {
    expect(await replyTo(cutAt(STREAM, [...STREAM.keys()].slice(1)))).toBe(EXPECTED);
  });

  it('is the same cut anywhere', async () => {
    const places = fc.array(fc.integer({ min: 1, max: STREAM.length - 1 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(places, async (cuts) => (await replyTo(cutAt(STREAM, cuts))) === EXPECTED),
    );
  });

  const codings = {
    gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH }),
    deflate: () => createDeflate({ flush: constants.Z_SYNC_FLUSH }),
    br: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  };
  it.each(Object.entries(codings))(
    'is the same compressed with %s and cut anywhere',
    async (coding, make) => {
      const coder = make();
      coder.end(STREAM);
      const parts: Buffer[] = [];
      for await (const part of coder) parts.push(part as Buffer);
      const compressed = Buffer.concat(parts);
      const places = fc.array(fc.integer({ min: 1, max: compressed.length - 1 }), { maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(
          places,
          async (cuts) =>
            (await replyTo(cutAt(compressed, cuts), { headers: ['content-encoding', coding] })) === EXPECTED,
        ),
        { numRuns: 30 },
      );
    },
  );
});
