import { describe, expect, it } from 'vitest';
import { loadObject } from '../../src/config/load.js';
import { ConfigError, restartKeys } from '../../src/config/loaded.js';
import { ADMIT, OUTBOUND, PARSE } from '../../src/rules/index.js';
import { generateKey } from '../../src/seal/key.js';
import { FILE, load, problems, routeWith } from './sources.js';

const UPSTREAM = 'http://ze.test/mcp';
const ref = (name: string) => `\${${name}}`;
const SECRET = generateKey();

describe('defaults', () => {
  it('stand in design for one route in front of an upstream', () => {
    const { config } = load({ flags: { upstream: UPSTREAM } });
    expect(config).toMatchObject({
      listen: '127.0.0.1:9719',
      admin: '127.0.0.1:9720',
      publicUrl: null,
      routes: [
        {
          name: 'mcp',
          path: '/mcp',
          profile: 'spec',
          mode: 'enforce',
          requestState: 'seal',
          legacy: 'refuse',
          capabilityErrorStatus: 400,
        },
      ],
      limits: {
        requestBytes: 4_194_304,
        responseBytes: 16_777_216,
        eventBytes: 16_777_216,
        bufferedBytes: 268_435_456,
        exchanges: 1024,
        streams: 10_000,
        socketsPerClient: 16_384,
        headerBytes: 32_768,
      },
      timeouts: {
        requestMs: 30_000,
        connectMs: 5_000,
        headersMs: 900_000,
        bodyIdleMs: 60_000,
        streamIdleMs: 0,
        ssePingMs: 15_000,
        keepAliveTimeoutMs: 65_000,
        drainDelayMs: 0,
        drainMs: 30_000,
      },
      log: { level: 'info', audit: true },
    });
  });

  it.each([
    ['spec', 'seal', 16, ['elicitation', 'sampling', 'roots']],
    ['ze', 'forbid', 1, ['elicitation']],
  ])('of profile %s are its own', (profile, requestState, max, kinds) => {
    const [route] = load({ flags: { upstream: UPSTREAM, profile } }).config.routes;
    expect(route).toMatchObject({ requestState, inputRequests: { max, kinds } });
  });

  it('of a profile give way to the route’s keys', () => {
    const yaml = routeWith({ profile: 'ze', requestState: 'relay', inputRequests: { max: 4 } });
    expect(load({ yaml }).config.routes[0]).toMatchObject({
      requestState: 'relay',
      inputRequests: { max: 4, kinds: ['elicitation'] },
    });
  });

  it.each([
    ['/mcp', 'mcp'],
    ['/teams/a/mcp', 'teams-a-mcp'],
    ['/', 'root'],
    ['/~a+b', 'a-b'],
    ['/v1.0/mcp', 'v1.0-mcp'],
  ])('call the route at %s %s', (path, name) => {
    expect(load({ yaml: routeWith({ path }) }).config.routes[0]?.name).toBe(name);
  });

  it('hold for a section or key without a value', () => {
    const yaml = `limits:\npublicUrl:\nroutes: [{ upstream: "${UPSTREAM}", tools: , profile: ~ }]`;
    expect(load({ yaml }).config).toEqual(load({ flags: { upstream: UPSTREAM } }).config);
  });

  it('and all other values are frozen', () => {
    const { config } = load({ yaml: routeWith({ tools: { book: { elicits: ['a'] } } }) });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.routes[0]?.tools.book?.elicits)).toBe(true);
  });
});

