import { describe, expect, it } from 'vitest';
import { CONFIG_KEYS } from '../../src/config/keys.js';
import { load, problems, routeWith } from './sources.js';

const UPSTREAM = 'http://ze.test/mcp';
const ROUTE = { MRTR_GATEWAY_ROUTES_0_UPSTREAM: UPSTREAM };

describe('environment variables', () => {
  it('are named after the keys, one a key', () => {
    const names = CONFIG_KEYS.flatMap(({ variable }) => variable ?? []);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining([
        'MRTR_GATEWAY_LISTEN',
        'MRTR_GATEWAY_PUBLIC_URL',
        'MRTR_GATEWAY_LIMITS_REQUEST_BYTES',
        'MRTR_GATEWAY_TIMEOUTS_KEEP_ALIVE_TIMEOUT_MS',
        'MRTR_GATEWAY_LOG_LEVEL',
        'MRTR_GATEWAY_ROUTES_<n>_REQUEST_STATE',
        'MRTR_GATEWAY_ROUTES_<n>_RULES_RESULT_TYPE_KNOWN',
      ]),
    );
  });

  it.each([
    ['a text', { MRTR_GATEWAY_LISTEN: '[::1]:0' }, { listen: '[::1]:0' }],
    ['a number', { MRTR_GATEWAY_LIMITS_REQUEST_BYTES: '4096' }, { limits: { requestBytes: 4096 } }],
    ['a truth value', { MRTR_GATEWAY_LOG_AUDIT: 'false' }, { log: { audit: false } }],
    ['a list', { MRTR_GATEWAY_ALLOWED_HOSTS: 'a.test, b.test,' }, { allowedHosts: ['a.test', 'b.test'] }],
    [
      'nothing when it is empty',
      { MRTR_GATEWAY_LISTEN: '', MRTR_GATEWAY_NONE: '' },
      { listen: '127.0.0.1:9719' },
    ],
    [
      'a route’s list',
      { MRTR_GATEWAY_ROUTES_0_INPUT_REQUESTS_KINDS: 'roots' },
      { routes: [{ inputRequests: { kinds: ['roots'] } }] },
    ],
    [
      'a route’s number with choices',
      { MRTR_GATEWAY_ROUTES_0_CAPABILITY_ERROR_STATUS: '200' },
      { routes: [{ capabilityErrorStatus: 200 }] },
    ],
    [
      'a rule’s severity',
      { MRTR_GATEWAY_ROUTES_0_RULES_RESULT_TYPE_KNOWN: 'report' },
      { routes: [{ rules: { 'result-type-known': 'report' } }] },
    ],
    [
      'a part of an upstream',
      { MRTR_GATEWAY_ROUTES_0_UPSTREAM_URL: 'http://b.test/' },
      { routes: [{ upstream: { url: 'http://b.test/' } }] },
    ],
  ])('give %s', (_, env, expected) => {
    expect(load({ env: { ...ROUTE, ...env } }).config).toMatchObject(expected);
  });

  it('make routes by index', () => {
    const env: Record<string, string> = {};
    for (let index = 0; index <= 10; index += 1) {
      env[`MRTR_GATEWAY_ROUTES_${index}_UPSTREAM`] = UPSTREAM;
      env[`MRTR_GATEWAY_ROUTES_${index}_PATH`] = `/${index}`;
    }
    expect(load({ env }).config.routes.map(({ path }) => path)).toEqual(
      Array.from({ length: 11 }, (_, index) => `/${index}`),
    );
  });

  it('add to a route of the file', () => {
    const yaml = routeWith({ profile: 'ze' });
    expect(load({ yaml, env: { MRTR_GATEWAY_ROUTES_0_MODE: 'report' } }).config.routes).toMatchObject([
      { profile: 'ze', mode: 'report', upstream: { url: UPSTREAM } },
    ]);
  });

  it.each([
    [
      { MRTR_GATEWAY_LISTN: 'x' },
      'MRTR_GATEWAY_LISTN: unknown variable; did you mean `MRTR_GATEWAY_LISTEN`?',
    ],
    [
      { MRTR_GATEWAY_ROUTES_0_PROFIL: 'ze' },
      'MRTR_GATEWAY_ROUTES_0_PROFIL: unknown variable; did you mean `MRTR_GATEWAY_ROUTES_0_PROFILE`?',
    ],
    [{ MRTR_GATEWAY_SOMETHING_ELSE_ENTIRELY: 'x' }, 'MRTR_GATEWAY_SOMETHING_ELSE_ENTIRELY: unknown variable'],
    [{ MRTR_GATEWAY_LIMITS_STREAMS: '1e3' }, 'MRTR_GATEWAY_LIMITS_STREAMS: expected a whole number'],
    [{ MRTR_GATEWAY_LOG_AUDIT: 'yes' }, 'MRTR_GATEWAY_LOG_AUDIT: expected true or false'],
    [
      { MRTR_GATEWAY_LOG_LEVEL: 'debg' },
      'log.level: expected one of trace, debug, info, warn, error, fatal, silent; did you mean `debug`? (from MRTR_GATEWAY_LOG_LEVEL)',
    ],
    [
      { MRTR_GATEWAY_ROUTES_2_MODE: 'report' },
      'MRTR_GATEWAY_ROUTES_2_MODE: there is nothing at routes[2].mode to set',
    ],
    [{ MRTR_GATEWAY_ROUTES_1_MODE: 'report' }, 'routes[1].upstream: is required'],
    [
      { MRTR_GATEWAY_ALLOWED_ORIGINS: 'https://a.test,*' },
      'allowedOrigins[1]: wildcards are not supported: name each origin (from MRTR_GATEWAY_ALLOWED_ORIGINS)',
    ],
  ])('that are wrong are problems: %j', (env, line) => {
    expect(problems({ env: { ...ROUTE, ...env } })).toContain(line);
  });

  it.each([
    'MRTR_GATEWAY_SERVICE_HOST',
    'MRTR_GATEWAY_SERVICE_PORT',
    'MRTR_GATEWAY_SERVICE_PORT_HTTP_METRICS',
    'MRTR_GATEWAY_PORT',
    'MRTR_GATEWAY_PORT_9719_TCP',
    'MRTR_GATEWAY_PORT_9719_TCP_ADDR',
    'MRTR_GATEWAY_ADMIN_SERVICE_HOST',
    'MRTR_GATEWAY_ADMIN_PORT_9720_TCP_PROTO',
  ])('that Kubernetes sets for Services are none of ours: %s', (name) => {
    expect(problems({ env: { ...ROUTE, [name]: 'tcp://10.0.0.1:9719' } })).toEqual([]);
  });

  it('never end like those of Kubernetes', () => {
    const names = CONFIG_KEYS.flatMap(({ variable }) => variable ?? []);
    expect(names.filter((name) => /_(HOST|PORT)(_|$)/.test(name))).toEqual([]);
  });
});
