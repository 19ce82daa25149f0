import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  COMMENT_PING,
  encodeComment,
  encodeEvent,
  SseDecoder,
  type SseItem,
} from '../../src/protocol/sse.js';

/** Items as text: `event …`, `comment …`, `too-large`. Latin-1, so that every byte shows. */
function decode(chunks: readonly (string | Uint8Array)[], maxEventBytes = 1_000_000): string[] {
  const decoder = new SseDecoder(maxEventBytes);
  return chunks.flatMap((chunk) =>
    decoder.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk).map(shown),
  );
}

function shown(item: SseItem): string {
  if (item.kind === 'event') return `event ${item.data.toString('latin1')}`;
  return item.kind === 'comment' ? `comment ${item.text.toString('latin1')}` : item.kind;
}

/** The standard's steps over the whole stream at once. */
function standard(stream: Buffer): string[] {
  const lines = stream
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .split(/\r\n|\r|\n/)
    .slice(0, -1);
  const items: string[] = [];
  let data: string[] = [];
  for (const line of lines) {
    if (line === '' && data.length > 0) items.push(`event ${data.join('\n')}`);
    if (line === '') data = [];
    else if (line.startsWith(':')) items.push(`comment ${line.slice(1)}`);
    else {
      const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'data') data.push(value);
    }
  }
  return items;
}

const STREAMS: readonly (readonly [reads: string, stream: string, items: readonly string[]])[] = [
  ['an event', 'data: {"a":1}\n\n', ['event {"a":1}']],
  ['CRLF', 'event: message\r\ndata: a\r\n\r\ndata: b\r\n\r\n', ['event a', 'event b']],
  ['CR', 'data: a\r\rdata: b\r\r', ['event a', 'event b']],
  ['mixed line ends', 'data: a\r\n\rdata: b\n\r\ndata: c\r\n\n', ['event a', 'event b', 'event c']],
  ['CR CR LF as two line ends', 'data: a\r\r\ndata: b\n\n', ['event a', 'event b']],
  ['several data lines', 'data: {\ndata:  "a": 1\ndata: }\n\n', ['event {\n "a": 1\n}']],
  ['no space after the colon', 'data:a\n\n', ['event a']],
  ['one space as the separator', 'data:  a\n\n', ['event  a']],
  ['colons in the value', 'data: a: b:c\n\n', ['event a: b:c']],
  ['an empty data line', 'data:\n\n', ['event ']],
  ['a data line without colon', 'data\n\n', ['event ']],
  ['two empty data lines', 'data\ndata:\n\n', ['event \n']],
  ['an event without data', 'event: ping\nid: 7\nretry: 100\n\n', []],
  ['blank lines alone', '\n\n\r\n\r\r', []],
  [
    'other fields',
    'id: 1\ndata: a\nfoo: x\nDATA: y\n data: z\ndata : w\ndatax: v\nretry: 3\n\n',
    ['event a'],
  ],
  ['any event type', 'event: other\ndata: a\n\n', ['event a']],
  ['a comment', ': keep alive\n\n', ['comment  keep alive']],
  ['an empty comment', ':\n', ['comment ']],
  ['a comment inside an event', 'data: a\n: x\ndata: b\n\n', ['comment  x', 'event a\nb']],
  ['a byte order mark', '\ufeffdata: a\n\n', ['event a']],
  ['a byte order mark before a comment', '\ufeff:a\n\n', ['comment a']],
  ['one byte order mark only', '\ufeff\ufeffdata: a\n\ndata: b\n\n', ['event b']],
  ['a byte order mark later as data', 'data: a\n\n\ufeffdata: b\n\n', ['event a']],
  ['no unterminated event', 'data: a\n\ndata: b\n', ['event a']],
  ['no unterminated line', 'data: a\n\ndata: b', ['event a']],
  ['an empty stream', '', []],
];

