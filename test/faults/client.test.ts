/** Clients that misbehave or leave at any moment: the upstream is told, the others are served, nothing is left over. */
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest } from '../support/raw.js';
import {
  answering,
  answeringOnce,
  type Connection,
  chunk,
  endlessly,
  jsonAnswer,
  jsonHead,
  type RawRequest,
  resultText,
  streamHead,
  trickle,
} from '../support/raw-upstream.js';
import { audited, type Client, type Rig, startRig, survives, toolCall } from '../support/rig.js';
import { gate } from '../support/upstream.js';

const BODY_LIMIT = 1_048_576;
const GROWTH_BYTES = 64_000_000;
const NOTIFICATION = 'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ limits: { requestBytes: BODY_LIMIT } });
});
afterAll(() => rig.stop());

async function resident(): Promise<number> {
  return (await rig.counts()).get('process_resident_memory_bytes') ?? 0;
}

/** Head and body of a tool call, apart. */
function split(...fields: readonly string[]): { readonly head: string; readonly body: string } {
  const text = toolCall('x', ...fields).toString();
  const end = text.indexOf('\r\n\r\n') + 4;
  return { head: text.slice(0, end), body: text.slice(end) };
}

const WHOLE = toolCall('x');
const { head: HEAD, body: BODY } = split();

describe('clients that come all at once', () => {
  const COMING = 600;
  const MOST_WAITING = '/proc/sys/net/core/somaxconn';
  const waiting = existsSync(MOST_WAITING) ? Number(readFileSync(MOST_WAITING, 'utf8')) : 0;

  it.skipIf(waiting < COMING)(`while it is busy are all let in: ${waiting} may wait here`, async () => {
    rig.binary.signal('SIGSTOP');
    try {
      const clients = await Promise.all(Array.from({ length: COMING }, () => rig.connect()));
      for (const { socket } of clients) socket.write(rawRequest('GET /nothing'));
      rig.binary.signal('SIGCONT');
      const answers = await Promise.all(clients.map((client) => client.answer()));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    } finally {
      rig.binary.signal('SIGCONT');
    }
  });
});

