/** An upstream whose connection breaks or stalls at any moment: who is told what, and that nothing is left of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerHead,
  answeringOnce,
  type Connection,
  chunk,
  endlessly,
  jsonAnswer,
  jsonHead,
  LAST_CHUNK,
  type RawRequest,
  resultText,
  streamHead,
  trickle,
} from '../support/raw-upstream.js';
import { eventsOf, type Rig, startRig, survives, toolCallWith } from '../support/rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ timeouts: { streamIdleMs: 500 } });
});
afterAll(() => rig.stop());

type Act = (connection: Connection, request: RawRequest) => unknown;
type Seen = readonly [status: number, message: string, reason: string];

const CLOSED: Seen = [502, 'the upstream closed the connection', 'reset'];
const STALLED: Seen = [504, 'the upstream stopped in the middle of its answer', 'timeout'];
const SILENT: Seen = [504, 'the upstream did not answer in time', 'timeout'];
const UNFINISHED: Seen = [502, 'the upstream ended its stream without a response', 'reset'];
const QUIET: Seen = [504, 'the upstream stream fell silent', 'timeout'];

const NOTIFICATION = 'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n';

const reset = ({ socket }: Connection) => void socket.resetAndDestroy();
const close = ({ socket }: Connection) => void socket.destroy();
/** Ends its own side and keeps the other. */
const halfClose = ({ socket }: Connection) => void socket.end();
const stall = () => undefined;

/** These bytes, then this. */
function sending(
  bytes: string | ((request: RawRequest) => string),
  then: (connection: Connection) => void,
): Act {
  return async (connection, request) => {
    await connection.send(typeof bytes === 'string' ? bytes : bytes(request));
    then(connection);
  };
}

const halfResult = (request: RawRequest) => resultText(request).slice(0, 20);
const lengthy = (request: RawRequest) => jsonHead('content-length: 99') + halfResult(request);
const chunked = (request: RawRequest) => jsonHead('transfer-encoding: chunked') + chunk(halfResult(request));
const inChunk = () => `${jsonHead('transfer-encoding: chunked')}ff\r\n{"jsonrpc"`;
const unended = (request: RawRequest) => jsonHead('transfer-encoding: chunked') + chunk(resultText(request));
const halfEvent = (request: RawRequest) => streamHead() + chunk(`data: ${halfResult(request)}`);
const unendedEvent = (request: RawRequest) => streamHead() + chunk(`data: ${resultText(request)}\n`);

/** Longer than what two kernels hold of a connection that is not read. */
const LONG = 16_777_216;