describe('precedence', () => {
  const yaml = `listen: 127.0.0.1:1\nlimits: { exchanges: 1, streams: 1 }\nroutes: [{ upstream: "http://file.test/mcp" }]`;
  const env = {
    MRTR_GATEWAY_LISTEN: '127.0.0.1:2',
    MRTR_GATEWAY_LIMITS_EXCHANGES: '2',
    MRTR_GATEWAY_ROUTES_0_UPSTREAM: 'http://env.test/mcp',
  };

  it('puts the file over defaults', () => {
    const { config } = load({ yaml });
    expect([config.listen, config.limits.exchanges, config.limits.eventBytes]).toEqual([
      '127.0.0.1:1',
      1,
      16_777_216,
    ]);
  });

  it('puts variables over the file', () => {
    const { config } = load({ yaml, env });
    expect([config.listen, config.limits.exchanges, config.limits.streams]).toEqual(['127.0.0.1:2', 2, 1]);
    expect(config.routes[0]?.upstream.url).toBe('http://env.test/mcp');
  });

  it('puts flags over variables', () => {
    const { config } = load({
      yaml,
      env,
      flags: { listen: '127.0.0.1:3', upstream: 'http://flag.test/mcp' },
    });
    expect([config.listen, config.routes[0]?.upstream.url]).toEqual(['127.0.0.1:3', 'http://flag.test/mcp']);
  });

  it('is told by the origin of each value', () => {
    const { origins } = load({ yaml, env, flags: { upstream: 'http://flag.test/mcp' } });
    expect(Object.fromEntries(origins)).toEqual({
      listen: 'env',
      'limits.exchanges': 'env',
      'limits.streams': 'file',
      'routes[0].upstream.url': 'flag',
      'seal.ephemeral': 'env',
    });
  });

  it('lets a variable add to an upstream that the file writes as a URL', () => {
    const { upstream } =
      load({ yaml: routeWith({}), env: { MRTR_GATEWAY_ROUTES_0_UPSTREAM_URL: 'http://env.test/' } }).config
        .routes[0] ?? {};
    expect(upstream?.url).toBe('http://env.test/');
  });

  it('takes the file’s certificates and headers away with the upstream that a flag replaces', () => {
    const file = routeWith({}, { url: UPSTREAM, headers: { authorization: 'Bearer of-ze' } });
    const { upstream } =
      load({ yaml: file, flags: { upstream: 'http://other.test/' } }).config.routes[0] ?? {};
    expect(upstream?.headers).toEqual({});
  });
});

describe('flags', () => {
  it('name a tool’s elicitable arguments', () => {
    const elicits = ['ze_execute=command', 'book=city, day', 'a=b=c', 'ze_execute=target'];
    const tools = load({ flags: { upstream: UPSTREAM, elicits } }).config.routes[0]?.tools;
    expect(Object.entries(tools ?? {}).map(([name, tool]) => [name, tool.elicits])).toEqual([
      ['ze_execute', ['command', 'target']],
      ['book', ['city', 'day']],
      ['a=b', ['c']],
    ]);
  });

  it('keep what the file says of the tool besides', () => {
    const yaml = routeWith({ tools: { book: { elicits: ['x'], toolError: false } } });
    expect(load({ yaml, flags: { elicits: ['book=city'] } }).config.routes[0]?.tools.book).toEqual({
      elicits: ['city'],
      auditArguments: [],
      toolError: false,
    });
  });

  it.each(['ze_execute', '=command', 'ze_execute=', 'ze_execute=a,,b', '__proto__=a'])(
    'refuse --elicits %s',
    (text) => {
      expect(problems({ flags: { upstream: UPSTREAM, elicits: [text] } })).toEqual([
        '--elicits: expected TOOL=ARG[,ARG], for example ze_execute=command',
      ]);
    },
  );

  it('of a route are refused when there are several', () => {
    const yaml = JSON.stringify({ routes: [{ upstream: UPSTREAM }, { upstream: UPSTREAM, path: '/b' }] });
    expect(problems({ yaml, flags: { upstream: UPSTREAM, profile: 'ze' } })).toEqual([
      '--upstream: sets the only route, but 2 are configured',
      '--profile: sets the only route, but 2 are configured',
    ]);
  });

  it.each([
    [{ listen: 'x' }, 'listen: expected HOST:PORT, for example 127.0.0.1:9719 or [::1]:0 (from --listen)'],
    [{ profile: 'zee' }, 'routes[0].profile: expected one of ze, spec; did you mean `ze`? (from --profile)'],
    [
      { upstream: 'ze.test' },
      'routes[0].upstream: expected an absolute http or https URL, for example http://127.0.0.1:9718/mcp (from --upstream)',
    ],
  ])('are named by the problem with their value: %j', (flags, line) => {
    expect(problems({ flags: { upstream: UPSTREAM, ...flags } })).toEqual([line]);
  });
});

