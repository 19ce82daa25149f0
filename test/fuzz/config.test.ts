/** The configuration loader: whatever it is given, it loads whole or refuses with problems that name the place and no secret. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { pathText } from '../../src/config/key-path.js';
import { ANY, CONFIG_KEYS, type ConfigKey } from '../../src/config/keys.js';
import { loadConfig } from '../../src/config/load.js';
import { showConfig } from '../../src/config/show.js';
import { ConfigError, compile, loadObject } from '../../src/index.js';
import { fuzz, Seen } from '../support/fuzz.js';
import { tamper, tampering } from './json-texts.js';

/** Stands wherever a secret does. */
const SECRET = Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64url');
const ENV = { SECRET, UPSTREAM: 'http://ze.test/mcp' };

const VALID = `listen: 127.0.0.1:9719
admin: 127.0.0.1:9720
publicUrl: https://mcp.example.com
allowedOrigins: [https://app.example.com]
trustedProxies: [10.0.0.0/8, "::1"]
seal:
  keys: [ '\${SECRET}' ]
  ttlSeconds: 600
routes:
  - name: ze
    path: /mcp
    upstream: { url: '\${UPSTREAM}', headers: { x-key: '\${SECRET}' } }
    profile: ze
    tools:
      ze_execute: { elicits: [command], auditArguments: [command] }
    rules: { form-has-no-link: enforce }
    passThrough: [/docs/]
  - path: /other
    upstream: { url: http://127.0.0.1:1/mcp }
    requestState: relay
    inputRequests: { max: 2, kinds: [elicitation] }
limits: { exchanges: 10, streams: 20, bufferedBytes: 268435456 }
timeouts: { requestMs: 1000 }
log: { level: warn, audit: false }
`;

/** The places of what is wrong; none: it was loaded, compiles and can be shown. */
function load(read: () => ReturnType<typeof loadObject>): readonly string[] {
  try {
    const loaded = read();
    compile(loaded.config);
    expect(showConfig(loaded)).not.toContain(SECRET);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.problems.length).toBeGreaterThan(0);
    for (const { path, message } of error.problems) {
      expect(path + message).not.toContain(SECRET);
      expect(message).toMatch(/^.+$/);
    }
    return error.problems.map(({ path }) => path);
  }
}

function loadText(text: string, env: Readonly<Record<string, string>> = ENV): readonly string[] {
  const sources = { flags: { config: 'gateway.yaml' }, env, readFile: () => text };
  const places = load(() => loadConfig(sources));
  expect(places).not.toContain('');
  return places;
}

describe('a configuration file', () => {
  const lines = fc
    .array(fc.tuple(fc.nat(), fc.nat(3)), { maxLength: 2 })
    .map((moves) => moves.reduce(move, VALID.split('\n')).join('\n'));
  const text = fc
    .tuple(lines, fc.array(tampering, { maxLength: 3 }))
    .map(([start, changes]) => changes.reduce(tamper, start));

  it('that was tampered with is loaded or refused, and every problem says where', async () => {
    const seen = new Seen(['loaded', 'refused']);
    const property = fc.property(text, (yaml) => {
      seen.add(loadText(yaml).length === 0 ? 'loaded' : 'refused');
    });
    await fuzz(property, { cases: 150, seen });
  });

  it('that is shown is that configuration', async () => {
    const seen = new Seen(['shown']);
    const property = fc.property(text, (yaml) => {
      const read = (shown: string, env = ENV) =>
        loadConfig({ flags: { config: 'gateway.yaml' }, env, readFile: () => shown });
      if (loadText(yaml).length > 0) return;
      const loaded = read(yaml);
      const shown = showConfig(loaded);
      if (shown.includes('***')) return;
      seen.add('shown');
      expect(read(shown).config).toEqual(loaded.config);
    });
    await fuzz(property, { cases: 200, seen });
  });
});

/** Takes a line out, doubles it, or indents it. */
function move(lines: readonly string[], [at, what]: readonly [number, number]): readonly string[] {
  const index = at % lines.length;
  const line = lines[index] ?? '';
  const put = [[], [line, line], [`  ${line}`], [line.replace(/^ {2}/, '')]][what] ?? [];
  return [...lines.slice(0, index), ...put, ...lines.slice(index + 1)];
}

const WORDS = [
  '',
  'ze',
  'enforce',
  '/mcp',
  '127.0.0.1:0',
  'http://a.test/mcp',
  '10.0.0.0/8',
  '__proto__',
  `\${SECRET}`,
];
const scalar = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 1, 2.5, 1e21, 65_536, ...WORDS),
  fc.string({ maxLength: 6 }),
);
const names = fc.constantFrom(
  ...new Set(CONFIG_KEYS.flatMap(({ path }) => path)),
  ...['file', '__proto__', 'constructor', 'toString', 'length', '0', ''],
);
const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(names, tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
  ),
})).value;

/** A value of the key's kind, which mostly fits. */
function fitting({ shape, kind }: ConfigKey): fc.Arbitrary<unknown> {
  const { enum: choices, minimum = 0, maximum = 2 ** 31 - 1 } = shape;
  if (choices !== undefined) return fc.constantFrom(...choices);
  if (kind === 'number') return fc.integer({ min: minimum, max: maximum });
  if (kind === 'boolean') return fc.boolean();
  if (kind === 'list') return fc.array(fc.constantFrom(...(shape.items?.enum ?? WORDS)), { maxLength: 2 });
  return kind === 'text' ? fc.constantFrom(...WORDS) : anything;
}

