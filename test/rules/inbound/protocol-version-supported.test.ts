import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/engine/exchange.js';
import { protocolVersionSupported } from '../../../src/rules/inbound/protocol-version-supported.js';
import { judges, PEER_VALUE } from '../cases.js';
import { exchange, policy, requestMeta } from '../fixtures.js';

const VERSION = 'mcp-protocol-version';
const IN_META = '/params/_meta/io.modelcontextprotocol~1protocolVersion';

const both = (version: string): Exchange =>
  exchange({
    meta: { ...requestMeta(), 'io.modelcontextprotocol/protocolVersion': version },
    headers: { [VERSION]: version },
  });
const legacyInitialize = (params: Record<string, string | number>, header?: string): Exchange =>
  exchange({
    method: 'initialize',
    meta: null,
    params,
    headers: { [VERSION]: header, 'mcp-method': undefined },
  });

judges(protocolVersionSupported, {
  refuses: [
    ['an unknown version in both places', both('1900-01-01'), IN_META],
    ['a legacy version in both places', both('2025-11-25'), IN_META],
    ['a version that no revision has', both(PEER_VALUE), IN_META],
    [
      'another version in the body where headers are only reported',
      exchange({ meta: { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' } }),
      IN_META,
    ],
    [
      'another version in the header where headers are only reported',
      exchange({ headers: { [VERSION]: '2025-11-25' } }),
      VERSION,
    ],
    [
      'another version in the header alone',
      exchange({ meta: null, headers: { [VERSION]: '2025-11-25' } }),
      VERSION,
    ],
    [
      'a notification of another version',
      exchange({ method: 'notifications/initialized', meta: null, headers: { [VERSION]: '2025-06-18' } }),
      VERSION,
    ],
    ['a legacy initialize', legacyInitialize({ protocolVersion: '2025-11-25' }), '/params/protocolVersion'],
    [
      'a legacy initialize with a legacy header',
      legacyInitialize({ protocolVersion: '2025-11-25' }, '2025-03-26'),
      '/params/protocolVersion',
    ],
    [
      'a legacy initialize where the route refuses the legacy era',
      exchange({ method: 'initialize', meta: null, legacy: true, headers: { [VERSION]: undefined } }),
      '/params/protocolVersion',
    ],
    [
      'this revision where the route lets another through',
      exchange({ policy: policy({ versions: ['2027-01-01'] }) }),
      IN_META,
    ],
  ],
  passes: [
    ['this revision', exchange()],
    ['this revision in the header alone', exchange({ meta: null })],
    ['this revision in the body alone', exchange({ headers: { [VERSION]: undefined } })],
    [
      'a request without any version, which is judged elsewhere',
      exchange({ meta: null, headers: { [VERSION]: undefined } }),
    ],
    [
      'a notification without any version',
      exchange({ method: 'notifications/x', meta: null, headers: { [VERSION]: undefined } }),
    ],
    ['a modern initialize', exchange({ method: 'initialize' })],
    [
      'an initialize with the modern header alone, which is judged by the next rule',
      legacyInitialize({ protocolVersion: '2025-11-25' }, '2026-07-28'),
    ],
    [
      'a legacy message where the route lets the legacy era pass',
      exchange({
        method: 'initialize',
        meta: null,
        legacy: true,
        policy: policy({ legacy: 'pass' }),
        headers: { [VERSION]: '2025-11-25' },
      }),
    ],
  ],
});

describe('protocol-version-supported', () => {
  const requested = (input: Exchange): string | undefined => {
    const detail = protocolVersionSupported.check(input)?.detail;
    return detail?.kind === 'version' ? detail.requested : undefined;
  };

  it.each([
    ['the version of the body', both('1900-01-01'), '1900-01-01'],
    [
      'the version of the header',
      exchange({ meta: null, headers: { [VERSION]: '2025-11-25' } }),
      '2025-11-25',
    ],
    ['what a legacy initialize names', legacyInitialize({ protocolVersion: '2024-11-05' }), '2024-11-05'],
    ['an empty string for an initialize that names none', legacyInitialize({}), ''],
    ['an empty string for an initialize that names no string', legacyInitialize({ protocolVersion: 5 }), ''],
    ['no more than 64 characters', both('9'.repeat(100_000)), '9'.repeat(64)],
    ['no character that a version is not made of', both('2026"\u0000<x>\u00e9-1'), '2026x-1'],
  ])('tells the client that it requested %s', (_title, input, expected) => {
    expect(requested(input)).toBe(expected);
  });
});
