/** Every limit of the built binary at work: one too many is told so and counted, and everybody else goes on. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { META_SUBSCRIPTION_ID } from '../../src/protocol/constants.js';
import { requestHeaders, requestText } from '../support/client.js';
import { type RawAnswer, rawRequest } from '../support/raw.js';
import {
  answeringOnce,
  type Connection,
  chunk,
  jsonAnswer,
  LAST_CHUNK,
  resultText,
  type Script,
  streamHead,
} from '../support/raw-upstream.js';
import { audited, type Client, eventsOf, type Rig, startRig, survives, toolCall } from '../support/rig.js';
import { gate } from '../support/upstream.js';

const BODY_LIMIT = 1_048_576;
const GROWTH_BYTES = 64_000_000;
/** Loopback too, and nobody's address but a test's. */
const ANOTHER = '127.0.0.2';
const PROXY = '127.0.0.3';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({
    timeouts: { requestMs: 60_000, headersMs: 20_000, bodyIdleMs: 20_000 },
    limits: {
      exchanges: 2,
      streams: 2,
      socketsPerClient: 6,
      headerBytes: 8_192,
      requestBytes: BODY_LIMIT,
      responseBytes: BODY_LIMIT,
      eventBytes: BODY_LIMIT,
      bufferedBytes: BODY_LIMIT,
    },
    trustedProxies: [PROXY],
  });
});
afterAll(() => rig.stop());

function expectBusy(got: RawAnswer, status: number, message: string): void {
  expect([got.status, got.json().error, got.one('retry-after')]).toEqual([
    status,
    { code: -32603, message },
    '1',
  ]);
}

/** Says when a request has come, and answers it when told to. */
function waiting(released: Promise<void>, arrived: () => void): Script {
  return async ({ request, send, socket }) => {
    const asked = await request();
    arrived();
    await released;
    await send(jsonAnswer(resultText(asked), 'connection: close'));
    socket.end();
  };
}

function callWith(id: string, args: object): Buffer {
  const params = { name: 'book', arguments: args };
  const fields = Object.entries(requestHeaders('tools/call', { params })).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return rawRequest('POST /mcp', fields, requestText('tools/call', { id, params }));
}

/** Resolves when it was called so many times. */
function countdown(times: number) {
  const all = gate();
  let left = times;
  return {
    all: all.opened,
    one: () => {
      left -= 1;
      if (left === 0) all.open();
    },
  };
}

async function count(series: string): Promise<number | undefined> {
  return (await rig.counts()).get(series);
}

describe('exchanges in flight', () => {
  it('are bounded: one more is told to come again, and those in flight are answered', async () => {
    const outcomes = ['refused_inbound', 'refused_inbound', 'ok', 'ok'];
    await survives(rig, { outcomes, rejections: { exchanges: 2 } }, async () => {
      const released = gate();
      const arrived = countdown(2);
      rig.upstream.use(waiting(released.opened, arrived.one));
      const first = [rig.send(toolCall('a')), rig.send(toolCall('b'))];
      await arrived.all;
      expect(await count('exchanges_in_flight{route="r"}')).toBe(2);
      for (const id of ['c', 'd'])
        expectBusy(await rig.send(toolCall(id)), 503, 'the gateway has too many exchanges in flight');
      released.open();
      expect((await Promise.all(first)).map((got) => got.json().id).sort()).toEqual(['a', 'b']);
    });
  });
});

