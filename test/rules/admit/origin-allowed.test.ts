import { describe, expect, it } from 'vitest';
import type { AdmitInput, OriginPolicy } from '../../../src/engine/exchange.js';
import { originAllowed } from '../../../src/rules/admit/origin-allowed.js';
import { judges, PEER_VALUE } from '../cases.js';
import { admitInput } from '../fixtures.js';

const PUBLIC: Partial<OriginPolicy> = {
  loopback: false,
  origins: new Set(['https://mcp.example.com', 'https://app.example.com']),
  hosts: new Set(['mcp.example.com', 'internal.example:8443']),
};
const BARE: Partial<OriginPolicy> = { loopback: false, checkHost: false };

const from = (origin: string | string[], origins: Partial<OriginPolicy> = {}): AdmitInput =>
  admitInput({
    headers: { origin, ...(origins.loopback === false ? { host: 'mcp.example.com' } : {}) },
    origins,
  });
const at = (host: string | string[] | undefined, origins: Partial<OriginPolicy> = {}): AdmitInput =>
  admitInput({ headers: { host }, origins });

judges(originAllowed, {
  refuses: [
    ['a foreign origin', from(`https://${PEER_VALUE}.example`), 'origin'],
    ['the null origin of a sandboxed page', from('null'), 'origin'],
    ['the null origin where origins are listed', from('null', PUBLIC), 'origin'],
    ['an empty origin', from(''), 'origin'],
    ['an origin that only begins like loopback', from('http://localhost.evil.example'), 'origin'],
    ['an origin that only ends like loopback', from('http://notlocalhost'), 'origin'],
    ['an origin whose user part is loopback', from('http://localhost@evil.example'), 'origin'],
    ['an address that only looks like 127.0.0.0/8', from('http://127.0.0.1.evil.example'), 'origin'],
    ['an octet over 255', from('http://127.0.0.256'), 'origin'],
    ['the unspecified address', from('http://0.0.0.0:9719'), 'origin'],
    ['a loopback origin of another scheme', from('chrome-extension://localhost'), 'origin'],
    ['a loopback origin with a path', from('http://localhost:3000/'), 'origin'],
    ['two Origin headers, both allowed', from(['http://localhost', 'http://localhost']), 'origin'],
    ['two origins in one header', from('http://localhost, http://localhost'), 'origin'],
    ['a loopback origin on a public listener', from('http://localhost:3000', PUBLIC), 'origin'],
    ['an allowed host under another scheme', from('http://app.example.com', PUBLIC), 'origin'],
    ['an allowed host on another port', from('https://app.example.com:8443', PUBLIC), 'origin'],
    ['an origin that only the Host header names', from('https://internal.example:8443', PUBLIC), 'origin'],
    ['a foreign origin where no host is checked', from('https://evil.example', BARE), 'origin'],
    [
      'an origin that equals a rebound Host',
      admitInput({ headers: { origin: 'http://evil.example:9719', host: 'evil.example:9719' } }),
      'origin',
    ],
    ['a name that was made to point at loopback', at('evil.example:9719'), 'host'],
    ['a missing Host', at(undefined), 'host'],
    ['an empty Host', at(''), 'host'],
    ['two Host headers', at(['localhost:9719', 'evil.example']), 'host'],
    ['a Host with user information', at('localhost@127.0.0.1'), 'host'],
    ['a Host with a path', at('localhost/x'), 'host'],
    ['a Host with an escape', at('local%68ost'), 'host'],
    ['a Host with white space', at('localhost evil'), 'host'],
    ['a Host that is a list', at('localhost,127.0.0.1'), 'host'],
    ['a Host with an empty port', at('localhost:'), 'host'],
    ['a loopback Host on a public listener', at('localhost', PUBLIC), 'host'],
    ['an allowed host on a port that is not allowed', at('internal.example:9999', PUBLIC), 'host'],
    ['an allowed host without its port', at('internal.example', PUBLIC), 'host'],
    ['a name under an allowed host', at('a.mcp.example.com', PUBLIC), 'host'],
  ],
  passes: [
    ['a request without Origin', admitInput()],
    ['localhost on any port', from('http://localhost:5173')],
    ['localhost over https', from('https://localhost')],
    ['localhost in capitals', from('HTTP://LOCALHOST:5173')],
    ['a name under localhost', from('http://app.localhost:5173')],
    ['an IPv4 loopback address', from('http://127.8.9.10:80')],
    ['the IPv6 loopback address', from('http://[::1]:5173')],
    ['the public origin', from('https://mcp.example.com', PUBLIC)],
    ['a listed origin', from('https://app.example.com', PUBLIC)],
    ['a listed origin in capitals', from('HTTPS://APP.EXAMPLE.COM', PUBLIC)],
    [
      'a listed origin on a loopback listener',
      from('https://app.example.com', { origins: new Set(['https://app.example.com']) }),
    ],
    ['a Host of localhost', at('localhost')],
    ['a Host of localhost in capitals with a port', at('LOCALHOST:1')],
    ['a Host of the IPv6 loopback address', at('[::1]:9719')],
    ['an allowed host on any port', at('MCP.example.com:444', PUBLIC)],
    ['an allowed host on its port', at('internal.example:8443', PUBLIC)],
    [
      'an allowed host on a loopback listener',
      at('mcp.example.com', { hosts: new Set(['mcp.example.com']) }),
    ],
    ['a request whose Host is not checked', at('10.0.0.7:9719', BARE)],
    ['a request without Host where none is checked', at(undefined, BARE)],
  ],
});

describe('origin-allowed', () => {
  it('judges every request, with and without a message', () => {
    const input = admitInput({ httpMethod: 'GET', carriesMessage: false, headers: { origin: 'null' } });
    expect(originAllowed.check(input)?.at).toBe('origin');
  });
});
