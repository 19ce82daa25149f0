import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PathTable } from '../../src/adapters/paths.js';
import { compile } from '../../src/config/compile.js';
import { loadObject } from '../../src/config/load.js';

function table(...routes: readonly Record<string, unknown>[]): PathTable {
  const upstream = 'http://127.0.0.1:9718/api/mcp';
  return new PathTable(
    compile(
      loadObject({ routes: routes.map((route) => ({ upstream, requestState: 'relay', ...route })) }).config,
    ),
  );
}

/** One character, as any of the ways in which a lenient server reads it. */
function spelt(character: string): fc.Arbitrary<string> {
  const hex = character.charCodeAt(0).toString(16);
  return fc.constantFrom(
    character,
    character.toUpperCase(),
    `%${hex}`,
    `%${hex.toUpperCase()}`,
    `%25${hex}`,
    `%2525${hex}`,
    `%%3${hex[0]}${hex[1]}`,
  );
}

const dots = fc.tuple(spelt('.'), spelt('.')).map((two) => two.join(''));
const slash = fc.oneof(
  fc.constantFrom('/', '//', '/./', '/%2e/', '%2f', '%5c', '%252f', '/;a=b/', '/x%2fy/../../'),
  dots.map((parent) => `/x/${parent}/`),
);
const parameters = fc.constantFrom('', '', ';', ';v=1', '%3bx');
const tail = fc.constantFrom('', '', '/', '/.', '/sub', '%2fsub', '/x/..', '//', '?q', '/?q');

function word(letters: string): fc.Arbitrary<string> {
  return fc.tuple(...[...letters].map(spelt)).map((characters) => characters.join(''));
}

const endpoint = fc
  .tuple(slash, word('api'), parameters, slash, word('mcp'), parameters, tail)
  .map((parts) => parts.join(''))
  .map((path) => (path.startsWith('/') ? path : `/${path}`));

describe('the closed table of paths', () => {
  it('takes no other spelling of an MCP path for anything that passes', () => {
    const paths = table({ path: '/api/mcp', passThrough: ['/docs/', '/x/', '/API/other/'] }, { path: '/b' });
    fc.assert(
      fc.property(
        endpoint,
        fc.constantFrom('', '/docs/..', '/docs/%2e%2e', '/x/a%2fb/../..'),
        (path, prefix) => {
          const { kind } = paths.find(prefix + path);
          if ((prefix + path).split('?', 1)[0] === '/api/mcp') return kind === 'mcp';
          return kind === 'disguised' || (prefix !== '' && kind === 'unknown');
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('lets nothing out of a prefix, whatever a server takes for a slash', () => {
    const paths = table({ passThrough: ['/docs/'] });
    const piece = fc.constantFrom(
      'a',
      '.',
      '..',
      '%2e',
      '%2E%2e',
      '%252e',
      '/',
      '//',
      '%2f',
      '%252f',
      '%5c',
      ';',
      ';a',
      '?',
      'docs',
      '%',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const target = `/docs/${pieces.join('')}`;
        const found = paths.find(target);
        if (found.kind !== 'pass-through') return true;
        const readings = ['', '%2f', '%5c'].map((kept) => resolved(target, kept));
        return found.upstreamPath === target && readings.every((path) => path.startsWith('/docs'));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(['//', '/.', '/%2f', '/;x', '/x/..', '/?x#y'])('knows a root in disguise: %s', (target) => {
    const paths = table({ path: '/' });
    expect(paths.find('/')).toMatchObject({ kind: 'mcp' });
    expect(paths.find('/?x')).toMatchObject({ kind: 'mcp' });
    expect(paths.find(target)).toEqual({ kind: 'disguised' });
    expect(paths.find('/x')).toEqual({ kind: 'unknown' });
  });

  it('prefers a literal path to a prefix, and the longer prefix', () => {
    const upstreams = ['one', 'two', 'three'].map((name) => `http://127.0.0.1:1/${name}`);
    const paths = table(
      { path: '/1', upstream: upstreams[0], passThrough: ['/docs/'] },
      { path: '/2', upstream: upstreams[1], passThrough: ['/docs/api/'] },
      { path: '/3', upstream: upstreams[2], passThrough: ['/docs/api/index.html'] },
    );
    for (const [target, path] of [
      ['/docs/index.html', '/1'],
      ['/docs/api', '/1'],
      ['/docs/api/', '/2'],
      ['/docs/api/x', '/2'],
      ['/docs/api/index.html', '/3'],
    ])
      expect(paths.find(target ?? '')).toMatchObject({ kind: 'pass-through', route: { policy: { path } } });
  });
});

/** Where a server ends up that decodes all but these escapes, then removes dot segments as RFC 3986 does. */
function resolved(target: string, kept: string): string {
  let path = target.split('?', 1)[0] ?? '';
  for (let round = 0; round < 4; round += 1)
    path = path.replace(/%([0-9a-f]{2})/gi, (encoded, hex: string) =>
      encoded.toLowerCase() === kept ? encoded : String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return new URL(`http://x${path.replaceAll('#', '')}`).pathname;
}