interface Setting {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** One key, set to something. */
const setting: fc.Arbitrary<Setting> = fc
  .tuple(fc.constantFrom(...CONFIG_KEYS), fc.nat(1), fc.boolean())
  .chain(([key, index, fits]) => {
    const path = key.path.map((name, at) =>
      name !== ANY ? name : key.path[at - 1] === 'routes' ? index : 'free',
    );
    return (fits ? fitting(key) : anything).map((value) => ({ path, value }));
  });

function put(root: unknown, [step, ...rest]: Setting['path'], value: unknown): unknown {
  if (step === undefined) return value;
  const holds =
    typeof root === 'object' && root !== null && (typeof step === 'number') === Array.isArray(root);
  const copy = holds ? root : typeof step === 'number' ? [] : {};
  const inner = Object.hasOwn(copy, step) ? (copy as Record<string | number, unknown>)[step] : undefined;
  const below = put(inner, rest, value);
  Object.defineProperty(copy, step, { value: below, enumerable: true, configurable: true, writable: true });
  return copy;
}

describe('a configuration object', () => {
  const valid = parse(VALID.replace(/\$\{(\w+)\}/g, (_, name: keyof typeof ENV) => ENV[name]));
  const schema = JSON.parse(readFileSync('docs/config.schema.json', 'utf8'));
  const fitsSchema = new Ajv2020({ strict: false }).compile(schema);

  it('with keys set is loaded only where the published schema allows it, and a problem names what it forbids', async () => {
    const seen = new Seen(['loaded', 'refused', 'forbidden']);
    const property = fc.property(fc.array(setting, { minLength: 1, maxLength: 3 }), (settings) => {
      const object = settings.reduce<unknown>(
        (root, { path, value }) => put(root, path, structuredClone(value)),
        structuredClone(valid),
      );
      const allowed = fitsSchema(asWritten(object));
      const places = load(() => loadObject(object));
      seen.add(places.length === 0 ? 'loaded' : allowed ? 'refused' : 'forbidden');
      expect(places).not.toContain('');
      if (!allowed) expect(places).not.toEqual([]);
      if (places.length === 0 || allowed) return;
      const set = settings.map(({ path }) => pathText(path));
      const named = places.some((place) =>
        set.some((path) => path.startsWith(place) || place.startsWith(path)),
      );
      expect([places, set, named]).toEqual([places, set, true]);
    });
    await fuzz(property, { cases: 200, seen });
  });

  it('of any kind is loaded or refused, and leaves the objects of everybody else alone', async () => {
    const before = Object.getOwnPropertyNames(Object.prototype).length;
    const property = fc.property(anything, (value) => {
      load(() => loadObject(value));
      expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(before);
    });
    await fuzz(property, { cases: 150 });
  });
});

/** As the schema has it: a member without a value is not set, and `on` and `off` may have become booleans on their way. */
function asWritten(value: unknown, above = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => asWritten(item));
  if (typeof value === 'boolean' && /^(rules|rewrites)$/.test(above)) return value ? 'on' : 'off';
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(
    members.map(([name, member]) => [name, asWritten(member, typeof member === 'object' ? name : above)]),
  );
}

describe('variables and flags', () => {
  const fittingVariable = fc
    .tuple(fc.constantFrom(...CONFIG_KEYS.filter(({ variable }) => variable !== undefined)), fc.nat(1))
    .chain(([key, route]) =>
      fitting(key).map((value) => {
        const written = typeof value === 'string' ? value : JSON.stringify(value);
        return [key.variable?.replace('<n>', String(route)) ?? '', written] as const;
      }),
    );
  const text = fc.oneof(fc.constantFrom(...WORDS, SECRET), fc.string({ maxLength: 6 }));
  const start = fc.constantFrom('MRTR_GATEWAY_', 'MRTR_GATEWAY_ROUTES_9_', 'MRTR_GATEWAY_ROUTES_x_');
  const oddVariable = fc.tuple(
    fc.tuple(start, fc.constantFrom('', 'URL', 'PATH', '_', 'LISTEN')).map((parts) => parts.join('')),
    text,
  );
  const variable = fc.oneof({ weight: 5, arbitrary: fittingVariable }, oddVariable);
  const flag = fc.option(fc.oneof(fc.constantFrom(ENV.UPSTREAM, '127.0.0.1:0', 'ze'), text), {
    nil: undefined,
    freq: 1,
  });
  const elicits = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom('a=b', 'a=b,c') }, text), {
    maxLength: 1,
  });
  const flags = fc.record({ upstream: flag, listen: flag, admin: flag, profile: flag, elicits });

  it('are loaded or refused, and every problem names one of them or a key', async () => {
    const seen = new Seen(['loaded', 'refused']);
    const env = fc.array(variable, { maxLength: 2 }).map((all) => Object.fromEntries(all));
    const property = fc.property(env, fc.option(flags, { freq: 1 }), fc.boolean(), (given, set, file) => {
      const config = file ? { config: 'gateway.yaml' } : {};
      const sources = { flags: { ...set, ...config }, env: { ...ENV, ...given } };
      const places = load(() => loadConfig({ ...sources, readFile: () => VALID }));
      seen.add(places.length === 0 ? 'loaded' : 'refused');
      expect(places).not.toContain('');
    });
    await fuzz(property, { cases: 150, seen });
  });
});