describe('before a reply has begun, an upstream', () => {
  const cases: readonly (readonly [string, Act, Seen])[] = [
    ['resets before its head', reset, CLOSED],
    ['closes before its head', close, CLOSED],
    ['ends its side before its head', halfClose, CLOSED],
    ['never answers', stall, SILENT],
    ['resets within its status line', sending('HTTP/1.', reset), CLOSED],
    ['resets within its head', sending('HTTP/1.1 200 OK\r\ncontent-ty', reset), CLOSED],
    ['ends its side within its head', sending('HTTP/1.1 200 OK\r\ncontent-ty', halfClose), CLOSED],
    ['stalls within its head', sending('HTTP/1.1 200 OK\r\ncontent-ty', stall), SILENT],
    [
      'sends its head a byte at a time for ever',
      async (connection) => {
        await connection.send('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-slow: ');
        await trickle(connection, endlessly('x'), rig.counts);
      },
      SILENT,
    ],
    [
      'sends interim answers for ever',
      (connection) =>
        trickle(connection, endlessly(answerHead('103 Early Hints', ['link: </x>'])), rig.counts),
      SILENT,
    ],
    ['resets after its head', sending(jsonHead('content-length: 99'), reset), CLOSED],
    ['ends its side after its head', sending(jsonHead('content-length: 99'), halfClose), CLOSED],
    ['stalls after its head', sending(jsonHead('content-length: 99'), stall), STALLED],
    ['resets within a body of stated length', sending(lengthy, reset), CLOSED],
    ['ends its side within a body of stated length', sending(lengthy, halfClose), CLOSED],
    ['stalls within a body of stated length', sending(lengthy, stall), STALLED],
    ['resets between chunks', sending(chunked, reset), CLOSED],
    ['ends its side between chunks', sending(chunked, halfClose), CLOSED],
    ['stalls between chunks', sending(chunked, stall), STALLED],
    ['resets within a chunk', sending(inChunk, reset), CLOSED],
    ['stalls within a chunk', sending(inChunk, stall), STALLED],
    ['resets after a whole body, before its last chunk', sending(unended, reset), CLOSED],
    ['stalls after a whole body, before its last chunk', sending(unended, stall), STALLED],
    ['resets before its first event', sending(streamHead(), reset), CLOSED],
    ['ends its side before its first event', sending(streamHead(), halfClose), CLOSED],
    ['ends its stream before its first event', sending(streamHead() + LAST_CHUNK, halfClose), UNFINISHED],
    ['stalls before its first event', sending(streamHead(), stall), QUIET],
    ['resets within its first event', sending(halfEvent, reset), CLOSED],
    ['stalls within its first event', sending(halfEvent, stall), QUIET],
    ['resets before the blank line of its response', sending(unendedEvent, reset), CLOSED],
    [
      'ends its stream before the blank line of its response',
      sending((request) => unendedEvent(request) + LAST_CHUNK, halfClose),
      UNFINISHED,
    ],
  ];

  it.each(cases)('that %s is answered for', async (_, act, [status, message, reason]) => {
    await survives(rig, { outcomes: ['upstream_failed'], failures: { [reason]: 1 } }, async () => {
      rig.upstream.use(async (connection) => act(connection, await connection.request()));
      const got = await rig.send(rig.toolCall('x'));
      const error = { code: -32603, message };
      expect([got.status, got.json()]).toEqual([status, { jsonrpc: '2.0', id: 'x', error }]);
    });
  });

  it('that does not read a long request is answered for', async () => {
    const own = await startRig({ limits: { requestBytes: LONG * 2 }, timeouts: { requestMs: 20_000 } });
    try {
      await survives(own, { outcomes: ['upstream_failed'], failures: { timeout: 1 } }, async () => {
        own.upstream.use(({ socket }) => socket.pause());
        const long = { name: 'book', arguments: { note: 'x'.repeat(LONG) } };
        const got = await own.send(toolCallWith(long, '/mcp', 'x'));
        for (const { socket } of own.upstream.connections) socket.resume();
        expect([got.status, got.json().error.message]).toEqual([504, SILENT[1]]);
      });
    } finally {
      await own.stop();
    }
  });
});

