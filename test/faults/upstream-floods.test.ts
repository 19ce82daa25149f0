/** An upstream that sends without end: each flood is cut at its limit, and takes no memory that does not come back. */
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerHead,
  type Connection,
  chunk,
  endlessly,
  jsonHead,
  type RawRequest,
  resultText,
  streamHead,
  trickle,
} from '../support/raw-upstream.js';
import { eventsOf, type Rig, startRig, survives } from '../support/rig.js';

const LIMIT = 1_048_576;
const KILOBYTES = 'x'.repeat(16_384);
const NOTIFICATION = 'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n';
/** A hundred megabytes of one letter, in a few hundred kilobytes at most. */
const BOMB = Buffer.concat([
  Buffer.from('{"jsonrpc":"2.0","id":"x","result":{"text":"'),
  Buffer.alloc(100_000_000, 'x'),
]);
/** What a process may have grown by while it held what its limits allow. */
const GROWTH_BYTES = 64_000_000;

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ limits: { requestBytes: LIMIT, responseBytes: LIMIT, eventBytes: LIMIT } });
});
afterAll(() => rig.stop());

type Act = (connection: Connection, request: RawRequest) => unknown;

const TOO_LARGE = "the upstream's answer is not readable: it is larger than the limit";
const NO_HTTP = 'the upstream did not answer in HTTP';

/** First this, then the same piece for ever. */
function flooding(first: string | Uint8Array, piece: string | Uint8Array): Act {
  return async (connection) => {
    await connection.send(first);
    await trickle(connection, endlessly(piece));
  };
}

function whole(bytes: Uint8Array, ...fields: readonly string[]): Act {
  return async ({ send }) => {
    await send(jsonHead('connection: close', `content-length: ${bytes.length}`, ...fields));
    await send(bytes);
  };
}

function wholeStream(bytes: Uint8Array, coding: string): Act {
  return async ({ send }) => {
    await send(answerHead('200 OK', ['content-type: text/event-stream', `content-encoding: ${coding}`]));
    await send(bytes);
  };
}

