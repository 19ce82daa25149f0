import { describe, expect, it } from 'vitest';
import { CERTIFICATE, OTHER_KEY, PRIVATE_KEY } from './pem.js';
import { problems, routeWith } from './sources.js';

const UPSTREAM = 'http://ze.test/mcp';
const TLS = 'https://ze.test/mcp';

function routes(...list: readonly object[]): string {
  return JSON.stringify({ routes: list.map((route) => ({ upstream: 'http://ze.test/upstream', ...route })) });
}

function withRoute(keys: object): string {
  return JSON.stringify({ ...keys, routes: [{ upstream: UPSTREAM }] });
}

describe('keys that do not go together are problems', () => {
  it.each([
    [
      'two routes of one path',
      routes({ path: '/a', name: 'x' }, { path: '/a', name: 'y' }),
      ['routes[1].path: is the path of routes[0] too (letter case does not count)'],
    ],
    [
      'two routes of one path but for letter case',
      routes({ path: '/a', name: 'x' }, { path: '/A', name: 'y' }),
      ['routes[1].path: is the path of routes[0] too (letter case does not count)'],
    ],
    [
      'two routes of one name',
      routes({ path: '/a', name: 'x' }, { path: '/b', name: 'x' }),
      ['routes[1].name: is the name of routes[0] too'],
    ],
    [
      'a name that another route has from its path',
      routes({ path: '/a/b' }, { path: '/c', name: 'a-b' }),
      ['routes[1].name: is the name of routes[0] too'],
    ],
    [
      'a route at another’s metadata path',
      routes({ path: '/a' }, { path: '/.well-known/oauth-protected-resource/a', name: 'b' }),
      ['routes[1].path: is the metadata path of routes[0] too (letter case does not count)'],
    ],
    [
      'one listener twice',
      withRoute({ listen: '127.0.0.1:9720' }),
      ['admin: must not be the address of listen'],
    ],
    [
      'listeners that overlap',
      withRoute({ listen: '0.0.0.0:80', admin: '127.0.0.1:80' }),
      ['admin: must not be the address of listen'],
    ],
    [
      'limits that leave no room',
      withRoute({ limits: { bufferedBytes: 8_000_000, eventBytes: 1_000_000 } }),
      ['limits.bufferedBytes: must be at least limits.responseBytes'],
    ],
    [
      'elicitable arguments without elicitation',
      routeWith({ tools: { book: { elicits: ['city'] } }, inputRequests: { kinds: ['roots'] } }),
      ['routes[0].tools.book.elicits: needs elicitation among inputRequests.kinds of the route'],
    ],
    [
      'a certificate without its key',
      routeWith({}, { url: TLS, cert: CERTIFICATE }),
      ['routes[0].upstream.key: is required along with cert'],
    ],
    [
      'a key without its certificate',
      routeWith({}, { url: TLS, key: PRIVATE_KEY }),
      ['routes[0].upstream.cert: is required along with key'],
    ],
    [
      'a certificate with another’s key',
      routeWith({}, { url: TLS, cert: CERTIFICATE, key: OTHER_KEY }),
      ['routes[0].upstream.key: is not the key of cert'],
    ],
    [
      'authorities without TLS',
      routeWith({}, { url: UPSTREAM, ca: CERTIFICATE }),
      ['routes[0].upstream.url: must be https for ca, cert and key to have a meaning'],
    ],
    [
      'a header field twice',
      routeWith({}, { url: UPSTREAM, headers: { 'X-Key': 'a', 'x-key': 'b' } }),
      ['routes[0].upstream.headers.x-key: is named twice: letter case does not count'],
    ],
  ])('%s', (_, yaml, lines) => {
    expect(problems({ yaml })).toEqual(lines);
  });

  it.each([
    ['a path below another route’s', routes({ path: '/a' }, { path: '/a/b' })],
    ['listeners on free ports', withRoute({ listen: '127.0.0.1:0', admin: '127.0.0.1:0' })],
    ['listeners of one port on two addresses', withRoute({ listen: '10.0.0.1:80', admin: '127.0.0.1:80' })],
    [
      'authorities, certificate and key',
      routeWith({}, { url: TLS, ca: CERTIFICATE, cert: CERTIFICATE, key: PRIVATE_KEY }),
    ],
    ['the root as the only path', routeWith({ path: '/' })],
  ])('%s are none', (_, yaml) => {
    expect(problems({ yaml })).toEqual([]);
  });

  it('are told along with what single keys lack', () => {
    const yaml = routes({ path: '/a', name: 'x', mode: 'no' }, { path: '/a', name: 'x' });
    expect(problems({ yaml }).map((line) => line.split(':')[0])).toEqual([
      'routes[0].mode',
      'routes[1].name',
      'routes[1].path',
    ]);
  });

  it('do not follow from a key that is wrong by itself', () => {
    expect(problems({ yaml: routes({ path: 'a' }, { path: '/mcp' }) })).toEqual([
      'routes[0].path: must start with /',
    ]);
  });
});

describe('a pass-through entry', () => {
  const route = { path: '/gw/mcp', upstream: 'http://ze.test/up/mcp' };
  const entry = (text: string) => problems({ yaml: routes({ ...route, passThrough: [text] }) });

  it.each([
    '/docs',
    '/docs/',
    '/gw',
    '/up',
    '/gw/mcp/health',
    '/up/mcp/health',
    '/gw/mcp2/',
    '/.well-known/openid-configuration',
  ])('may be %s', (text) => {
    expect(entry(text)).toEqual([]);
  });

  it.each([
    ['/gw/mcp', 'is the MCP path /gw/mcp'],
    ['/GW/MCP', 'is the MCP path /gw/mcp'],
    ['/up/mcp', 'is the MCP path /up/mcp'],
    ['/up/mcp/', 'is the MCP path /up/mcp'],
    ['/gw/', 'covers the MCP path /gw/mcp'],
    ['/Up/', 'covers the MCP path /up/mcp'],
    ['/gw/mcp/files/', 'lies under the MCP path /gw/mcp, where only literal paths pass'],
    [
      '/.well-known/oauth-protected-resource/gw/mcp',
      'is the metadata path of routes[0], which passes anyway',
    ],
    ['/', 'would pass everything: name a path or a prefix below /'],
  ])('may not be %s', (text, message) => {
    expect(entry(text)).toEqual([`routes[0].passThrough[0]: ${message}`]);
  });

  it('may not be another route’s', () => {
    const yaml = routes({ path: '/a', passThrough: ['/docs'] }, { path: '/b', passThrough: ['/c', '/docs'] });
    expect(problems({ yaml })).toEqual(['routes[1].passThrough[1]: is routes[0].passThrough[0] too']);
  });

  it('may not be another route’s MCP path', () => {
    const yaml = routes({ path: '/a', passThrough: ['/b'] }, { path: '/b' });
    expect(problems({ yaml })).toEqual(['routes[0].passThrough[0]: is the MCP path /b']);
  });

  it('covers none when the MCP path is the root', () => {
    expect(
      problems({ yaml: routes({ path: '/', upstream: 'http://ze.test', passThrough: ['/docs/', '/docs'] }) }),
    ).toEqual([]);
  });
});
