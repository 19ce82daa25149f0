import { describe, expect, it } from 'vitest';
import {
  addressFault,
  compileNetworks,
  hostFault,
  isLoopback,
  networkFault,
  readAddress,
} from '../../src/config/address.js';
import {
  certificateFault,
  type Fault,
  fieldNameFault,
  fieldValueFault,
  mcpPathFault,
  nameFault,
  originFault,
  passThroughFault,
  privateKeyFault,
  publicUrlFault,
  urlFault,
} from '../../src/config/formats.js';
import { CERTIFICATE, PRIVATE_KEY } from './pem.js';

interface Table {
  readonly fault: Fault;
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

const TABLES: Readonly<Record<string, Table>> = {
  'an address': {
    fault: addressFault,
    good: ['127.0.0.1:9719', '0.0.0.0:0', 'localhost:80', 'gw.internal:65535', '[::1]:0', '[::]:9719'],
    bad: [
      '',
      '9719',
      ':9719',
      '127.0.0.1',
      '127.0.0.1:',
      '127.0.0.1:65536',
      '1.2.3:80',
      '::1:9719',
      '[::1]',
      '[x]:1',
      'a b:1',
      '*:80',
    ],
  },
  'a host': {
    fault: hostFault,
    good: ['mcp.example.com', 'mcp.example.com:8443', 'localhost', '127.0.0.1', '[::1]', '[::1]:9719', 'a_b'],
    bad: [
      '',
      '*',
      '*.example.com',
      'https://mcp.example.com',
      'mcp.example.com/',
      'MCP.example.com',
      'a:',
      'a:b',
      'a b',
      'user@a',
    ],
  },
  'a network': {
    fault: networkFault,
    good: ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '0.0.0.0/0', '::ffff:10.0.0.0/104'],
    bad: [
      '',
      'localhost',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/a',
      '10.0.0/8',
      'fd00::/129',
      '10.0.0.0/8/8',
      'fe80::1%eth0',
    ],
  },
  'an origin': {
    fault: originFault,
    good: [
      'https://app.example.com',
      'http://localhost:3000',
      'https://app.example.com:8443',
      'vscode-webview://panel',
      'http://[::1]:81',
    ],
    bad: [
      '',
      '*',
      'null',
      'app.example.com',
      'https://app.example.com/',
      'https://App.example.com',
      'https://app.example.com:443',
      'https://*.example.com',
      'https://u@app.example.com',
      'https://app.example.com?x',
      'vscode-webview://Panel',
    ],
  },
  'a public URL': {
    fault: publicUrlFault,
    good: ['https://mcp.example.com', 'https://mcp.example.com/gateway', 'http://10.0.0.1:9719/'],
    bad: [
      '',
      'mcp.example.com',
      'ftp://mcp.example.com',
      'https://u:p@mcp.example.com',
      'https://mcp.example.com/#a',
      'https://mcp.example.com/?a',
    ],
  },
  'an upstream URL': {
    fault: urlFault,
    good: [
      'http://127.0.0.1:9718/mcp',
      'https://ze.test',
      'http://[::1]:9718/mcp/',
      'http://ze.test/mcp?tenant=a',
    ],
    bad: [
      '',
      '/mcp',
      'ze.test/mcp',
      'ws://ze.test/mcp',
      'file:///mcp',
      'http:ze.test',
      'http://',
      'http://u:p@ze.test/',
      'http://u@ze.test/',
      'http://@ze.test/',
      'http://ze.test/#',
      'http://ze.test\\mcp',
      ' http://ze.test/',
    ],
  },
  'an MCP path': {
    fault: mcpPathFault,
    good: ['/', '/mcp', '/teams/a/mcp', '/v1.0/mcp', '/~a', '/.well-known/mcp'],
    bad: [
      '',
      'mcp',
      '/mcp/',
      '//mcp',
      '/a//b',
      '/./mcp',
      '/a/../mcp',
      '/mcp/..',
      '/%6dcp',
      '/mcp;a',
      '/mcp?a',
      '/mcp#a',
      '/a\\b',
      '/a b',
      '/ä',
      `/${'a'.repeat(256)}`,
    ],
  },
  'a pass-through path': {
    fault: passThroughFault,
    good: ['/docs', '/docs/', '/.well-known/openid-configuration', '/a/b/'],
    bad: ['', '/', 'docs', '/docs//', '/docs/../', '/docs%2f', '/docs?x', '/docs/{x}'],
  },
  'a route’s name': {
    fault: nameFault,
    good: ['ze', 'team-a', 'A.1_b', 'a'.repeat(63)],
    bad: ['', '-a', 'a b', 'a/b', 'ä', 'a'.repeat(64)],
  },
  'a header field’s name': {
    fault: fieldNameFault,
    good: ['Authorization', 'x-api-key', 'Host', 'Cookie'],
    bad: [
      '',
      'a b',
      'a:',
      'Connection',
      'Transfer-Encoding',
      'Content-Length',
      'content-type',
      'Mcp-Name',
      'MCP-Protocol-Version',
      'X-Forwarded-For',
      'Via',
      'Accept',
    ],
  },
  'a header field’s value': {
    fault: fieldValueFault,
    good: ['Bearer abc', 'a', 'a\tb'],
    bad: ['', ' a', 'a ', 'a\r\nb: c', 'a\nb', 'a\0', '密'],
  },
  'a certificate': { fault: certificateFault, good: [CERTIFICATE], bad: ['', 'x', PRIVATE_KEY] },
  'a private key': { fault: privateKeyFault, good: [PRIVATE_KEY], bad: ['', 'x', CERTIFICATE] },
};

const titled = (texts: readonly string[]) => texts.map((text) => [JSON.stringify(text.slice(0, 40)), text]);

describe.each(Object.entries(TABLES))('%s', (_, { fault, good, bad }) => {
  it.each(titled(good))('may be %s', (_, text) => {
    expect(fault(text)).toBeUndefined();
  });

  it.each(titled(bad))('may not be %s', (_, text) => {
    expect(fault(text)).toEqual(expect.any(String));
  });
});

describe('addresses', () => {
  it('are read without brackets', () => {
    expect(readAddress('[::1]:9719')).toEqual({ host: '::1', port: 9719 });
  });

  it('of IPv6 without brackets are refused with a hint', () => {
    expect(addressFault('::1:9719')).toContain('brackets');
  });

  it.each(['127.0.0.1', '127.9.9.9', 'localhost', 'LOCALHOST', '::1', '::ffff:127.0.0.1', 'a.localhost'])(
    'of %s are loopback',
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  it.each(['0.0.0.0', '::', '10.0.0.1', '127.evil.test', 'localhost.evil.test', '::ffff:10.0.0.1'])(
    'of %s are not loopback',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});

describe('trusted networks', () => {
  const trusts = compileNetworks(['10.0.0.0/8', '192.0.2.7', 'fd00::/8', '::ffff:198.51.100.0/120']);

  it.each([
    '10.1.2.3',
    '192.0.2.7',
    'fd00::1',
    '::ffff:10.1.2.3',
    '::FFFF:a01:203',
    '198.51.100.9',
    '::ffff:198.51.100.9',
  ])('hold %s', (address) => {
    expect(trusts(address)).toBe(true);
  });

  it.each(['11.0.0.1', '192.0.2.8', 'fe80::1%eth0', '198.51.101.9', 'nobody', '', undefined])(
    'do not hold %s',
    (address) => {
      expect(trusts(address)).toBe(false);
    },
  );
});
