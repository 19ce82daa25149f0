import { describe, expect, it } from 'vitest';
import { isUtf8, parseMediaType } from '../../src/protocol/media-type.js';

describe('parseMediaType', () => {
  it.each([
    ['application/json', 'application/json', undefined],
    ['Text/Event-Stream;charset=UTF-8', 'text/event-stream', 'utf-8'],
    ['  application/json\t; charset="UTF-8" ', 'application/json', 'utf-8'],
    ['application/json; charset="u\\tf-8"', 'application/json', 'utf-8'],
    ['application/json; boundary="a\\"; charset=utf-16"', 'application/json', undefined],
    ['application/json;;', 'application/json', undefined],
    ["application/json; charset='utf-8'", 'application/json', "'utf-8'"],
    ['application/vnd.x+json; v=1; charset=utf-16', 'application/vnd.x+json', 'utf-16'],
  ])('reads %j', (value, type, charset) => {
    expect(parseMediaType(value)).toEqual({ type, charset });
  });

  it.each([
    '',
    'json',
    '/json',
    'application/',
    'application json',
    'application/json text',
    'application/json, application/json',
    'application/json; charset',
    'application/json; charset=',
    'application/json; charset =utf-8',
    'application/json; charset= utf-8',
    'application/json; charset="utf-8',
    'application/json; charset=utf-8; charset=utf-8',
    'application/json; charset=\u20ac',
  ])('finds no media type in %j', (value) => {
    expect(parseMediaType(value)).toBeUndefined();
  });

  it('reads a long hostile value in time that grows with its length alone', () => {
    expect(parseMediaType(`a/b${';'.repeat(100_000)}=`)).toBeUndefined();
    expect(parseMediaType(`a/b; c="${'\\a'.repeat(100_000)}`)).toBeUndefined();
  });
});

describe('isUtf8', () => {
  it.each([
    [undefined, true],
    ['utf-8', true],
    ['utf8', false],
    ['', false],
    ['us-ascii', false],
  ])('holds for charset %j: %j', (charset, expected) => {
    expect(isUtf8({ type: 'application/json', charset })).toBe(expected);
  });
});