describe('a client that leaves', () => {
  const leaves: readonly (readonly [string, (client: Client) => void])[] = [
    ['resetting', (client) => client.reset()],
    ['closing', (client) => void client.socket.destroy()],
  ];
  const early: readonly (readonly [string, number, boolean])[] = [
    ['before a byte', 0, false],
    ['within the request line', 6, false],
    ['within the head', 60, false],
    ["before the head's last byte", HEAD.length - 1, false],
    ['after the head', HEAD.length, true],
    ['within the body', HEAD.length + 20, true],
    ["before the body's last byte", WHOLE.length - 1, true],
  ];

  it.each(
    early.flatMap(([when, bytes, counts]) =>
      leaves.map(([how, leave]) => [when, how, bytes, counts, leave] as const),
    ),
  )('%s, %s, never reaches the upstream', async (_, _how, bytes, counts, leave) => {
    const from = rig.upstream.connections.length;
    await survives(rig, { outcomes: counts ? ['client_gone'] : [] }, async () => {
      const client = await rig.connect();
      client.socket.write(WHOLE.subarray(0, bytes));
      if (counts) await inFlight(1);
      else await rig.counts();
      leave(client);
      expect(rig.upstream.connections.length).toBe(from);
    });
  });

  type Act = (connection: Connection, request: RawRequest) => unknown;
  const late: readonly (readonly [string, Act, number])[] = [
    ['before the answer', () => undefined, 0],
    ["within the answer's head", ({ send }) => send('HTTP/1.1 200 OK\r\ncontent-'), 0],
    ['within an interim answer', ({ send }) => send('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'), 0],
    ["after the answer's head", ({ send }) => send(jsonHead('content-length: 99')), 0],
    ["within the answer's body", ({ send }) => send(`${jsonHead('content-length: 99')}{"jsonrpc"`), 0],
    ['before the first event', ({ send }) => send(streamHead()), 0],
    ['within the first event', ({ send }) => send(streamHead() + chunk('data: {"jso')), 0],
    ['after an event', ({ send }) => send(streamHead() + chunk(NOTIFICATION)), 100],
    ['within the second event', ({ send }) => send(streamHead() + chunk(`${NOTIFICATION}data: {"js`)), 100],
    [
      'while events come',
      async (connection) => {
        await connection.send(streamHead());
        await trickle(connection, endlessly(chunk(NOTIFICATION)), rig.counts);
      },
      1_000,
    ],
  ];

  it.each(
    late.flatMap(([when, act, bytes]) =>
      leaves.map(([how, leave]) => [when, how, bytes, act, leave] as const),
    ),
  )('%s, %s, is noticed by the upstream at once', async (_, _how, bytes, act, leave) => {
    await survives(rig, { outcomes: ['client_gone'] }, async () => {
      const reached = gate<Connection>();
      rig.upstream.use(async (connection) => {
        const request = await connection.request();
        reached.open(connection);
        await act(connection, request);
      });
      const client = await rig.connect();
      client.socket.write(WHOLE);
      const connection = await reached.opened;
      await client.received(bytes);
      await rig.counts();
      leave(client);
      await connection.closed;
    });
  });

  it('when it has the whole answer has left nothing behind', async () => {
    await survives(rig, { outcomes: ['ok'] }, async () => {
      const client = await rig.connect();
      client.socket.write(toolCall('x', 'Connection: keep-alive'));
      await client.received(200);
      client.reset();
    });
  });

  // Nothing tells it from a client that has closed, and who leaves cancels the request.
  it('on its sending side alone has left', async () => {
    await survives(rig, { outcomes: ['client_gone'] }, async () => {
      rig.upstream.use(({ request }) => request());
      const client = await rig.connect();
      client.socket.write(WHOLE);
      await inFlight(1);
      client.socket.end();
      expect((await client.rest()).toString()).toBe('');
    });
  });
});

async function inFlight(exchanges: number): Promise<void> {
  const now = async () => (await rig.counts()).get('exchanges_in_flight{route="r"}');
  await expect.poll(now, { interval: 5 }).toBe(exchanges);
}

describe('a client that never reads', () => {
  it('a large answer holds no more than that answer, and leaves nothing when it goes', async () => {
    await survives(rig, { outcomes: ['client_gone'] }, async () => {
      rig.upstream.use(async ({ request, send, socket }) => {
        const body = resultText(await request(), `[{"type":"text","text":"${'x'.repeat(12_000_000)}"}]`);
        await send(jsonAnswer(body, 'connection: close'));
        socket.end();
      });
      const client = await rig.connect();
      client.socket.write(WHOLE);
      await expect.poll(async () => (await rig.counts()).get('buffered_bytes')).toBeGreaterThan(12_000_000);
      await expect.poll(() => rig.upstream.open()).toBe(0);
      client.reset();
    });
  });

  it('a stream holds the upstream back', async () => {
    await survives(rig, { outcomes: ['client_gone'] }, async () => {
      let sent = 0;
      rig.upstream.use(async (connection) => {
        await connection.request();
        await connection.send(streamHead());
        const piece = chunk(NOTIFICATION.repeat(200));
        while (!connection.gone()) {
          await connection.send(piece);
          sent += piece.length;
          await new Promise(setImmediate);
        }
      });
      const before = await resident();
      const client = await rig.connect();
      client.socket.write(WHOLE);
      let last = -1;
      await expect
        .poll(
          () => {
            const rests = sent === last && sent > 0;
            last = sent;
            return rests;
          },
          { timeout: 20_000, interval: 300 },
        )
        .toBe(true);
      expect((await resident()) - before).toBeLessThan(GROWTH_BYTES);
      expect((await rig.counts()).get('nodejs_eventloop_lag_seconds')).toBeLessThan(1);
      client.reset();
    });
  });
});