describe('after a stream has begun, an upstream', () => {
  const begun = streamHead() + chunk(NOTIFICATION);
  const cases: readonly (readonly [string, Act, Seen])[] = [
    ['resets between events', sending(begun, reset), CLOSED],
    ['ends its side between events', sending(begun, halfClose), CLOSED],
    ['ends its stream between events', sending(begun + LAST_CHUNK, halfClose), UNFINISHED],
    ['stalls between events', sending(begun, stall), QUIET],
    ['resets within an event', sending(`${begun}${chunk('data: {"jsonrpc"')}`, reset), CLOSED],
    ['resets within a chunk', sending(`${begun}ff\r\ndata: {`, reset), CLOSED],
    ['stalls within an event', sending(`${begun}${chunk('data: {"jsonrpc"')}`, stall), QUIET],
    [
      'breaks its chunks',
      sending(`${begun}zz\r\n`, stall),
      [502, 'the upstream did not answer in HTTP', 'invalid'],
    ],
  ];

  it.each(cases)('that %s is answered for in a last event', async (_, act, [, message, reason]) => {
    await survives(rig, { outcomes: ['upstream_failed'], failures: { [reason]: 1 } }, async () => {
      rig.upstream.use(async (connection) => act(connection, await connection.request()));
      const got = await rig.send(rig.toolCall('x'));
      expect(got.status).toBe(200);
      expect(eventsOf(got.text)).toEqual([
        { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
        { jsonrpc: '2.0', id: 'x', error: { code: -32603, message } },
      ]);
    });
  });
});

describe('an upstream that is slow but alive', () => {
  const cases: readonly (readonly [string, (request: RawRequest) => string])[] = [
    ['its whole answer', (request) => jsonAnswer(resultText(request))],
    [
      'an answer to the end of its connection',
      (request) => jsonHead('connection: close') + resultText(request),
    ],
    [
      'an event stream',
      (request) => streamHead() + chunk(`${NOTIFICATION}data: ${resultText(request)}\r\n\r\n`) + LAST_CHUNK,
    ],
  ];

  it.each(cases)('may send %s a byte at a time', async (_, bytes) => {
    await survives(rig, { outcomes: ['ok'] }, async () => {
      rig.upstream.use(async (connection) => {
        const request = await connection.request();
        await trickle(connection, bytes(request));
        connection.socket.end();
      });
      const got = await rig.send(rig.toolCall('x'));
      const message =
        got.one('content-type') === 'text/event-stream' ? eventsOf(got.text).at(-1) : got.json();
      expect([got.status, message]).toEqual([
        200,
        { jsonrpc: '2.0', id: 'x', result: { resultType: 'complete', content: [] } },
      ]);
    });
  });
});

describe('a connection that was kept', () => {
  const cases: readonly (readonly [string, (connection: Connection) => unknown])[] = [
    ['was reset by the upstream', reset],
    ['was ended by the upstream', halfClose],
  ];

  it.each(cases)('and then %s is not used again', async (_, act) => {
    await survives(rig, { outcomes: ['ok', 'ok'] }, async () => {
      rig.upstream.use(async (connection) => {
        await connection.send(jsonAnswer(resultText(await connection.request())));
        await act(connection);
      });
      expect((await rig.send(rig.toolCall('x'))).status).toBe(200);
      await expect.poll(() => rig.upstream.open()).toBe(0);
      rig.upstream.use(answeringOnce);
      expect((await rig.send(rig.toolCall('y'))).json().id).toBe('y');
    });
  });

  it('and resets when the next request has been sent is answered for, not tried again', async () => {
    await survives(rig, { outcomes: ['ok', 'upstream_failed'], failures: { reset: 1 } }, async () => {
      const from = rig.upstream.connections.length;
      rig.upstream.use(async (connection) => {
        await connection.send(jsonAnswer(resultText(await connection.request())));
        await connection.request();
        reset(connection);
      });
      expect((await rig.send(rig.toolCall('x'))).status).toBe(200);
      const got = await rig.send(rig.toolCall('y'));
      expect([got.status, got.json().error.message]).toEqual([502, 'the upstream closed the connection']);
      expect(rig.upstream.connections.length - from).toBe(1);
    });
  });

  it.each([
    [
      'a second answer',
      (request: RawRequest) => jsonAnswer(resultText({ ...request, id: '"y"' }, '["forged"]')),
    ],
    ['half an answer', () => 'HTTP/1.1 200 OK\r\ncontent-'],
    ['an interim answer', () => answerHead('103 Early Hints', ['link: </x>'])],
    ['something else', () => 'hello\r\n\r\n'],
  ])('on which %s came unasked gives nothing of it to the next exchange', async (_, unasked) => {
    await survives(rig, { outcomes: ['ok', 'ok'] }, async () => {
      rig.upstream.use(async (connection) => {
        const request = await connection.request();
        await connection.send(jsonAnswer(resultText(request)) + unasked(request));
      });
      expect((await rig.send(rig.toolCall('x'))).json().id).toBe('x');
      await expect.poll(() => rig.upstream.open()).toBe(0);
      rig.upstream.use(answeringOnce);
      const got = await rig.send(rig.toolCall('y'));
      expect(got.json()).toEqual({
        jsonrpc: '2.0',
        id: 'y',
        result: { resultType: 'complete', content: [] },
      });
    });
  });
});