describe('references', () => {
  const url = `${ref('SCHEME')}://${ref('HOST')}/mcp`;

  it('to variables are put in', () => {
    const { config } = load({ yaml: routeWith({}, url), env: { SCHEME: 'https', HOST: 'ze.test' } });
    expect(config.routes[0]?.upstream.url).toBe('https://ze.test/mcp');
  });

  it('to variables are texts, never more of the file', () => {
    const { config } = load({
      yaml: routeWith({ credentials: { words: [ref('WORD')] } }),
      env: { WORD: `a, b]\nlisten: x ${ref('WORD')}` },
    });
    expect(config.routes[0]?.credentials.words).toEqual([`a, b]\nlisten: x ${ref('WORD')}`]);
  });

  it('are escaped by a second dollar', () => {
    const { config } = load({ yaml: routeWith({ credentials: { words: [`$${ref('WORD')} $WORD $`] } }) });
    expect(config.routes[0]?.credentials.words).toEqual([`${ref('WORD')} $WORD $`]);
  });

  it('to a variable that is not set, or without a proper name, are problems', () => {
    const words = [ref('NONE'), '${', ref(''), ref('a b'), ref('A:-b')];
    expect(problems({ yaml: routeWith({ credentials: { words } }) })).toEqual([
      'routes[0].credentials.words[0]: the environment variable NONE is not set',
      ...[1, 2, 3, 4].map(
        (index) =>
          `routes[0].credentials.words[${index}]: a reference is written \${NAME}; write $\${ for the two characters themselves`,
      ),
    ]);
  });

  const headers = { authorization: { file: 'token' }, 'x-key': { file: `/run/${ref('NAME')}` } };
  const files = { '/etc/gateway/token': 'Bearer abc\n', '/run/key': 'def\r\n' };

  it('to files are put in, without the last line break, from the file’s folder on', () => {
    const loaded = load({ yaml: routeWith({}, { url: UPSTREAM, headers }), files, env: { NAME: 'key' } });
    expect(loaded.config.routes[0]?.upstream.headers).toEqual({
      authorization: 'Bearer abc',
      'x-key': 'def',
    });
    expect(loaded.files).toEqual([FILE, '/etc/gateway/token', '/run/key']);
  });

  it('to a file that is not there are one problem', () => {
    const yaml = routeWith({}, { url: UPSTREAM, headers: { authorization: { file: 'none' } } });
    expect(problems({ yaml })).toEqual([
      'routes[0].upstream.headers.authorization: the file /etc/gateway/none cannot be read (ENOENT)',
    ]);
  });

  it.each([
    [`file: "${ref('SEAL_KEY')}"`, `the file ${ref('SEAL_KEY')}`],
    [`file: ${SECRET}`, 'the file whose name looks like a key'],
  ])('to a file by what should stand in it do not show that: %s', (entry, named) => {
    const yaml = `seal: { keys: [{ ${entry} }] }\nroutes: [{ upstream: ${UPSTREAM} }]`;
    expect(problems({ yaml, env: { SEAL_KEY: SECRET } })).toEqual([
      `seal.keys[0]: ${named} cannot be read (ENOENT)`,
    ]);
  });

  it('to files are only for keys that take them', () => {
    expect(problems({ yaml: routeWith({ name: { file: 'token' } }), files })).toEqual([
      'routes[0].name: expected text',
    ]);
  });
});

