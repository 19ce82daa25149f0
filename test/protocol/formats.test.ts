import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { isOfFormat } from '../../src/protocol/formats.js';

const ajv = new Ajv2020();
(addFormats as unknown as (on: Ajv2020) => void)(ajv);

const CASES: Readonly<Record<string, { is: readonly string[]; isNot: readonly string[] }>> = {
  email: {
    is: ['ada@example.com', 'a.b+c@sub.example.org', "o'neil_{x}@example.co", 'x@1.example', 'A@EXAMPLE.COM'],
    isNot: [
      '',
      'ada',
      'ada@',
      '@example.com',
      'a b@example.com',
      'a@b c.example',
      '.a@example.com',
      'a..b@example.com',
      'a@example..com',
      'a@example.com\n',
      'a@b@example.com',
      '<a@example.com>',
      'a@exa_mple!.com',
      'mailto:a@example.com',
    ],
  },
  uri: {
    is: [
      'https://example.com',
      'https://example.com/a/b?c=d&e=%20#f',
      'http://[::1]:8080/',
      'urn:isbn:0451450523',
      'mailto:a@example.com',
      'file:///etc/hosts',
    ],
    isNot: [
      '',
      'example.com',
      '/path',
      '//example.com',
      'https://example.com/a b',
      'https://example.com/%zz',
      'https://example.com/\u00fc',
      'https://example.com/<x>',
      '1http://example.com',
      'https://example.com/\n',
    ],
  },
  date: {
    is: ['2026-07-28', '2024-02-29', '2000-02-29', '0001-01-01'],
    isNot: [
      '',
      '2026-7-28',
      '2026-13-01',
      '2026-00-10',
      '2026-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-01-00',
      '28-07-2026',
      '2026-07-28T00:00:00Z',
      ' 2026-07-28',
    ],
  },
  'date-time': {
    is: [
      '2026-07-28T10:20:30Z',
      '2026-07-28t10:20:30.123z',
      '2026-07-28T10:20:30+02:00',
      '2026-07-28T10:20:30-0530',
      '2026-12-31T23:59:60Z',
      '2026-07-28 10:20:30Z',
    ],
    isNot: [
      '',
      '2026-07-28',
      '2026-07-28T10:20:30',
      '2026-07-28T24:00:00Z',
      '2026-07-28T10:60:00Z',
      '2026-07-28T10:20Z',
      '2026-02-30T10:20:30Z',
      '2026-07-28T10:20:30+24:00',
      '2026-07-28T10:20:30+02:',
      '2026-07-28T10:20:30Z\n',
      '2026-07-28X10:20:30Z',
    ],
  },
};

describe.each(Object.entries(CASES))('the format %s', (format, { is, isNot }) => {
  const validate = ajv.compile({ type: 'string', format });

  it.each(is)('is that of %j', (text) => {
    expect(isOfFormat(text, format)).toBe(true);
    expect(validate(text)).toBe(true);
  });

  it.each(isNot)('is not that of %j', (text) => {
    expect(isOfFormat(text, format)).toBe(false);
    expect(validate(text)).toBe(false);
  });
});

describe('formats read more widely than ajv-formats does', () => {
  it.each([
    ['email', 'root@localhost', 'a host needs no dot'],
    ['email', '"quoted local"@example.com', 'quoted strings are local parts'],
    ['email', 'a@[192.0.2.1]', 'address literals are domains'],
    ['email', 'a@[IPv6:2001:db8::1]', 'address literals are domains of either family'],
    ['email', 'jos\u00e9@ex\u00e4mple.de', 'addresses are international (RFC 6531)'],
    ['uri', 'a:', 'a path may be empty'],
    ['date-time', '2026-07-28T10:20:60Z', 'leap seconds were not always the last of a day in every zone'],
  ])('%s: %s, since %s', (format, text) => {
    expect(isOfFormat(text, format)).toBe(true);
  });
});

describe('a format that the revision does not name', () => {
  it.each(['hostname', '', '__proto__', 'toString'])('says nothing of a text: %j', (format) => {
    expect(isOfFormat('anything', format)).toBe(true);
  });
});

describe('a text of any length', () => {
  it('is read in time that grows with it alone', () => {
    const long = 'a.'.repeat(1_000_000);
    for (const text of [long, `${long}@${long}`, `https:${long}`, `"${'\\"'.repeat(500_000)}`, `${long} `]) {
      for (const format of Object.keys(CASES)) isOfFormat(text, format);
    }
    expect(isOfFormat(`https:${long}`, 'uri')).toBe(true);
  });
});