describe('an upstream', () => {
  const cases: readonly (readonly [string, Act, string])[] = [
    [
      'that sends endless fields',
      flooding('HTTP/1.1 200 OK\r\n', 'x-more: and more\r\n'.repeat(500)),
      NO_HTTP,
    ],
    ['that sends one endless field', flooding('HTTP/1.1 200 OK\r\nx: ', KILOBYTES), NO_HTTP],
    ['that sends endless JSON', flooding(`${jsonHead()}{"jsonrpc":"2.0","x":"`, KILOBYTES), TOO_LARGE],
    [
      'that sends endless JSON in chunks',
      flooding(jsonHead('transfer-encoding: chunked'), chunk(KILOBYTES)),
      TOO_LARGE,
    ],
    [
      'that sends endless JSON in chunks of one byte',
      flooding(jsonHead('transfer-encoding: chunked'), Buffer.concat(Array(10_000).fill(chunk('[')))),
      TOO_LARGE,
    ],
    [
      'that states an endless body',
      flooding(jsonHead('content-length: 9007199254740991'), KILOBYTES),
      TOO_LARGE,
    ],
    ['that sends endless blank space', flooding(jsonHead(), ' '.repeat(16_384)), TOO_LARGE],
    ['whose gzip unpacks a thousandfold', whole(gzipSync(BOMB), 'content-encoding: gzip'), TOO_LARGE],
    [
      'whose deflate unpacks a thousandfold',
      whole(deflateSync(BOMB), 'content-encoding: deflate'),
      TOO_LARGE,
    ],
    [
      'whose br unpacks a thousandfold',
      whole(
        brotliCompressSync(BOMB, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
        'content-encoding: br',
      ),
      TOO_LARGE,
    ],
    [
      'that sends an endless event',
      flooding(`${streamHead()}${chunk('data: ')}`, chunk(KILOBYTES)),
      TOO_LARGE,
    ],
    [
      'that sends an event of endless lines',
      flooding(streamHead(), chunk('data: x\n'.repeat(1_000))),
      TOO_LARGE,
    ],
    [
      'that sends an event of endless lines which say nothing',
      flooding(streamHead(), chunk('id: 1\nx\n'.repeat(1_000))),
      TOO_LARGE,
    ],
    [
      'whose compressed event is endless',
      wholeStream(gzipSync(Buffer.concat([Buffer.from('data: '), BOMB])), 'gzip'),
      TOO_LARGE,
    ],
  ];

  it.each(cases)('%s is cut and answered for', async (_, act, message) => {
    await survives(rig, { outcomes: ['upstream_failed'], failures: { invalid: 1 } }, async () => {
      rig.upstream.use(async (connection) => act(connection, await connection.request()));
      const before = await resident();
      const got = await rig.send(rig.toolCall('x'));
      expect([got.status, got.json().id, got.json().error.message]).toEqual([502, 'x', message]);
      expect((await resident()) - before).toBeLessThan(GROWTH_BYTES);
    });
  });

  it('that sends an endless status line is given up in time', async () => {
    await survives(rig, { outcomes: ['upstream_failed'], failures: { timeout: 1 } }, async () => {
      rig.upstream.use(async (connection) => {
        await connection.request();
        await flooding('HTTP/1.1 200 ', KILOBYTES)(connection, NONE);
      });
      const before = await resident();
      expect((await rig.send(rig.toolCall('x'))).status).toBe(504);
      expect((await resident()) - before).toBeLessThan(GROWTH_BYTES);
    });
  });

  it('that sends an endless event after another is cut in its stream', async () => {
    await survives(rig, { outcomes: ['upstream_failed'], failures: { invalid: 1 } }, async () => {
      rig.upstream.use(async (connection) => {
        await connection.request();
        await flooding(`${streamHead()}${chunk(NOTIFICATION)}${chunk('data: ')}`, chunk(KILOBYTES))(
          connection,
          NONE,
        );
      });
      const got = await rig.send(rig.toolCall('x'));
      expect(eventsOf(got.text)).toMatchObject([
        { method: 'notifications/tools/list_changed' },
        { id: 'x', error: { message: TOO_LARGE } },
      ]);
    });
  });

  it("that goes on after its whole answer is cut, and nothing of it is anybody's", async () => {
    await survives(rig, { outcomes: ['ok', 'ok'] }, async () => {
      rig.upstream.use(async (connection) => {
        const text = resultText(await connection.request());
        await flooding(jsonHead(`content-length: ${text.length}`) + text, KILOBYTES)(connection, NONE);
      });
      expect((await rig.send(rig.toolCall('x'))).json().id).toBe('x');
      await expect.poll(() => rig.upstream.open()).toBe(0);
      rig.upstream.use(async ({ send, request, socket }) => {
        await send(jsonHead() + resultText(await request()));
        socket.end();
      });
      expect((await rig.send(rig.toolCall('y'))).json().id).toBe('y');
    });
  });

  it('that goes on after the response of its stream is cut', async () => {
    await survives(rig, { outcomes: ['ok'] }, async () => {
      rig.upstream.use(async (connection) => {
        const request = await connection.request();
        await connection.send(streamHead() + chunk(`data: ${resultText(request)}\n\n`));
        await trickle(connection, endlessly(chunk(NOTIFICATION)));
      });
      const got = await rig.send(rig.toolCall('x'));
      expect(eventsOf(got.text)).toEqual([
        { jsonrpc: '2.0', id: 'x', result: { resultType: 'complete', content: [] } },
      ]);
    });
  });
});

const NONE: RawRequest = { head: '', body: '', id: 'null' };

/** Streams have no end of their own: they last as long as their client reads. */
describe('a stream without end', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['events', NOTIFICATION],
    ['comments', ': still here\n\n'],
    ['events that are dropped', 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n'],
    ['events without data', 'event: ping\nid: 1\n\n'],
    ['blank lines', '\n\n\n'],
  ];

  it.each(cases)('of %s ends when its client leaves', async (_, piece) => {
    await survives(rig, { outcomes: ['client_gone'] }, async () => {
      rig.upstream.use(async (connection) => {
        await connection.request();
        await connection.send(streamHead() + chunk(NOTIFICATION));
        await trickle(connection, endlessly(chunk(piece.repeat(100))));
      });
      const client = await rig.connect();
      client.socket.write(rig.toolCall('x'));
      await client.received(200);
      const before = await resident();
      await pulse(10);
      client.reset();
      expect((await resident()) - before).toBeLessThan(GROWTH_BYTES);
    });
  });
});

async function resident(): Promise<number> {
  return (await rig.counts()).get('process_resident_memory_bytes') ?? 0;
}

/** So many answers of the gateway later: meanwhile the flood goes on, and others are served. */
async function pulse(times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await rig.counts();
}