describe('a client that is slow', () => {
  const REFUSED = {
    jsonrpc: '2.0',
    error: { code: -32600, message: 'the request was not complete in time' },
  };

  it.each<readonly [string, string, Iterable<string>, readonly string[]]>([
    ['connects and says nothing', '', [], []],
    ['stops within its head', HEAD.slice(0, 60), [], []],
    ['sends its head a byte at a time', 'POST /mcp HTTP/1.1\r\nx-slow: ', endlessly('x'), []],
    ['stops within its body', HEAD + BODY.slice(0, 20), [], ['refused_inbound']],
    [
      'sends its body a byte at a time',
      split('Content-Length: 99999').head,
      endlessly(' '),
      ['refused_inbound'],
    ],
    ['stops within a chunk', `${chunkedHead()}ff\r\n{`, [], ['refused_inbound']],
    ['sends a chunk a byte at a time', chunkedHead(), endlessly('1\r\n \r\n'), ['refused_inbound']],
  ])('and %s is told so in time', async (_, first, rest, outcomes) => {
    const from = rig.upstream.connections.length;
    await survives(rig, { outcomes }, async () => {
      const client = await rig.connect();
      let gone = false;
      client.socket.once('close', () => {
        gone = true;
      });
      client.socket.write(first);
      const answered = client.answer();
      for (const piece of rest) {
        if (gone || client.socket.destroyed) break;
        client.socket.write(piece);
        await rig.counts();
      }
      const got = await answered;
      expect([got.status, got.json(), got.one('connection')]).toEqual([408, REFUSED, 'close']);
      expect(rig.upstream.connections.length).toBe(from);
    });
  });
});

function chunkedHead(): string {
  return HEAD.replace(/content-length: \d+\r\n/i, 'Transfer-Encoding: chunked\r\n');
}

describe('a client that sends too much', () => {
  it('in its head is told so', async () => {
    await survives(rig, { outcomes: [], rejections: { headerBytes: 1 } }, async () => {
      const got = await rig.send(toolCall('x', `x-filler: ${'y'.repeat(40_000)}`));
      expect([got.status, got.json().error.code]).toEqual([431, -32600]);
    });
  });

  it.each([
    ['by its stated length', () => [split('Content-Length: 99999999').head]],
    ['in chunks', () => [chunkedHead(), chunk('x'.repeat(BODY_LIMIT + 1))]],
  ])('in its body is told so: %s', async (_, pieces) => {
    await survives(rig, { outcomes: ['refused_inbound'] }, async () => {
      const before = await resident();
      const client = await rig.connect();
      for (const piece of pieces()) client.socket.write(piece);
      const bytes = await client.received(100);
      expect(bytes.toString()).toMatch(/^HTTP\/1.1 413 /);
      client.reset();
      expect((await resident()) - before).toBeLessThan(GROWTH_BYTES);
    });
  });
});

describe('a client that is refused before it has sent all', () => {
  const LONG = 8 * BODY_LIMIT;
  const head = split(`Content-Length: ${LONG}`).head;
  const outcomes = ['refused_inbound'];

  it('has its answer, and its connection until then', async () => {
    await survives(rig, { outcomes }, async () => {
      const client = await rig.connect();
      client.socket.write(head);
      const answered = client.answer();
      for (let left = LONG; left > 0; left -= BODY_LIMIT) client.socket.write(Buffer.alloc(BODY_LIMIT, ' '));
      expect((await answered).status).toBe(413);
    });
  });

  it('and sends no more is not waited for', async () => {
    await survives(rig, { outcomes }, async () => {
      const client = await rig.connect();
      client.socket.write(`${head}{`);
      expect((await client.answer()).status).toBe(413);
      await client.closed;
    });
  });
});

