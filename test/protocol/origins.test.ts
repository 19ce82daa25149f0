import { describe, expect, it } from 'vitest';
import { isLoopbackHost, isLoopbackOrigin, parseAuthority } from '../../src/protocol/origins.js';

describe('parseAuthority', () => {
  it.each([
    ['mcp.example.com', 'mcp.example.com', undefined],
    ['MCP.Example.com:8443', 'mcp.example.com', '8443'],
    ['127.0.0.1:9719', '127.0.0.1', '9719'],
    ['[::1]:80', '[::1]', '80'],
    ['[::FFFF:127.0.0.1]', '[::ffff:127.0.0.1]', undefined],
    ['my_host', 'my_host', undefined],
  ])('reads %j', (value, host, port) => {
    expect(parseAuthority(value)).toEqual({ host, port });
  });

  it.each([
    '',
    ':80',
    'a:',
    'a:b',
    'a:123456',
    'a:80:80',
    'user@a',
    'a/b',
    'a?b',
    'a#b',
    'a\\b',
    'a,b',
    'a b',
    ' a',
    'a\n',
    '%61',
    '::1',
    '[::1',
    '[::1]x',
    'caf\u00e9',
  ])('finds no authority in %j', (value) => {
    expect(parseAuthority(value)).toBeUndefined();
  });
});

describe('isLoopbackHost', () => {
  it.each(['localhost', 'app.localhost', '127.0.0.1', '127.255.255.255', '[::1]'])('holds for %s', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  it.each([
    '',
    '.',
    'localhost.',
    'xlocalhost',
    'localhost.example',
    '127.0.0',
    '127.0.0.01',
    '127.0.0.256',
    '128.0.0.1',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
    '::1',
  ])('does not hold for %j', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });
});

describe('isLoopbackOrigin', () => {
  it.each(['http://localhost', 'https://LOCALHOST:1', 'http://[::1]:5173', 'http://127.0.0.1'])(
    'holds for %s',
    (origin) => {
      expect(isLoopbackOrigin(origin)).toBe(true);
    },
  );

  it.each([
    'null',
    '',
    'localhost',
    'http://',
    'http:///localhost',
    'ws://localhost',
    'http://localhost/',
    'http://a@localhost',
    'http://localhost.',
    'http://localhost:x',
    ' http://localhost',
  ])('does not hold for %j', (origin) => {
    expect(isLoopbackOrigin(origin)).toBe(false);
  });
});