describe('SseDecoder', () => {
  it.each(STREAMS)('reads %s', (_, stream, items) => {
    expect(decode([stream])).toEqual(items);
    expect(standard(Buffer.from(stream))).toEqual(items);
  });

  it('delivers what a line completes without waiting for more', () => {
    const decoder = new SseDecoder(100);
    expect(decoder.push(Buffer.from(': x\r')).map(shown)).toEqual(['comment  x']);
    expect(decoder.push(Buffer.from('\ndata: a\r\n\r')).map(shown)).toEqual(['event a']);
    expect(decoder.push(Buffer.from('\n')).map(shown)).toEqual([]);
    expect(decoder.push(Buffer.from('data: b\n\n')).map(shown)).toEqual(['event b']);
  });

  it('keeps bytes that are no UTF-8 as they are', () => {
    const bytes = Buffer.from([0xff, 0x00, 0xc3, 0x28, 0xed, 0xa0, 0x80]);
    const [item] = new SseDecoder(100).push(
      Buffer.concat([Buffer.from('data: '), bytes, Buffer.from('\n\n')]),
    );
    expect(item).toEqual({ kind: 'event', data: bytes });
  });

  it('reads the same items wherever the stream is cut', () => {
    const fragment = fc.constantFrom(
      ...[
        'data',
        'data:',
        'data: ',
        ':',
        ': ',
        'id: 1',
        'event: x',
        'é',
        '😀',
        '\ufeff',
        'x',
        ' ',
        '{"a":1}',
      ],
      ...['\n', '\r', '\r\n', '\n\n', '\r\r', '\r\n\r\n'],
    );
    const property = fc.property(fc.array(fragment, { maxLength: 30 }), (fragments) => {
      const stream = Buffer.from(fragments.join(''));
      const items = standard(stream);
      expect(decode([stream])).toEqual(items);
      expect(decode([...stream].map((byte) => Uint8Array.of(byte)))).toEqual(items);
      for (let cut = 0; cut <= stream.length; cut += 1) {
        expect(decode([stream.subarray(0, cut), stream.subarray(cut)])).toEqual(items);
      }
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('stops at an event, a line or a comment beyond the limit, wherever the stream is cut', () => {
    const tooLong = [
      ['data: aaa\ndata: bbb\n\n', 17],
      ['data: aaaaaaaaaaaaa\n\n', 18],
      [': aaaaaaaaaaaaa\n', 14],
      ['id: aaaaa\nid: aaaaa\n\n', 17],
      ['data: aaa\n: aaa\n\n', 13],
    ] as const;
    for (const [text, limit] of tooLong) {
      const stream = Buffer.from(`data: ok\n\n:ok\n${text}data: more\n\n`);
      const items = ['event ok', 'comment ok', 'too-large'];
      for (let cut = 0; cut <= stream.length; cut += 1) {
        expect(decode([stream.subarray(0, cut), stream.subarray(cut)], limit)).toEqual(items);
      }
      expect(decode([stream], limit + 1)).not.toContain('too-large');
    }
  });

  it('counts each event and each comment alone', () => {
    const event = 'data: aaa\n\n';
    expect(decode([event.repeat(100)], 9)).toHaveLength(100);
    expect(decode([`:${'a'.repeat(8)}\n`.repeat(100)], 9)).toHaveLength(100);
  });

  it('knows how many bytes it holds back', () => {
    const decoder = new SseDecoder(100);
    decoder.push(Buffer.from('data: abc\ndata: de'));
    expect(decoder.bufferedBytes).toBe('abc'.length + 'data: de'.length);
    decoder.push(Buffer.from('\n\n'));
    expect(decoder.bufferedBytes).toBe(0);
    decoder.push(Buffer.from('x'.repeat(101)));
    expect(decoder.bufferedBytes).toBe(0);
  });

  it('never writes into a chunk, and holds no item to a chunk that is not finished', () => {
    const chunk = Buffer.from('data: abcdefgh');
    const copy = Buffer.from(chunk);
    const decoder = new SseDecoder(100);
    decoder.push(chunk.subarray(0, 10));
    decoder.push(Buffer.from('ZZZZ\n'));
    const items = decoder.push(Buffer.from('data: y\n\n'));
    expect(items.map(shown)).toEqual(['event abcdZZZZ\ny']);
    expect(chunk).toEqual(copy);
  });
});

describe('encodeEvent', () => {
  it('writes one data line for each line of the data', () => {
    expect(encodeEvent('{"a":1}').toString()).toBe('event: message\ndata: {"a":1}\n\n');
    expect(encodeEvent('{\r\n"a":\r1\n}').toString()).toBe(
      'event: message\ndata: {\ndata: "a":\ndata: 1\ndata: }\n\n',
    );
  });

  it('is read back as it was, every line end as LF, from text and from bytes', () => {
    const character = fc.constantFrom('\n', '\r', ' ', ':', 'a', 'é', '😀', '\ufeff', '\0');
    const property = fc.property(fc.string({ unit: character }), (data) => {
      const bytes = Buffer.from(data);
      const expected = `event ${bytes.toString('latin1').replaceAll('\r\n', '\n').replaceAll('\r', '\n')}`;
      expect(decode([encodeEvent(data)])).toEqual([expected]);
      expect(encodeEvent(bytes)).toEqual(encodeEvent(data));
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it('keeps JSON the same value however it is laid out', () => {
    const property = fc.property(fc.json(), fc.constantFrom('\n', '\r', '\r\n', '\t'), (text, space) => {
      const laidOut = JSON.stringify(JSON.parse(text), null, ' ').replaceAll('\n', space);
      const [item] = new SseDecoder(1_000_000).push(encodeEvent(Buffer.from(laidOut)));
      expect(item?.kind === 'event' && JSON.parse(item.data.toString())).toEqual(JSON.parse(text));
    });
    fc.assert(property);
  });
});

describe('encodeComment', () => {
  it('is read back as it was', () => {
    expect(encodeComment(Buffer.from(' hi')).toString()).toBe(': hi\n\n');
    expect(decode([encodeComment(' hi'), COMMENT_PING])).toEqual(['comment  hi', 'comment  ping']);
  });

  it('lets no line of its own out of the comment', () => {
    expect(decode([encodeComment('a\ndata: b\r\rdata: c')])).toEqual([
      'comment a',
      'comment data: b',
      'comment ',
      'comment data: c',
    ]);
  });
});