describe('a client that frames its request oddly', () => {
  const refused: readonly (readonly [string, string])[] = [
    ['with a length and chunks', split('Content-Length: 5', 'Transfer-Encoding: chunked').head],
    ['with chunks and a length', split('Transfer-Encoding: chunked', 'Content-Length: 5').head],
    ['with two lengths', split('Content-Length: 5', 'Content-Length: 6').head],
    ['with one length twice', split('Content-Length: 5', 'Content-Length: 5').head],
    ['with a length that is none', split('Content-Length: 5x').head],
    ['with two transfer codings', split('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked').head],
    ['with chunks that are not the last coding', split('Transfer-Encoding: chunked, identity').head],
    ['with a hidden transfer coding', split('Transfer-Encoding : chunked').head],
    ['with a field that is folded', split('x-folded: a\r\n b').head],
    ['with a bare line feed', HEAD.replaceAll('\r\n', '\n')],
    ['with a zero byte in a field', split('x: a\0b').head],
    ['in TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['in HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['with a request line that is none', 'hello\r\n\r\n'],
    ['without a host', HEAD.replace(/host: .*\r\n/i, '')],
  ];

  it.each(refused)('%s is refused, and its connection closed', async (_, bytes) => {
    const from = rig.upstream.connections.length;
    await survives(rig, { outcomes: [] }, async () => {
      const got = await rig.send(bytes);
      expect([got.status, got.json().error.code, got.one('connection')]).toEqual([400, -32600, 'close']);
      expect(rig.upstream.connections.length).toBe(from);
    });
  });

  it('with broken chunks is refused, and its connection closed', async () => {
    await survives(rig, { outcomes: ['refused_inbound'] }, async () => {
      const got = await rig.send(`${chunkedHead()}zz\r\n{}`);
      expect([got.status, got.json().error.code, got.one('connection')]).toEqual([400, -32600, 'close']);
    });
    expect(audited(rig.binary.lines).at(-2)).toMatchObject({ outcome: 'refused_inbound', status: 400 });
  });

  it('with three thousand fields hides none of them', async () => {
    const filler = Array.from({ length: 3_000 }, (_, n) => `a${n}: `);
    await survives(rig, { outcomes: ['refused_inbound', 'ok'] }, async () => {
      const twice = await rig.send(toolCall('x', ...filler, 'Mcp-Method: tools/call'));
      expect([twice.status, twice.json().error?.data?.rule]).toEqual([400, 'headers-match-body']);
      const seen = gate<string>();
      rig.upstream.use(async ({ request, send, socket }) => {
        const asked = await request();
        seen.open(asked.head);
        await send(jsonAnswer(resultText(asked), 'connection: close'));
        socket.end();
      });
      expect((await rig.send(toolCall('x', ...filler, 'x-last: 1'))).status).toBe(200);
      expect(await seen.opened).toContain('x-last: 1');
    });
  });
});

describe('a second request on a connection', () => {
  const second: readonly (readonly [string, string, number])[] = [
    ['that is no HTTP', 'hello\r\n\r\n', 400],
    ['with too large a head', `POST /mcp HTTP/1.1\r\nx: ${'y'.repeat(40_000)}\r\n`, 431],
    ['that is not complete in time', HEAD.slice(0, 60), 408],
    ['whose body is not complete in time', HEAD, 408],
  ];

  it.each(second)('%s is refused like a first one', async (_, bytes, status) => {
    const outcomes = bytes === HEAD ? ['ok', 'refused_inbound'] : ['ok'];
    const rejections = status === 431 ? { headerBytes: 1 } : {};
    await survives(rig, { outcomes, rejections }, async () => {
      const client = await rig.connect();
      client.socket.write(toolCall('x', 'Connection: keep-alive'));
      const first = await client.received(200);
      client.socket.write(bytes);
      const rest = (await client.rest()).subarray(first.length).toString();
      expect(rest).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    });
  });

  it('that is no HTTP is not taken for the answer to the first', async () => {
    await survives(rig, { outcomes: ['client_gone'] }, async () => {
      rig.upstream.use(({ request }) => request());
      const client = await rig.connect();
      client.socket.write(toolCall('x', 'Connection: keep-alive'));
      await inFlight(1);
      client.socket.write('hello\r\n\r\n');
      expect((await client.rest()).toString()).toBe('');
    });
  });
});

describe('a client that pipelines', () => {
  const kept = (id: string) => toolCall(id, 'Connection: keep-alive');

  function answersIn(bytes: Buffer): readonly string[] {
    return [...bytes.toString().matchAll(/"id":"([^"]*)"/g)].map(([, id]) => id ?? '');
  }

  it('is answered in the order of its requests, whatever the order of the upstream', async () => {
    await survives(rig, { outcomes: ['ok', 'ok', 'ok'] }, async () => {
      const opened = gate();
      let answered = 0;
      rig.upstream.use(async ({ request, send, socket }) => {
        const asked = await request();
        if (asked.id === '"a"') await opened.opened;
        await send(jsonAnswer(resultText(asked), 'connection: close'));
        socket.end();
        answered += 1;
        if (answered === 2) opened.open();
      });
      const client = await rig.connect();
      client.socket.write(Buffer.concat([kept('a'), kept('b'), toolCall('c')]));
      expect(answersIn(await client.rest())).toEqual(['a', 'b', 'c']);
    });
  });

  it('a refused request after one that waits is answered after it', async () => {
    await survives(rig, { outcomes: ['ok', 'refused_inbound'] }, async () => {
      rig.upstream.use(answeringOnce);
      const client = await rig.connect();
      const second = toolCall('b').toString().replace('tools/call\r\n', 'tools/list\r\n');
      client.socket.write(Buffer.concat([kept('a'), Buffer.from(second)]));
      expect(answersIn(await client.rest())).toEqual(['a', 'b']);
    });
  });

  it.each([
    ['while the first waits', 0],
    ['when the first is answered', 1],
  ])('and leaves %s leaves none of them behind', async (_, answers) => {
    const expected =
      answers === 0 ? ['client_gone', 'client_gone', 'client_gone'] : ['ok', 'client_gone', 'client_gone'];
    await survives(rig, { outcomes: expected }, async () => {
      rig.upstream.use(async ({ request, send, socket }) => {
        const asked = await request();
        if (answers === 0 || asked.id !== '"a"') return;
        await send(jsonAnswer(resultText(asked), 'connection: close'));
        socket.end();
      });
      const client = await rig.connect();
      client.socket.write(Buffer.concat([kept('a'), kept('b'), kept('c')]));
      if (answers > 0) await client.received(100);
      await inFlight(3 - answers);
      client.reset();
    });
  });

  it('and leaves when all but the first are answered leaves none of them behind', async () => {
    await survives(rig, { outcomes: ['client_gone', 'client_gone', 'client_gone'] }, async () => {
      rig.upstream.use(async ({ request, send, socket }) => {
        const asked = await request();
        if (asked.id === '"a"') return;
        await send(jsonAnswer(resultText(asked), 'connection: close'));
        socket.end();
      });
      const client = await rig.connect();
      client.socket.write(Buffer.concat([kept('a'), kept('b'), kept('c')]));
      await inFlight(3);
      await expect.poll(() => rig.upstream.open()).toBe(1);
      client.reset();
    });
  });

  it('without end is held back by the number of exchanges', async () => {
    rig.upstream.use(answering);
    const client = await rig.connect();
    client.socket.write(
      Buffer.concat(Array.from({ length: 200 }, (_, n) => (n === 199 ? toolCall('last') : kept(`${n}`)))),
    );
    const ids = answersIn(await client.rest());
    expect([ids.length, ids.at(-1)]).toEqual([200, 'last']);
    for (const { socket } of rig.upstream.connections) socket.destroy();
  });
});
