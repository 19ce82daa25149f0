import { describe, expect, it } from 'vitest';
import { hasLink } from '../../src/protocol/links.js';

describe('a link', () => {
  it.each([
    ...[
      'https://example.com',
      'See http://example.com/a?b=c.',
      'HTTPS://EXAMPLE.COM',
      'xhttps://example.com',
    ],
    ...[
      '(https://example.com)',
      'ftp://example.com/file',
      'vscode://open',
      'slack://channel',
      `${'a'.repeat(99)}://b`,
    ],
    ...['www.example.com', 'Go to WWW.example.com', 'mailto:joe@example.com', 'tel:+49123', 'sms:123'],
    ...['javascript:alert(1)', 'data:text/html,hi', '[docs](/docs)', '[docs](https://example.com)'],
    ...['<https://example.com>', '<a href="/x">x</a>', '详见https://example.com'],
  ])('stands in %s', (text) => {
    expect(hasLink(text)).toBe(true);
  });

  it.each([
    ...[
      '',
      'Your name',
      'example.com',
      'README.md',
      'Node.js and/or Deno',
      'joe@example.com',
      'a: b',
      'note:this',
    ],
    ...[
      '10:30',
      'http',
      'https: yes',
      'awww.nice',
      'metadata:text/html',

      '[ ] (x)',
    ],
    ...[
      'postgres://user@host/db',
      's3://bucket/key',
      'jdbc:mysql://host/db',
      'file:///etc/hosts',
      'mongodb+srv://h/d',
    ],
    ...['git@github.com:a/b.git', 'urn:isbn:123', '://', 'x < a b'],
  ])('does not stand in %s', (text) => {
    expect(hasLink(text)).toBe(false);
  });

  it.each(['a', '[', '](', ':', '://', 'a:', 'www', '<a ', 's3://b '])(
    'is looked for to the end of a long text of %s',
    (piece) => {
      const filler = piece.repeat(Math.ceil((1 << 20) / piece.length));
      expect(hasLink(`${filler} https://example.com`)).toBe(true);
    },
  );
});