describe('open streams', () => {
  const listen = rawRequest(
    'POST /mcp',
    Object.entries(requestHeaders('subscriptions/listen')).map(([name, value]) => `${name}: ${value}`),
    requestText('subscriptions/listen', { id: 's', params: { notifications: { toolsListChanged: true } } }),
  );
  const tagged = (method: string, more = '') =>
    chunk(
      `data: {"jsonrpc":"2.0","method":"${method}","params":{"_meta":{"${META_SUBSCRIPTION_ID}":"s"}${more}}}\n\n`,
    );

  it('are bounded: one more is told to come again, and neither they nor exchanges are held up', async () => {
    const outcomes = ['upstream_failed', 'ok', 'stream_closed', 'stream_closed'];
    await survives(rig, { outcomes, rejections: { streams: 1 } }, async () => {
      const opened: Connection[] = [];
      rig.upstream.use(async (connection) => {
        const asked = await connection.request();
        if (asked.body.includes('tools/call'))
          return connection.send(jsonAnswer(resultText(asked), 'connection: close'));
        await connection.send(
          streamHead() + tagged('notifications/subscriptions/acknowledged', ',"notifications":{}'),
        );
        opened.push(connection);
      });
      const clients: Client[] = [];
      for (let n = 0; n < 2; n += 1) {
        const client = await rig.connect();
        client.socket.write(listen);
        await client.received(200);
        clients.push(client);
      }
      expect(await count('streams_open{route="r"}')).toBe(2);
      expectBusy(await rig.send(listen), 503, 'the gateway has too many streams open');
      await opened[2]?.closed;
      expect((await rig.send(toolCall('x'))).status).toBe(200);
      for (const { send, socket } of opened.slice(0, 2)) {
        await send(tagged('notifications/tools/list_changed'));
        await send(LAST_CHUNK);
        socket.end();
      }
      for (const client of clients)
        expect(eventsOf((await client.rest()).toString()).at(-1)).toMatchObject({
          method: 'notifications/tools/list_changed',
        });
    });
  });
});

describe('connections of one client', () => {
  const TOO_MANY = 'too many connections from this client';

  async function idle(connections: number, from?: string): Promise<readonly Client[]> {
    return Promise.all(Array.from({ length: connections }, () => rig.connect(from)));
  }

  it('are bounded: one more is told so, and other clients are served', async () => {
    await survives(rig, { outcomes: ['ok', 'ok', 'ok'], rejections: { socketsPerClient: 1 } }, async () => {
      const clients = await idle(6);
      expectBusy(await rig.send(toolCall('x')), 429, TOO_MANY);
      const other = await rig.connect(ANOTHER);
      other.socket.write(toolCall('other'));
      expect((await other.answer()).json().id).toBe('other');
      clients[0]?.socket.write(toolCall('held'));
      expect((await clients[0]?.answer())?.json().id).toBe('held');
      expect((await rig.send(toolCall('freed'))).json().id).toBe('freed');
      for (const client of clients) client.reset();
    });
  });

  it('beyond their share are answered after a long body, too', async () => {
    await survives(rig, { outcomes: [], rejections: { socketsPerClient: 1 } }, async () => {
      const clients = await idle(6);
      const body = requestText('tools/call', {
        params: { name: 'x', arguments: { text: 'y'.repeat(700_000) } },
      });
      const got = await rig.send(
        rawRequest('POST /mcp', ['Content-Type: application/json', 'Connection: keep-alive'], body),
      );
      expectBusy(got, 429, TOO_MANY);
      for (const client of clients) client.reset();
    });
  });

  it('beyond their share that say nothing are closed', async () => {
    await survives(rig, { outcomes: [], rejections: { socketsPerClient: 2 } }, async () => {
      const clients = await idle(6);
      for (const excess of await idle(2)) expect((await excess.rest()).toString()).toBe('');
      for (const client of clients) client.reset();
    });
  });

  it('are not those of a trusted proxy', async () => {
    await survives(rig, { outcomes: ['ok'] }, async () => {
      const clients = await idle(10, PROXY);
      clients[9]?.socket.write(toolCall('x'));
      expect((await clients[9]?.answer())?.status).toBe(200);
      for (const client of clients) client.reset();
    });
  });
});

