import { describe, expect, it } from 'vitest';
import { callTool, EventReader, FORM, open } from '../support/client.js';
import { gate, inPieces, sseEvent, sseReply } from '../support/upstream.js';
import { ANSWERED, exchange, expectRefusal, form, resultOf, start, streamed } from './exchange.js';

const SECRET = resultOf(form({ password: { type: 'string' } }));
const PROGRESS = {
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 'p', progress: 1 },
};
const BOTH = { capabilities: FORM, meta: { progressToken: 'p' } };

/** Ways to frame one message as a stream. */
const FRAMINGS: readonly (readonly [string, (message: unknown) => string])[] = [
  ['LF', (message) => sseEvent(message)],
  ['CRLF', (message) => sseEvent(message, '\r\n')],
  ['CR', (message) => sseEvent(message, '\r')],
  ['CRLF, with an event name', (message) => `event: message\r\n${sseEvent(message, '\r\n')}`],
  ['line ends of each kind', (message) => `: a\r\n: b\r: c\n${sseEvent(message)}`],
  ['a byte order mark first', (message) => `\ufeff${sseEvent(message)}`],
  ['no space after the colon', (message) => sseEvent(message).replace('data: ', 'data:')],
  ['two spaces after the colon', (message) => sseEvent(message).replace('data: ', 'data:  ')],
  ['an odd event name', (message) => `event: update\n${sseEvent(message)}`],
  ['several data lines', (message) => sseEvent(JSON.stringify(message, null, 1))],
  ['several data lines with CRLF', (message) => sseEvent(JSON.stringify(message, null, 1), '\r\n')],
  ['several data lines with CR', (message) => sseEvent(JSON.stringify(message, null, 1), '\r')],
  ['a line without a colon, which is an empty data line', (message) => `data\n${sseEvent(message)}`],
  [
    'other fields between its data lines',
    (message) => {
      const text = JSON.stringify(message);
      const [head, tail] = [text.slice(0, text.indexOf('"id"')), text.slice(text.indexOf('"id"'))];
      return `id: 5\nfoo: bar\ndata: ${head}\nretry: 10\n: comment\ndata: ${tail}\n\n`;
    },
  ],
  ['a field name in capitals before it, which is no data', (message) => `DATA: {}\n${sseEvent(message)}`],
];

describe.each(FRAMINGS)('an event framed with %s', (_, frame) => {
  it('is judged: a form that asks for a password does not get through', async () => {
    const answer = await exchange({ ...BOTH, reply: streamed(frame(SECRET)) });
    expectRefusal(answer, { status: 200, code: -32603, rule: 'form-asks-no-credential' });
    expect(answer.text).not.toContain('"password"');
  });

  it('is judged in chunks of one byte', async () => {
    const answer = await exchange({ ...BOTH, reply: sseReply(inPieces(frame(SECRET), 1)) });
    expectRefusal(answer, { status: 200, code: -32603, rule: 'form-asks-no-credential' });
  });

  it('gets through when there is nothing against it', async () => {
    const answer = await exchange({ ...BOTH, reply: sseReply(inPieces(frame(ANSWERED), 1)) });
    expect([answer.status, answer.events.length, answer.message]).toEqual([200, 1, ANSWERED]);
  });
});

describe('a media type of the upstream', () => {
  it.each([
    'Text/Event-Stream;charset=UTF-8',
    'text/event-stream; charset="utf-8"',
    'TEXT/EVENT-STREAM',
    'text/event-stream;x=y',
  ])('is a stream’s in every spelling: %s', async (type) => {
    const reply = { headers: { 'content-type': type }, body: sseEvent(SECRET, '\r\n') };
    const answer = await exchange({ ...BOTH, reply });
    expect([answer.message.id, answer.message.error.code]).toEqual([1, -32603]);
    expect(answer.text).not.toContain('"password"');
  });

  it.each([
    ['text/plain'],
    ['text/html'],
    ['application/octet-stream'],
    ['text/event-streams'],
    ['application/json; charset=utf-16'],
    [undefined],
  ])('that is none of the two is refused: %s', async (type) => {
    for (const body of [sseEvent(SECRET), JSON.stringify(SECRET)]) {
      const headers = type === undefined ? {} : { 'content-type': type };
      const answer = await exchange({ ...BOTH, reply: { headers, body } });
      expect([answer.status, answer.message.id, answer.message.error.code]).toEqual([502, 1, -32603]);
      expect(answer.text).not.toContain('"password"');
    }
  });
});

