import { describe, expect, it } from 'vitest';
import { AnswerReader } from '../../bench/parts/answer-reader.js';

const counted = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n';
const empty = 'HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\nConnection: close\r\n\r\n';

/** The answers found when this comes in pieces of so many bytes. */
function read(text: string, size: number): (readonly [status: number, bytes: number])[] {
  const reader = new AnswerReader();
  const found: (readonly [number, number])[] = [];
  for (let at = 0; at < text.length; at += size)
    if (reader.take(Buffer.from(text.slice(at, at + size)))) found.push([reader.status, reader.bodyBytes]);
  return found;
}

describe('the client of the benchmarks', () => {
  it.each([1, 2, 3, 7, 1_000])('counts the bytes of a body that comes %i at a time', (size) => {
    expect(read(counted, size)).toEqual([[200, 5]]);
    expect(read(chunked, size)).toEqual([[200, 5]]);
    expect(read(empty, size)).toEqual([[202, 0]]);
  });

  it('reads one answer after the other', () => {
    expect(read(counted + chunked + empty, 1)).toEqual([
      [200, 5],
      [200, 5],
      [202, 0],
    ]);
  });

  it('takes no more than one answer at once', () => {
    expect(() => read(counted + counted, 1_000)).toThrow('more came than one answer');
  });

  it('knows a connection that ends with its answer, and an answer that has begun', () => {
    const reader = new AnswerReader();
    expect(reader.begun).toBe(false);
    reader.take(Buffer.from('HTTP/1.1 '));
    expect(reader.begun).toBe(true);
    reader.take(Buffer.from(empty.slice('HTTP/1.1 '.length)));
    expect([reader.begun, reader.closes]).toEqual([false, true]);
  });
});