describe('the size of a request', () => {
  it('is bounded in its head', async () => {
    await survives(rig, { outcomes: ['ok'], rejections: { headerBytes: 1 } }, async () => {
      const got = await rig.send(toolCall('x', `x-filler: ${'y'.repeat(8_192)}`));
      expect([got.status, got.json().error]).toEqual([
        431,
        { code: -32600, message: 'the request head is too large' },
      ]);
      expect((await rig.send(toolCall('x', `x-filler: ${'y'.repeat(7_000)}`))).status).toBe(200);
    });
  });

  const TOO_LONG = 'findings_total{route="r",stage="parse",rule="body-within-limit",severity="enforce"}';
  const head = toolCall('x', 'Transfer-Encoding: chunked').toString().split('\r\n\r\n')[0];

  it.each([
    ['by its stated length', () => [toolCall('x', 'Content-Length: 99999999')]],
    ['in chunks', () => [`${head}\r\n\r\n`, chunk('x'.repeat(BODY_LIMIT + 1))]],
    ['in chunks of one byte', () => [`${head}\r\n\r\n`, '1\r\n \r\n'.repeat(BODY_LIMIT + 1)]],
  ])('is bounded in its body, and so is what it takes up: %s', async (_, pieces) => {
    let found = 0;
    await survives(rig, { outcomes: ['refused_inbound', 'ok'] }, async () => {
      const before = (await count('process_resident_memory_bytes')) ?? 0;
      found = (await count(TOO_LONG)) ?? 0;
      const client = await rig.connect();
      for (const piece of pieces()) client.socket.write(piece);
      const bytes = await client.received(300);
      expect(bytes.toString()).toMatch(/^HTTP\/1.1 413 /);
      expect(bytes.toString()).toContain('"error":{"code":-32600,"message":"Request body exceeds the limit');
      expect((await rig.send(toolCall('other'))).status).toBe(200);
      client.reset();
      expect(((await count('process_resident_memory_bytes')) ?? 0) - before).toBeLessThan(GROWTH_BYTES);
    });
    expect(audited(rig.binary.lines).at(-3)).toMatchObject({
      status: 413,
      findings: [{ rule: 'body-within-limit' }],
    });
    expect(await count(TOO_LONG)).toBe(found + 1);
  });

  it('in all requests together is bounded: one more is told to come again', async () => {
    const outcomes = ['refused_inbound', 'ok', 'ok'];
    await survives(rig, { outcomes, rejections: { bufferedBytes: 1 } }, async () => {
      const released = gate();
      const arrived = countdown(1);
      rig.upstream.use(waiting(released.opened, arrived.one));
      const large = (id: string) => callWith(id, { text: 'x'.repeat(700_000) });
      const first = rig.send(large('a'));
      await arrived.all;
      expectBusy(await rig.send(large('b')), 503, 'the gateway holds too many bytes at once');
      rig.upstream.use(answeringOnce);
      expect((await rig.send(toolCall('small'))).status).toBe(200);
      released.open();
      expect((await first).json().id).toBe('a');
    });
  });
});

describe('the values that a request is made of', () => {
  it('are bounded: what would not fit is told so before they are made, and text of that length is served', async () => {
    const outcomes = ['refused_inbound', 'ok'];
    await survives(rig, { outcomes, rejections: { bufferedBytes: 1 } }, async () => {
      const values = Array(33_000).fill({});
      const busy = await rig.send(callWith('a', { values }));
      expectBusy(busy, 503, 'the gateway holds too many bytes at once');
      const text = 'x'.repeat(JSON.stringify(values).length);
      expect((await rig.send(callWith('b', { text }))).status).toBe(200);
    });
  });
});

describe('the rounds of one operation', () => {
  it('are bounded: after the last one its state opens no more', async () => {
    const sealing = await startRig({
      seal: { ephemeral: true, maxRounds: 2 },
      route: { requestState: 'seal' },
    });
    onTestFinished(() => sealing.stop());
    const outcomes = ['input_required', 'input_required', 'input_required', 'refused_inbound'];
    await survives(sealing, { outcomes }, async () => {
      sealing.upstream.use(async ({ request, send, socket }) => {
        const { id } = await request();
        const result = '{"resultType":"input_required","requestState":"again"}';
        await send(jsonAnswer(`{"jsonrpc":"2.0","id":${id},"result":${result}}`, 'connection: close'));
        socket.end();
      });
      let requestState: string | undefined;
      for (let round = 0; round < 4; round += 1) {
        const params = { name: 'book', arguments: {}, ...(requestState !== undefined && { requestState }) };
        const fields = Object.entries(requestHeaders('tools/call', { params })).map(
          ([name, value]) => `${name}: ${value}`,
        );
        const text = requestText('tools/call', { id: `r${round}`, params });
        const got = await sealing.send(rawRequest('POST /mcp', fields, text));
        requestState = got.json().result?.requestState;
        expect([round, got.status]).toEqual([round, round < 3 ? 200 : 400]);
        if (round === 3)
          expect(got.json().error).toMatchObject({ code: -32602, data: { rule: 'request-state-accepted' } });
      }
    });
    expect((await sealing.counts()).get('request_states_received_total{route="r",verdict="exhausted"}')).toBe(
      1,
    );
  });
});
