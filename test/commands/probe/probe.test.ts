import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { probe } from '../../support/probe.js';
import {
  jsonReply,
  type ReplyFunction,
  resultReply,
  sseEvent,
  sseReply,
  startUpstream,
  type Upstream,
} from '../../support/upstream.js';

const DONE = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };
const NOWHERE = 'http://127.0.0.1:1/mcp';

async function server(reply: ReplyFunction = (request) => resultReply(request, DONE)): Promise<Upstream> {
  const upstream = await startUpstream(reply);
  onTestFinished(() => upstream.close());
  return upstream;
}

/** Asks once for all of these, then is done. */
function asking(inputRequests: Record<string, unknown>, state?: string): ReplyFunction {
  return (request, n) =>
    resultReply(request, n > 0 ? DONE : { resultType: 'input_required', inputRequests, requestState: state });
}

const SAMPLE = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 10 } };
const ROOTS = { method: 'roots/list' };

async function answered(upstream: Upstream): Promise<unknown> {
  return (await upstream.request(1)).json().params?.inputResponses;
}

describe('what a probe declares', () => {
  it.each([
    [[], { elicitation: { form: {} } }],
    [['--elicit', 'url'], { elicitation: { url: {} } }],
    [['--elicit', 'form,url'], { elicitation: { form: {}, url: {} } }],
    [['--elicit', ''], { elicitation: {} }],
    [['--elicit', 'none'], {}],
    [
      ['--elicit', 'none', '--capability', 'sampling', '--capability', 'roots,tasks'],
      { sampling: {}, roots: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
    ],
  ])('with %j is %j', async (flags, declared) => {
    const upstream = await server();
    await probe([upstream.url, ...flags], ['discover']);
    const meta = (await upstream.request(0)).json().params?._meta;
    expect(meta).toMatchObject({ 'io.modelcontextprotocol/clientCapabilities': declared });
    expect(
      Object.keys((meta as Record<string, object>)['io.modelcontextprotocol/clientCapabilities'] ?? {}),
    ).toEqual(Object.keys(declared));
  });
});

describe('sampling and roots', () => {
  it('are answered from the queue', async () => {
    const upstream = await server(asking({ s: SAMPLE, r: ROOTS }));
    const script = ['sample-answer Paris', 'roots-answer file:///work', '@t'];
    const { code } = await probe([upstream.url, '--capability', 'sampling,roots'], script);
    expect(await answered(upstream)).toEqual({
      s: {
        role: 'assistant',
        content: { type: 'text', text: 'Paris' },
        model: 'probe',
        stopReason: 'endTurn',
      },
      r: { roots: [{ uri: 'file:///work' }] },
    });
    expect(code).toBe(0);
  });

  it.each([
    [
      'sampling',
      SAMPLE,
      'this client has no model; queue a `sample-answer` before the call to stand for one',
    ],
    ['roots', ROOTS, 'queue one with `roots-answer` before the call'],
    ['what no revision knows', { method: 'x/y' }, 'it is of no kind that the revision knows'],
  ])('%s without an answer leaves the call, and says why', async (_, request, advice) => {
    const upstream = await server(asking({ k: request }));
    const { code, out } = await probe([upstream.url], ['@t']);
    expect(out).toContain(`! k is left without an answer: ${advice}\n`);
    expect([code, upstream.requests.length]).toEqual([1, 1]);
  });
});

describe('answers', () => {
  const form = (properties: object) => ({
    method: 'elicitation/create',
    params: { message: 'm', requestedSchema: { type: 'object', properties } },
  });

  it('for several fields are JSON', async () => {
    const upstream = await server(asking({ k: form({ a: { type: 'string' }, n: { type: 'number' } }) }));
    await probe([upstream.url], ['elicit-answer accept {"a":"x","n":2}', '@t']);
    expect(await answered(upstream)).toEqual({ k: { action: 'accept', content: { a: 'x', n: 2 } } });
  });

  it('that cannot be meant leave the call', async () => {
    const upstream = await server(asking({ k: form({ a: {}, b: {} }) }));
    const { code, out } = await probe([upstream.url], ['elicit-answer accept x', '@t']);
    expect(out).toContain('! the form has several fields');
    expect([code, upstream.requests.length]).toEqual([1, 1]);
  });

  it('that nobody asked for are told of', async () => {
    const { code, out } = await probe([(await server()).url], ['elicit-answer decline', '@t']);
    expect(out).toContain('- 1 queued answers were not asked for\n');
    expect(code).toBe(0);
  });
});

describe('a tool that wants arguments in headers', () => {
  it('gets them once it was listed', async () => {
    const inputSchema = { type: 'object', properties: { r: { type: 'string', 'x-mcp-header': 'Region' } } };
    const tools = { resultType: 'complete', tools: [{ name: 't', inputSchema }] };
    const upstream = await server((request) =>
      resultReply(request, request.json().method === 'tools/list' ? tools : DONE),
    );
    await probe([upstream.url], ['list', '@t {"r":"eu"}']);
    expect((await upstream.request(1)).headers['mcp-param-region']).toBe('eu');
  });
});

describe('a list', () => {
  it('is read to its end', async () => {
    const upstream = await server((request, n) =>
      resultReply(request, {
        resultType: 'complete',
        prompts: [{ name: `p${n}` }],
        ...(n < 2 && { nextCursor: `c${n}` }),
      }),
    );
    const { out } = await probe([upstream.url], ['list prompts']);
    expect(out.match(/^ {2}p\d/gm)).toEqual(['  p0', '  p1', '  p2']);
    expect((await upstream.request(2)).json().params?.cursor).toBe('c1');
  });

  it('that has no end is left', async () => {
    const upstream = await server((request, n) =>
      resultReply(request, { resultType: 'complete', tools: [], nextCursor: `c${n}` }),
    );
    const { code, out } = await probe([upstream.url], ['list']);
    expect(out).toContain('! there are more than 100 pages\n');
    expect(code).toBe(3);
  });
});

describe('the exit status', () => {
  const cases: readonly (readonly [string, ReplyFunction, number])[] = [
    ['a complete result', (request) => resultReply(request, DONE), 0],
    ['a tool that failed', (request) => resultReply(request, { ...DONE, isError: true }), 1],
    [
      'a refusal',
      (request) => jsonReply({ jsonrpc: '2.0', id: request.json().id, error: { code: 1, message: 'm' } }),
      3,
    ],
    ['another id', () => jsonReply({ jsonrpc: '2.0', id: 'x', result: {} }), 3],
    ['a page', () => ({ headers: { 'content-type': 'text/html' }, body: '<p>' }), 3],
    ['no HTTP', () => ({ raw: 'hello\r\n' }), 3],
    [
      'a request of the server',
      (request) =>
        sseReply([
          sseEvent({ jsonrpc: '2.0', id: 's', method: 'elicitation/create', params: {} }),
          sseEvent({ jsonrpc: '2.0', id: request.json().id, result: DONE }),
        ]),
      3,
    ],
    ['silence', () => ({ never: true }), 4],
    ['a closed connection', () => ({ raw: '' }), 4],
  ];
  it.each(cases)('of %s is told', async (_, reply, status) => {
    expect((await probe([(await server(reply)).url, '--timeout', '1'], ['@t'])).code).toBe(status);
  });

  it('is that of the worst', async () => {
    const upstream = await server((request, n) => resultReply(request, { ...DONE, isError: n === 0 }));
    expect((await probe([upstream.url], ['@t', '@t'])).code).toBe(1);
  });

  it('of a server that is not there is 4', async () => {
    const { code, out } = await probe([NOWHERE], ['list']);
    expect(out).toContain('! nothing listens there: the connection was refused (ECONNREFUSED)\n');
    expect(code).toBe(4);
  });
});

describe('wrong usage', () => {
  it.each<[string, readonly string[], readonly string[], string]>([
    ['no server', [], [], 'which server? Give its URL, or --port N for http://127.0.0.1:N/mcp'],
    ['two servers', [NOWHERE, '--port', '1'], [], '--port: stands for a URL, and there is one'],
    ['no port', ['--port', '99999'], [], '--port: expected a number from 1 to 65535'],
    ['no URL', ['localhost:9719'], [], 'URL: expected an http or https URL'],
    ['a file', ['file:///etc/passwd'], [], 'URL: expected an http or https URL'],
    ['a user in the URL', ['http://me:pw@127.0.0.1/mcp'], [], 'URL: has a user in it'],
    [
      'an unknown mode',
      [NOWHERE, '--elicit', 'frm'],
      [],
      '--elicit: expected one of form | url | form,url | none',
    ],
    [
      'an unknown capability',
      [NOWHERE, '--capability', 'x'],
      [],
      '--capability: expected one of sampling, roots, tasks',
    ],
    ['no header', [NOWHERE, '--header', 'x'], [], "--header: expected 'Name: value'"],
    [
      'a header with a line feed',
      [NOWHERE, '--header', 'x: a\nb: c'],
      [],
      "--header: expected 'Name: value'",
    ],
    [
      "the connection's header",
      [NOWHERE, '--header', 'Host: x'],
      [],
      "--header: Host is the connection's own",
    ],
    ['no token', [NOWHERE, '--bearer', 'env:NONE'], [], '--bearer: the variable cannot be read'],
    ['no time', [NOWHERE, '--timeout', 'long'], [], '--timeout: expected a number of seconds'],
    ['no directive', [NOWHERE], ['# fine', '', 'lst'], 'line 3: not a directive; did you mean `list`?'],
  ])('is told: %s', async (_, args, script, message) => {
    const { code, err } = await probe(args, script);
    expect(err).toContain(message);
    expect(code).toBe(2);
  });

  it('ends a script where it is', async () => {
    const upstream = await server();
    await probe([upstream.url], ['@t', 'nonsense', '@t']);
    expect(upstream.requests).toHaveLength(1);
  });

  it('is told all at once', async () => {
    const { err } = await probe(['--elicit', 'x', '--timeout', '0'], []);
    expect(err.split('\n')).toHaveLength(5);
  });
});

describe('a token', () => {
  const TOKEN = 'tok-3f9a2c';
  const echo: ReplyFunction = (request) =>
    resultReply(request, {
      ...DONE,
      content: [{ type: 'text', text: `you said ${request.headers.authorization}` }],
    });

  it.each([
    ['from the command line', TOKEN, {}],
    ['from a variable', 'env:TOKEN', { TOKEN }],
  ])('%s is sent, and never printed', async (_, flag, env) => {
    const upstream = await server(echo);
    for (const more of [[], ['--raw'], ['--json'], ['--raw', '--json']]) {
      const { out, err } = await probe([upstream.url, '--bearer', flag, ...more], ['@t'], env);
      expect(upstream.requests.at(-1)?.headers.authorization).toBe(`Bearer ${TOKEN}`);
      expect(out + err).not.toContain(TOKEN);
      expect(out).toContain('you said Bearer ***');
    }
  });

  it('from a file is sent without the line end', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mrtr-gateway-probe-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'token'), `${TOKEN}\n`);
    const upstream = await server();
    await probe([upstream.url, '--bearer', `file:${join(folder, 'token')}`], ['@t']);
    expect((await upstream.request(0)).headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it('in a header of its own is not printed either', async () => {
    const { out } = await probe([(await server()).url, '--raw', '--header', `X-Api-Key: ${TOKEN}`], ['@t']);
    expect(out).toContain('X-Api-Key: ***');
    expect(out).not.toContain(TOKEN);
  });
});

describe('--json', () => {
  it('prints what happened, a line each', async () => {
    const form = {
      method: 'elicitation/create',
      params: { message: 'm', requestedSchema: { properties: { a: {} } } },
    };
    const upstream = await server(asking({ k: form }, 'opaque'));
    const { events } = await probe([upstream.url, '--json'], ['elicit-answer accept x', '@t {"b":1}']);
    expect(events).toEqual([
      {
        event: 'request',
        id: 1,
        method: 'tools/call',
        target: 't',
        params: { name: 't', arguments: { b: 1 } },
      },
      { event: 'input_required', status: 200, carriesState: true, requests: { k: form } },
      { event: 'answer', key: 'k', by: 'script', answer: { action: 'accept', content: { a: 'x' } } },
      {
        event: 'request',
        id: 2,
        method: 'tools/call',
        target: 't',
        params: {
          name: 't',
          arguments: { b: 1 },
          inputResponses: { k: { action: 'accept', content: { a: 'x' } } },
          requestState: 'opaque',
        },
      },
      { event: 'result', status: 200, method: 'tools/call', result: DONE },
      { event: 'end', exit: 0 },
    ]);
  });
});

describe('--raw', () => {
  it('shows every byte both ways', async () => {
    const upstream = await server(() => ({
      headers: { 'content-type': 'application/json', 'x-odd': 'y' },
      body: Buffer.from([0x7b, 0xff, 0x1b]),
    }));
    const { out } = await probe([upstream.url, '--raw'], ['@t']);
    expect(out).toContain('>> POST /mcp HTTP/1.1\\r\\n\n');
    expect(out).toContain('>> Mcp-Name: t\\r\\n\n');
    expect(out).toContain('<< x-odd: y\\r\\n\n');
    expect(out).toContain('{\\xff\\x1b');
  });
});

describe('a hostile server', () => {
  const EVIL = 'a\x1b]0;pwned\x07\x9b2J\u202e\u200b\r\nb';
  /** All that this program itself prints to control a terminal, without colours: line feeds. */
  const HARMLESS = /^[^\p{C}\p{Default_Ignorable_Code_Point}]*$/u;
  const evilForm = {
    method: 'elicitation/create',
    params: {
      message: EVIL,
      requestedSchema: {
        properties: {
          [EVIL]: { type: 'string', title: EVIL, description: EVIL, default: EVIL, enum: [EVIL] },
        },
      },
    },
  };
  const evilUrl = {
    method: 'elicitation/create',
    params: { mode: 'url', message: EVIL, url: `https://x/${EVIL}` },
  };
  const replies: readonly (readonly [string, ReplyFunction])[] = [
    [
      'a result',
      (request) =>
        resultReply(request, { resultType: EVIL, content: [{ type: EVIL, text: EVIL }], [EVIL]: EVIL }),
    ],
    [
      'text',
      (request) =>
        resultReply(request, {
          content: [{ type: 'text', text: EVIL }],
          structuredContent: { [EVIL]: EVIL },
        }),
    ],
    [
      'an error',
      (request) =>
        jsonReply({
          jsonrpc: '2.0',
          id: request.json().id,
          error: { code: EVIL, message: EVIL, data: { [EVIL]: EVIL } },
        }),
    ],
    ['a question', asking({ [EVIL]: evilForm })],
    ['a URL', asking({ [EVIL]: evilUrl }, EVIL)],
    ['another question', asking({ [EVIL]: { method: EVIL, params: { [EVIL]: EVIL } } })],
    [
      'a page',
      () => ({ status: 500, headers: { 'content-type': 'text/html', 'x-a': '\x9b2J' }, body: EVIL }),
    ],
    [
      'a notification',
      () => sseReply([sseEvent({ jsonrpc: '2.0', method: EVIL, params: { [EVIL]: EVIL } })]),
    ],
    ['a request', () => sseReply([sseEvent({ jsonrpc: '2.0', id: EVIL, method: EVIL })])],
    [
      'a task',
      (request) =>
        resultReply(request, { resultType: 'task', taskId: EVIL, status: EVIL, statusMessage: EVIL }),
    ],
    [
      'a list',
      (request) =>
        resultReply(request, {
          tools: [{ name: EVIL, description: EVIL, inputSchema: { required: [EVIL] } }],
          resources: [{ uri: EVIL, title: EVIL }],
          contents: [{ uri: EVIL, text: EVIL }],
          messages: [{ role: EVIL, content: { type: 'text', text: EVIL } }],
          supportedVersions: [EVIL],
          capabilities: { [EVIL]: EVIL },
          instructions: EVIL,
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: EVIL, version: EVIL } },
        }),
    ],
  ];
  it.each(replies)('moves no cursor by %s', async (_, reply) => {
    const { url } = await server(reply);
    const script = [
      '@t',
      'elicit-answer accept {"a":1}',
      '@t',
      'list',
      'list resources',
      'read x:',
      'prompt p',
      'discover',
    ];
    for (const flags of [[], ['--raw'], ['--json'], ['--raw', '--json']]) {
      const { out, err } = await probe([url, ...flags], script);
      for (const line of [...out.split('\n'), ...err.split('\n')]) expect(line).toMatch(HARMLESS);
      expect(out).not.toContain('\r');
    }
  });
});
