/** Event streams cut anywhere, against a reading of the whole, and what leaves against what other readers make of it. */
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeComment, encodeEvent, SseDecoder } from '../../src/protocol/sse.js';
import { readStreamSlowly } from '../oracle/slow-sse.js';
import { fuzz, Seen } from '../support/fuzz.js';

const PIECES = [
  ...[
    'data',
    'data:',
    'data: ',
    'data:  ',
    ':',
    ': ',
    'id: 1',
    'event: x',
    'retry',
    'dat',
    'é',
    '😀',
    '\ufeff',
    'x',
    ' ',
    '\0',
  ],
  ...['\n', '\r', '\r\n', '\n\n', '\r\r', '\r\n\r\n', '\n\r', 'data: {"a":1}\n\n'],
];
const stream = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...PIECES).map((piece) => Buffer.from(piece)) },
      fc.uint8Array({ maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => Buffer.concat(pieces));
const cuts = fc.array(fc.nat(), { maxLength: 12 });

function chunksOf(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [...at.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
    (one, other) => one - other,
  );
  let from = 0;
  return places.map((to) => {
    // A copy of its own: an item may be a view of it.
    const chunk = Buffer.from(bytes.subarray(from, to));
    from = to;
    return chunk;
  });
}

function decode(chunks: readonly Buffer[], limit: number): readonly string[] {
  const decoder = new SseDecoder(limit);
  const items = chunks.flatMap((chunk) => {
    const completed = decoder.push(chunk);
    expect(decoder.bufferedBytes).toBeLessThanOrEqual(limit);
    return completed;
  });
  return items.map((item) => {
    if (item.kind === 'too-large') return item.kind;
    return `${item.kind} ${(item.kind === 'event' ? item.data : item.text).toString('latin1')}`;
  });
}

describe('the decoder of event streams', () => {
  it('says what a reading of the whole stream says, wherever it is cut', async () => {
    const property = fc.property(stream, cuts, (bytes, at) => {
      expect(decode(chunksOf(bytes, at), 1_000_000)).toEqual(readStreamSlowly(bytes).items);
    });
    await fuzz(property, { cases: 1_500 });
  });

  it('stops exactly where an event is larger than allowed', async () => {
    const seen = new Seen(['stopped', 'whole']);
    const property = fc.property(stream, cuts, fc.integer({ min: 1, max: 40 }), (bytes, at, limit) => {
      const { items, largest } = readStreamSlowly(bytes);
      const decoded = decode(chunksOf(bytes, at), limit);
      const stopped = decoded.at(-1) === 'too-large';
      seen.add(stopped ? 'stopped' : 'whole');
      expect(stopped).toBe(largest > limit);
      expect(items.slice(0, decoded.length - (stopped ? 1 : 0))).toEqual(
        decoded.slice(0, stopped ? -1 : undefined),
      );
      if (!stopped) expect(decoded).toEqual(items);
    });
    await fuzz(property, { cases: 1_500, seen });
  });
});

describe('what leaves as an event stream', () => {
  const data = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.json(),
    fc.array(fc.constantFrom(...PIECES)).map((all) => all.join('')),
  );

  it('is read as the events and comments that it was written for, by others too', async () => {
    const message = fc.tuple(fc.constantFrom('event', 'comment'), data, fc.boolean());
    const property = fc.property(fc.array(message, { maxLength: 6 }), cuts, (messages, at) => {
      const written = messages.map(([kind, text, bytes]) => {
        const content = bytes ? Buffer.from(text) : text;
        return kind === 'event' ? encodeEvent(content) : encodeComment(content);
      });
      const sent = messages.flatMap(([kind, text]) => {
        const lines = oneLineEnd(Buffer.from(text).toString());
        return kind === 'event' ? [`event ${lines}`] : lines.split('\n').map((line) => `comment ${line}`);
      });
      const whole = Buffer.concat(written);
      const chunks = chunksOf(whole, at);
      const items = decode(chunks, 1_000_000).map((item) => Buffer.from(item, 'latin1').toString());
      expect(items).toEqual(sent);
      expect(theirEvents(chunks)).toEqual(sent.filter((item) => item.startsWith('event ')));
    });
    await fuzz(property, { cases: 1_500 });
  });
});

function theirEvents(chunks: readonly Buffer[]): readonly string[] {
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(`event ${data}`) });
  const decoder = new TextDecoder();
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
  return events;
}

/** A line end in the data is one line feed to the reader, whatever it was. */
function oneLineEnd(text: string): string {
  return text.replaceAll(/\r\n|\r/g, '\n');
}