describe('problems', () => {
  it('are told all at once, each with its path', () => {
    const yaml = `listn: 127.0.0.1:1
allowedOrigins: [https://a.test/, "null"]
routes:
  - profil: ze
    path: mcp
  - upstream: 7
    mode: reprot
    requestState: sealed
    passThrough: [/x, docs]
    rules: { form-has-no-lnk: off }
    inputRequests: { max: 0, kinds: [elicitation, root] }
    tools: { book: { elicit: [city] } }
limits: { requestBytes: 10, exchanges: many }
timeouts: { drainMs: 0, requestMs: 1.5 }
log: { level: verbose, audit: yes }`;
    const lines = problems({ yaml, env: { MRTR_GATEWAY_LISTN: 'x' } });
    expect(lines.map((line) => line.split(': ')[0])).toEqual([
      'MRTR_GATEWAY_LISTN',
      'allowedOrigins[0]',
      'allowedOrigins[1]',
      'routes[0].path',
      'routes[0].upstream',
      'routes[0].profil',
      'routes[1].upstream',
      'routes[1].mode',
      'routes[1].requestState',
      'routes[1].tools.book.elicit',
      'routes[1].inputRequests.max',
      'routes[1].inputRequests.kinds[1]',
      'routes[1].rules.form-has-no-lnk',
      'routes[1].passThrough[1]',
      'limits.requestBytes',
      'limits.exchanges',
      'timeouts.requestMs',
      'timeouts.drainMs',
      'log.level',
      'log.audit',
      'listn',
    ]);
  });

  it.each([
    [{ profil: 'ze' }, 'routes[0].profil: unknown key `routes[0].profil`; did you mean `profile`?'],
    [{ zzzzzzzz: 1 }, 'routes[0].zzzzzzzz: unknown key `routes[0].zzzzzzzz`'],
    [{ 'a b': 1 }, 'routes[0]["a b"]: unknown key `routes[0]["a b"]`'],
    [{ constructor: 1 }, 'routes[0].constructor: unknown key `routes[0].constructor`'],
    [
      { rules: { 'result-type-knwn': 'off' } },
      'routes[0].rules.result-type-knwn: unknown key `routes[0].rules.result-type-knwn`; did you mean `result-type-known`?',
    ],
    [
      { rewrites: { 'list-scope-privat': 'off' } },
      'routes[0].rewrites.list-scope-privat: unknown key `routes[0].rewrites.list-scope-privat`; did you mean `list-scope-private`?',
    ],
    [
      { rewrites: { 'seal-request-state': 'off' } },
      'routes[0].rewrites.seal-request-state: unknown key `routes[0].rewrites.seal-request-state`',
    ],
    [
      { requestState: 'forbit' },
      'routes[0].requestState: expected one of forbid, relay, seal; did you mean `forbid`?',
    ],
    [{ capabilityErrorStatus: 500 }, 'routes[0].capabilityErrorStatus: expected one of 400, 200'],
    [{ inputRequests: { max: 2000 } }, 'routes[0].inputRequests.max: must be at most 1024'],
    [{ inputRequests: { kinds: [] } }, 'routes[0].inputRequests.kinds: must not be empty'],
    [{ tools: { book: { elicits: 'city' } } }, 'routes[0].tools.book.elicits: expected a list'],
    [{ tools: ['book'] }, 'routes[0].tools: expected an object'],
    [{ tools: { '': {} } }, 'routes[0].tools[""]: must not be empty'],
    [
      { rules: { 'result-type-known': 'yes' } },
      'routes[0].rules.result-type-known: expected one of enforce, report, off',
    ],
    [
      { rules: { 'result-type-known': true } },
      'routes[0].rules.result-type-known: expected one of enforce, report, off',
    ],
    [{ listTtlMs: -1 }, 'routes[0].listTtlMs: must be at least 0'],
  ])('of a route %j say what is wrong', (keys, line) => {
    expect(problems({ yaml: routeWith(keys) })).toEqual([line]);
  });

  it.each(OUTBOUND.filter(({ locked }) => locked !== undefined).map(({ id, locked }) => [id, locked]))(
    'come from softening the locked rule %s, with the reason of the lock',
    (id, locked) => {
      for (const severity of ['report', 'off', false])
        expect(problems({ yaml: routeWith({ rules: { [id as string]: severity } }) })).toEqual([
          `routes[0].rules.${id}: cannot be softened: ${locked}`,
        ]);
      expect(problems({ yaml: routeWith({ rules: { [id as string]: 'enforce' } }) })).toEqual([]);
    },
  );

  it.each([...ADMIT, ...PARSE].map(({ id, locked }) => [id, locked]))(
    'come from any severity of %s, which is always judged',
    (id, locked) => {
      expect(problems({ yaml: routeWith({ rules: { [id as string]: 'enforce' } }) })).toEqual([
        `routes[0].rules.${id}: this rule cannot be configured: ${locked}`,
      ]);
    },
  );

  it('are none when a rule is off in the words of YAML 1.1', () => {
    const { rules } =
      load({ yaml: routeWith({ rules: { 'result-type-known': false } }) }).config.routes[0] ?? {};
    expect(rules).toEqual({ 'result-type-known': 'off' });
  });

  it('of an upstream as an object stand at its keys', () => {
    expect(problems({ yaml: routeWith({}, { ca: 'x', uri: 1 }) })).toEqual([
      'routes[0].upstream.url: is required',
      'routes[0].upstream.ca: expected a certificate in PEM form',
      'routes[0].upstream.uri: unknown key `routes[0].upstream.uri`; did you mean `url`?',
    ]);
  });

  it('come from a member named __proto__ too', () => {
    expect(problems({ yaml: `{"routes":[{"upstream":"${UPSTREAM}","tools":{"__proto__":{}}}]}` })).toEqual([
      'routes[0].tools.__proto__: this name cannot be configured',
    ]);
  });

  it('never tell a secret', () => {
    const secret = 's3cr3t';
    const yaml = JSON.stringify({
      listen: secret,
      routes: [
        {
          upstream: `http://u:${secret}@ze.test/`,
          profile: secret,
          path: secret,
          rules: { 'result-type-known': secret },
        },
        {
          upstream: {
            url: ref('URL'),
            key: { file: 'key' },
            cert: secret,
            headers: { authorization: `${secret}\n`, via: secret },
          },
        },
      ],
    });
    const env = {
      URL: `ftp://${secret}`,
      MRTR_GATEWAY_LOG_LEVEL: secret,
      MRTR_GATEWAY_LIMITS_STREAMS: secret,
    };
    const lines = problems({ yaml, env, files: { '/etc/gateway/key': secret } });
    expect(lines.length).toBeGreaterThan(8);
    expect(lines.join('\n')).not.toContain(secret);
  });
});