describe('what keeps a stream alive', () => {
  const NOISE =
    ': hello\n\nid: 1\nretry: 1000\ndata:\n\n:\r\n\ndata: {"type":"heartbeat"}\n\ndata: ping\n\nevent: ping\ndata: {}\n\n';

  it('reaches the client as comments, and never as a message', async () => {
    const answer = await exchange({ ...BOTH, reply: streamed(`${NOISE}${sseEvent(ANSWERED)}`) });
    expect([answer.status, answer.events.map((event) => JSON.parse(event))]).toEqual([200, [ANSWERED]]);
    expect(answer.text).toContain(': hello\n');
  });

  it('is not taken for the answer when nothing else comes', async () => {
    const answer = await exchange({ ...BOTH, reply: streamed(NOISE) });
    expect([answer.message.id, answer.message.error.code]).toEqual([1, -32603]);
  });

  it('keeps no id and no retry of events: streams cannot be resumed', async () => {
    const answer = await exchange({ ...BOTH, reply: streamed(`id: 7\nretry: 1\n${sseEvent(ANSWERED)}`) });
    expect(answer.text).not.toMatch(/^(id|retry):/m);
  });

  it('asks for no resumption upstream: a Last-Event-ID is ignored', async () => {
    const answer = await exchange({ ...BOTH, headers: { 'last-event-id': '9' }, reply: streamed(ANSWERED) });
    expect(answer.status).toBe(200);
    expect(answer.requests[0]?.headers).not.toHaveProperty('last-event-id');
  });
});

describe('the end of a stream', () => {
  it.each<readonly [string, string]>([
    ['before the answer', sseEvent(PROGRESS)],
    ['in the middle of the answer', `${sseEvent(PROGRESS)}data: {"jsonrpc":"2.0","id":1,"result":{"resul`],
    [
      'behind an answer whose event was not ended',
      `${sseEvent(PROGRESS)}data: ${JSON.stringify(ANSWERED)}\n`,
    ],
  ])('%s is an error with the id', async (_, body) => {
    for (const after of ['end', 'destroy'] as const) {
      const answer = await exchange({ ...BOTH, reply: sseReply(body, after) });
      expect(answer.events.map((event) => JSON.parse(event))).toEqual([
        PROGRESS,
        { jsonrpc: '2.0', id: 1, error: expect.objectContaining({ code: -32603 }) },
      ]);
    }
  });

  it('comes with the answer: what a server sends behind it reaches nobody', async () => {
    const second = resultOf(form({ password: { type: 'string' } }));
    const answer = await exchange({ ...BOTH, reply: streamed(`${sseEvent(ANSWERED)}${sseEvent(second)}`) });
    expect(answer.events.map((event) => JSON.parse(event))).toEqual([ANSWERED]);
  });
});

describe('an event leaves as soon as it was judged', () => {
  it.each([['identity'], ['gzip'], ['gzip, deflate, br']])(
    'for a client that accepts %s',
    async (encoding) => {
      const more = gate();
      const pair = await start(() => sseReply([sseEvent(PROGRESS), more.opened, sseEvent(ANSWERED)]));
      const headers = { 'accept-encoding': encoding };
      const answer = await open(pair.url, 'tools/call', { ...BOTH, params: { name: 'book' }, headers });
      expect(answer.headers.get('x-accel-buffering')).toBe('no');
      expect(answer.headers.get('content-encoding')).toBeNull();
      const reader = new EventReader(answer);
      expect(await reader.nextMessage()).toEqual(PROGRESS);
      more.open();
      expect(await reader.nextMessage()).toEqual(ANSWERED);
    },
  );

  it('whole, however many bytes a letter has', async () => {
    const text = 'naïve ☕ 𝒳 — 한국어';
    const message = resultOf({ resultType: 'complete', content: [{ type: 'text', text }] });
    const pair = await start(() => sseReply(inPieces(sseEvent(message), 1)));
    expect((await callTool(pair.url, 'book')).message).toEqual(message);
  });
});
