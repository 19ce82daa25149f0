/** An upstream whose framing is odd: what HTTP lets pass arrives as it is, what it does not is nobody's answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerHead,
  type Connection,
  chunk,
  jsonAnswer,
  jsonHead,
  LAST_CHUNK,
  type RawRequest,
  resultText,
  streamHead,
} from '../support/raw-upstream.js';
import { eventsOf, type Rig, startRig, survives } from '../support/rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

type Bytes = (request: RawRequest) => string;

const RESULT = { jsonrpc: '2.0', id: 'x', result: { resultType: 'complete', content: [] } };
const ADVANCE = answerHead('103 Early Hints', ['link: </x>']);

const forged: Bytes = () => jsonAnswer(resultText({ head: '', body: '', id: '"x"' }, '["forged"]'));

/** Sends the bytes and ends its side of the connection. */
function closing(bytes: Bytes) {
  return async (connection: Connection) => {
    await connection.send(bytes(await connection.request()));
    connection.socket.end();
  };
}

describe('an answer', () => {
  const cases: readonly (readonly [string, Bytes])[] = [
    [
      'in HTTP/1.0',
      (request) => `HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${resultText(request)}`,
    ],
    [
      'in HTTP/1.0 that keeps its connection',
      (request) => jsonAnswer(resultText(request), 'connection: keep-alive').replace('HTTP/1.1', 'HTTP/1.0'),
    ],
    ['to the end of its connection', (request) => jsonHead() + resultText(request)],
    ['without a reason', (request) => jsonAnswer(resultText(request)).replace('200 OK', '200 ')],
    ['after an interim answer', (request) => ADVANCE + jsonAnswer(resultText(request))],
    ['after fifty interim answers', (request) => ADVANCE.repeat(50) + jsonAnswer(resultText(request))],
    [
      'after an answer in processing',
      (request) => answerHead('102 Processing', []) + jsonAnswer(resultText(request)),
    ],
    [
      'in chunks with extensions',
      (request) =>
        `${jsonHead('transfer-encoding: chunked')}${chunk(resultText(request)).toString().replace('\r\n', ';a=b;c="d"\r\n')}${LAST_CHUNK}`,
    ],
    [
      'in chunks with trailers',
      (request) =>
        `${jsonHead('transfer-encoding: chunked', 'trailer: x-checked')}${chunk(resultText(request))}0\r\nx-checked: yes\r\ncontent-type: text/html\r\n\r\n`,
    ],
    [
      'in one chunk a byte',
      (request) =>
        jsonHead('transfer-encoding: chunked') +
        [...resultText(request)].map((byte) => chunk(byte)).join('') +
        LAST_CHUNK,
    ],
    ['followed by another in one packet', (request) => jsonAnswer(resultText(request)) + forged(request)],
    ['of the stated length, and more', (request) => `${jsonAnswer(resultText(request))}, and more`],
  ];

  it.each(cases)('%s is the answer', async (_, bytes) => {
    await survives(rig, { outcomes: ['ok'] }, async () => {
      rig.upstream.use(closing(bytes));
      const got = await rig.send(rig.toolCall('x'));
      expect([got.status, got.json(), got.interim]).toEqual([200, RESULT, []]);
      expect([got.one('link'), got.one('x-checked'), got.one('trailer')]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    });
  });

  it('in a stream with trailers is the answer', async () => {
    await survives(rig, { outcomes: ['ok'] }, async () => {
      rig.upstream.use(
        closing(
          (request) =>
            `${streamHead()}${chunk(`data: ${resultText(request)}\n\n`)}0\r\nx-checked: yes\r\n\r\n`,
        ),
      );
      const got = await rig.send(rig.toolCall('x'));
      expect([eventsOf(got.text), got.text.includes('x-checked')]).toEqual([[RESULT], false]);
    });
  });
});

describe('what is no answer', () => {
  const CLOSED = [502, 'the upstream closed the connection', 'reset'] as const;
  const NO_HTTP = [502, 'the upstream did not answer in HTTP', 'invalid'] as const;
  const UNREADABLE = "the upstream's answer is not readable: ";
  const cases: readonly (readonly [string, Bytes, readonly [number, string, string]])[] = [
    ['states more than comes', (request) => jsonHead('content-length: 999') + resultText(request), CLOSED],
    [
      'states less than comes',
      (request) => jsonHead('content-length: 20') + resultText(request),
      [502, `${UNREADABLE}it is not one JSON value`, 'invalid'],
    ],
    [
      'states two lengths',
      (request) => jsonHead('content-length: 20', 'content-length: 21') + resultText(request),
      NO_HTTP,
    ],
    [
      'states one length twice',
      (request) => jsonHead('content-length: 20', 'content-length: 20') + resultText(request),
      NO_HTTP,
    ],
    [
      'states a length that is none',
      (request) => jsonHead('content-length: 2x') + resultText(request),
      NO_HTTP,
    ],
    [
      'states a length below zero',
      (request) => jsonHead('content-length: -1') + resultText(request),
      NO_HTTP,
    ],
    [
      'states a length and chunks',
      (request) =>
        jsonHead('content-length: 5', 'transfer-encoding: chunked') + chunk(resultText(request)) + LAST_CHUNK,
      NO_HTTP,
    ],
    ['breaks its chunks', () => `${jsonHead('transfer-encoding: chunked')}zz\r\n{}\r\n`, NO_HTTP],
    [
      'has a chunk of endless size',
      () => `${jsonHead('transfer-encoding: chunked')}${'f'.repeat(17)}\r\n`,
      NO_HTTP,
    ],
    ['has a field without a colon', (request) => jsonHead('no colon') + resultText(request), NO_HTTP],
    [
      'has a field with a line break in it',
      (request) => jsonHead('x: a\r\r\nb') + resultText(request),
      NO_HTTP,
    ],
    [
      'has a status that is none',
      (request) => jsonAnswer(resultText(request)).replace('200', '2000'),
      NO_HTTP,
    ],
    ['speaks HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', NO_HTTP],
    ['speaks another protocol', () => '220 smtp.example ESMTP\r\n', NO_HTTP],
    [
      'switches protocols',
      () => answerHead('101 Switching Protocols', ['upgrade: x', 'connection: upgrade']),
      CLOSED,
    ],
    // RFC 9110 lets a client take an interim answer that it did not ask for; undici does so for every code but this one.
    [
      'goes on with 100 unasked',
      (request) => answerHead('100 Continue', []) + jsonAnswer(resultText(request)),
      CLOSED,
    ],
    [
      'is a status without a body',
      () => answerHead('204 No Content', []),
      [502, `${UNREADABLE}it is empty`, 'invalid'],
    ],
    ['is empty', () => jsonAnswer(''), [502, `${UNREADABLE}it is empty`, 'invalid']],
    [
      'is a redirect',
      () => answerHead('307 Temporary Redirect', ['location: /', 'content-length: 0']),
      [502, `${UNREADABLE}it is a redirect`, 'invalid'],
    ],
  ];

  it.each(cases)('since it %s is answered for', async (_, bytes, [status, message, reason]) => {
    await survives(rig, { outcomes: ['upstream_failed'], failures: { [reason]: 1 } }, async () => {
      rig.upstream.use(closing(bytes));
      const got = await rig.send(rig.toolCall('x'));
      expect([got.status, got.json().id, got.json().error.message]).toEqual([status, 'x', message]);
    });
  });
});

describe('an answer that comes before the whole request', () => {
  it('is judged like any: that of another id is none', async () => {
    await survives(rig, { outcomes: ['upstream_failed'], failures: { invalid: 1 } }, async () => {
      rig.upstream.use(({ send }) =>
        send(jsonAnswer(resultText({ head: '', body: '', id: '"y"' }), 'connection: close')),
      );
      const got = await rig.send(rig.toolCall('x'));
      expect([got.status, got.json().error.data.rule]).toEqual([502, 'response-answers-request']);
    });
  });

  it.each([
    ['and keeps its connection', ''],
    ['and closes it', 'connection: close'],
  ])('is the answer, %s', async (_, field) => {
    await survives(rig, { outcomes: ['rpc_error'] }, async () => {
      rig.upstream.use(async ({ send, socket }) => {
        socket.pause();
        const body = '{"jsonrpc":"2.0","id":"x","error":{"code":-32603,"message":"busy"}}';
        await send(jsonAnswer(body, ...[field].filter((one) => one !== '')).replace('200 OK', '503 Busy'));
        if (field !== '') socket.end();
        socket.resume();
      });
      const got = await rig.send(rig.toolCall('x', `x-filler: ${'y'.repeat(20_000)}`));
      expect([got.status, got.json().error.message]).toEqual([503, 'busy']);
    });
  });
});