describe('a change of configuration', () => {
  const config = (keys: object) => loadObject({ ...keys, routes: [{ upstream: UPSTREAM }] }).config;

  it.each([
    [{}, []],
    [{ log: { level: 'debug' } }, []],
    [{ listen: '127.0.0.1:1' }, ['listen']],
    [{ listen: '127.0.0.1:1', admin: '127.0.0.1:2' }, ['listen', 'admin']],
  ])('to %j takes a restart for %j', (keys, expected) => {
    expect(restartKeys(config({}), config(keys))).toEqual(expected);
  });
});

/** Takes away what the tests’ own `load` sets. */
const NO_ENV = { MRTR_GATEWAY_SEAL_EPHEMERAL: '' };

describe('an object, for the library', () => {
  it('is checked and completed like a file', () => {
    const { config } = loadObject({ routes: [{ upstream: UPSTREAM, profile: 'ze' }] });
    expect(config).toEqual(load({ flags: { upstream: UPSTREAM, profile: 'ze' }, env: NO_ENV }).config);
  });

  it('keeps its texts as they are', () => {
    const { config } = loadObject({
      routes: [{ upstream: UPSTREAM, credentials: { words: [ref('HOME')] } }],
    });
    expect(config.routes[0]?.credentials.words).toEqual([ref('HOME')]);
  });

  it('may leave keys undefined', () => {
    expect(
      loadObject({ publicUrl: undefined, routes: [{ upstream: UPSTREAM, name: undefined }] }).config.routes[0]
        ?.name,
    ).toBe('mcp');
  });

  it('is not changed', () => {
    const input = Object.freeze({ routes: Object.freeze([Object.freeze({ upstream: UPSTREAM })]) });
    expect(() => loadObject(input)).not.toThrow();
  });

  it.each([
    undefined,
    null,
    7,
    'x',
    [],
    () => {},
    { routes: 7 },
    { routes: [null] },
    { routes: [{ upstream: () => {} }] },
  ])('is refused with problems when it is %s', (input) => {
    expect(() => loadObject(input)).toThrow(ConfigError);
  });

  it('that holds itself is refused', () => {
    const input: Record<string, unknown> = { routes: [{ upstream: UPSTREAM }] };
    input.log = input;
    expect(() => loadObject(input)).toThrow(ConfigError);
  });
});
