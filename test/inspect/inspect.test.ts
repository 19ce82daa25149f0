import { describe, expect, it } from 'vitest';
import { type Inspected, inspect } from '../../src/inspect/inspect.js';
import { changes, Summary } from '../../src/inspect/summary.js';
import { policyOf } from '../check/audits.js';
import { FORM, requestHeaders, requestText } from '../support/client.js';

type Json = Record<string, unknown>;

const pairs = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

interface Recorded {
  readonly method?: string;
  readonly params?: Json;
  readonly capabilities?: unknown;
  readonly headers?: Record<string, string | undefined>;
  /** In the place of the request's body. */
  readonly body?: string;
  readonly response?: Json;
  readonly url?: string;
}

/** An entry as a browser writes it. */
function entry(recorded: Recorded = {}): Json {
  const { method = 'tools/call', params = { name: 'book' }, capabilities = FORM, response, url } = recorded;
  const options = { params, capabilities, ...(recorded.headers && { headers: recorded.headers }) };
  return {
    startedDateTime: '2026-11-30T10:00:00.000Z',
    request: {
      method: 'POST',
      url: url ?? 'https://mcp.example/mcp?x=1',
      headers: [{ name: ':method', value: 'POST' }, ...pairs(requestHeaders(method, options))],
      postData: { mimeType: 'application/json', text: recorded.body ?? requestText(method, options) },
    },
    response: response ?? answer({ resultType: 'complete', content: [] }),
  };
}

function answer(result: Json, more: Json = {}): Json {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result });
  return {
    status: 200,
    headers: [],
    content: { mimeType: 'application/json', text, size: text.length },
    ...more,
  };
}

function streamed(...messages: readonly unknown[]): Json {
  const text = messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join('');
  return {
    status: 200,
    headers: pairs({ 'Content-Type': 'text/event-stream' }),
    content: { text, size: text.length },
  };
}

const asks = (properties: Json, more: Json = {}) => ({
  resultType: 'input_required',
  inputRequests: {
    q: {
      method: 'elicitation/create',
      params: { mode: 'form', message: 'Which?', requestedSchema: { type: 'object', properties } },
    },
  },
  ...more,
});

async function* chunksOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const har = (...entries: readonly unknown[]) => JSON.stringify({ log: { version: '1.2', entries } });

async function inspected(
  text: string,
  route: Json = { requestState: 'relay' },
  size = 1000,
): Promise<Inspected[]> {
  return gather(inspect(chunksOf(text, size), [{ policies: [policyOf({ route })] }]));
}

/** What was found in each exchange, or why it was not judged. */
const found = (all: readonly Inspected[]) =>
  all.map((one) => {
    if (one.kind === 'gap') return `gap of ${one.count}`;
    if (one.kind === 'unjudged') return one.why;
    return one.judgements.flatMap((judgement) =>
      (judgement?.findings ?? []).map(({ stage, effect, rule, at }) =>
        `${effect} ${stage} ${rule.id} ${at}`.trim(),
      ),
    );
  });

describe('an HTTP archive', () => {
  it.each<[string, Json, unknown]>([
    ['a sound exchange', entry(), []],
    [
      'a form that asks for a credential',
      entry({ response: answer(asks({ password: { type: 'string' } })) }),
      [
        'refused outbound form-asks-no-credential /result/inputRequests/q/params/requestedSchema/properties/password',
      ],
    ],
    [
      'a header that does not match',
      entry({ headers: { 'mcp-name': 'look' } }),
      ['refused inbound headers-match-body mcp-name'],
    ],
    ['a batch', entry({ body: '[]' }), ['refused parse single-message']],
    [
      'another media type',
      entry({ headers: { 'content-type': 'text/plain' } }),
      ['refused admit content-type-json content-type'],
    ],
    [
      'an answer in Base64',
      entry({
        response: answer(
          {},
          {
            content: {
              mimeType: 'application/json',
              encoding: 'base64',
              text: Buffer.from('{"jsonrpc":"2.0","id":2,"result":{}}').toString('base64'),
            },
          },
        ),
      }),
      ['refused outbound response-answers-request /id'],
    ],
    [
      'an answer whose coding the browser has undone',
      entry({
        response: { ...answer({ resultType: 'complete' }), headers: pairs({ 'content-encoding': 'gzip' }) },
      }),
      [],
    ],
    [
      'a stream, message by message',
      entry({
        response: streamed(
          { jsonrpc: '2.0', method: 'notifications/message', params: {} },
          { jsonrpc: '2.0', method: 'notifications/progress', params: {} },
          { jsonrpc: '2.0', id: 7, method: 'roots/list' },
          { jsonrpc: '2.0', id: 1, result: {} },
        ),
      }),
      [
        'dropped outbound log-level-requested /method',
        'dropped outbound progress-requested /method',
        'refused outbound no-server-request /method',
      ],
    ],
    [
      'a web page in the place of an answer',
      entry({ response: { status: 200, content: { mimeType: 'text/html', text: '<p>' } } }),
      ['refused outbound response-readable'],
    ],
    [
      'an error page',
      entry({ response: { status: 502, content: { mimeType: 'text/html', text: '<p>' } } }),
      [],
    ],
    ['a request that was given up', entry({ response: { status: 0 } }), []],
    [
      'an answer that was not kept',
      entry({ response: { status: 200, content: { mimeType: 'application/json', size: 9 } } }),
      [],
    ],
    [
      'a notification',
      entry({
        method: 'notifications/cancelled',
        body: '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
        response: { status: 202, content: {} },
      }),
      [],
    ],
    ['a picture', { request: { method: 'GET', url: 'https://mcp.example/a.png', headers: [] } }, 'other'],
    [
      'a POST of something else',
      {
        request: { method: 'POST', url: 'https://a.example/log', headers: [], postData: { text: '{"a":1}' } },
      },
      'other',
    ],
    [
      'a request whose body was not kept',
      { request: { method: 'POST', url: 'https://mcp.example/mcp', headers: [] } },
      'no-body',
    ],
    ['what is no entry', { comment: 'x' }, 'unreadable'],
  ])('has %s judged', async (_, one, expected) => {
    expect(found(await inspected(har(one)))).toEqual([expected]);
  });

  it('is read in pieces of any size, whatever stands beside its entries', async () => {
    const bad = entry({ headers: { 'mcp-name': 'look' } });
    const log = {
      creator: { entries: [bad], note: '"]}{[\\' },
      pages: [{ entries: [bad] }],
      entries: [bad, 5, [bad], entry()],
    };
    const text = `\ufeff ${JSON.stringify({ entries: [bad], log, more: { log: { entries: [bad] } } }, null, 1)}`;
    for (const size of [1, 7, 64, 100_000])
      expect(found(await inspected(text, {}, size))).toEqual([
        ['refused inbound headers-match-body mcp-name'],
        [],
      ]);
  });

  it('that ends in the middle is judged up to there', async () => {
    const text = har(entry(), entry());
    expect(found(await inspected(text.slice(0, -100)))).toEqual([[], 'unreadable']);
  });

  it.each(['', '[]', '{}', 'hello', '{"log":{}}', '<har/>'])('is none: %s', async (text) => {
    await expect(inspected(text)).rejects.toThrow('it is neither a capture nor an HTTP archive (HAR)');
  });

  it('of any length is read without being held', async () => {
    const text = JSON.stringify(entry({ response: answer({ content: ['x'.repeat(10_000)] }) }));
    const count = 3_000;
    async function* long(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"log":{"entries":[');
      for (let index = 0; index < count; index += 1) yield Buffer.from(`${index === 0 ? '' : ','}${text}`);
      yield Buffer.from(']}}');
    }
    let judged = 0;
    for await (const one of inspect(long(), [{ policies: [policyOf({})] }]))
      if (one.kind === 'judged') judged += 1;
    expect(judged).toBe(count);
  });
});

describe('states under a policy that seals', () => {
  const route = { requestState: 'seal' };
  const asked = (state: string) =>
    entry({ response: answer(asks({ a: { type: 'string' } }, { requestState: state })) });
  const retried = (requestState: unknown, inputResponses: Json = {}, name = 'book') =>
    entry({ params: { name, requestState, inputResponses } });

  it('are known where the recording saw them issued', async () => {
    const wrong = { q: { action: 'accept', content: { a: 5 } } };
    const all = await inspected(
      har(asked('s'), retried('s'), retried('s', wrong), retried('s', {}, 'look')),
      route,
    );
    expect(found(all)).toEqual([
      [],
      [],
      ['refused inbound answer-matches-schema /params/inputResponses/q/content/a'],
      ['refused inbound request-state-accepted /params/requestState'],
    ]);
  });

  it('cannot be judged where it did not, and are when they are none', async () => {
    const all = await inspected(har(retried('t'), retried(5)), route);
    expect(found(all)).toEqual([[], ['refused inbound request-state-accepted /params/requestState']]);
    expect(all.map((one) => one.kind === 'judged' && one.judgements[0]?.stateUnknown)).toEqual([true, false]);
  });
});

describe('lines of a capture', () => {
  const line = (more: Json) =>
    `${JSON.stringify({ capture: 1, httpMethod: 'POST', route: 'mcp', path: '/mcp', ...more })}\n`;
  const request = {
    headers: Object.entries(requestHeaders('tools/list')),
    body: { bytes: 1, text: requestText('tools/list') },
  };
  const answered = (body: Json, status = 200, headers: unknown = [['content-type', 'application/json']]) => ({
    status,
    headers,
    body,
  });

  it.each<[string, Json, unknown]>([
    ['a refused request', { request }, []],
    [
      'a fault instead of a body',
      { request: { ...request, body: { bytes: 9, fault: 'duplicate-member' } } },
      ['refused parse json-unambiguous'],
    ],
    [
      'a body that was too long to keep',
      { request: { ...request, body: { bytes: 9e6, omitted: true } } },
      'no-body',
    ],
    ['a request that was refused by its head', { request: { headers: [] } }, 'no-body'],
    [
      'an answer that could not be read',
      { request, answer: answered({ bytes: 3, fault: 'not-utf8' }) },
      ['refused outbound response-readable'],
    ],
    ['a fault that nobody knows', { request, answer: answered({ bytes: 3, fault: 'constructor' }) }, []],
    ['an error in plain text', { request, answer: answered({ bytes: 3 }, 502, []) }, []],
    [
      'an error of JSON-RPC',
      {
        request,
        answer: answered(
          { bytes: 3, json: { jsonrpc: '2.0', id: 1, error: { code: -32042, message: 'm' } } },
          400,
        ),
      },
      ['refused outbound no-removed-message /error/code'],
    ],
    [
      'bytes that are no text',
      { request: { ...request, body: { bytes: 2, base64: '//4=' } } },
      ['refused parse json-unambiguous'],
    ],
    ['another version', { capture: 2, request }, 'unreadable'],
    ['a gap', { dropped: 3 }, 'gap of 3'],
    [
      'members of other types',
      { request: { headers: [5, ['a']], body: { text: 5, json: { a: 1 } } }, answer: { events: [5] } },
      ['refused admit content-type-json content-type'],
    ],
  ])('have %s judged', async (_, more, expected) => {
    expect(found(await inspected(line(more)))).toEqual([expected]);
  });

  it('are numbered, with empty ones and broken ones among them', async () => {
    const all = await inspected(`${line({ request })}\n{"capture":1,\n${line({ request })}`.trimEnd());
    expect(found(all)).toEqual([[], 'unreadable', []]);
    expect(
      all.flatMap((one) =>
        one.kind === 'gap' ? [] : one.kind === 'judged' ? one.recording.place : one.place,
      ),
    ).toEqual(['line 1', 'line 3', 'line 4']);
  });

  it('are judged by the route of their name, else of their path, else not', async () => {
    const sides = [
      {
        policies: [
          policyOf({ route: { name: 'one', path: '/one', rules: { 'headers-match-body': 'off' } } }),
          policyOf({ route: { name: 'two', path: '/two' } }),
        ],
      },
    ];
    const wrong = { request: { ...request, headers: [['content-type', 'application/json']] } };
    const text = [
      line({ ...wrong, route: 'one', path: '/two' }),
      line({ ...wrong, route: 'moved', path: '/two' }),
      line({ ...wrong, route: 'gone', path: '/gone' }),
    ].join('');
    const all = await gather(inspect(chunksOf(text, 99), sides));
    expect(found(all)).toEqual([[], ['refused inbound headers-match-body mcp-protocol-version'], 'no-route']);
  });
});

describe('an inspection under two configurations', () => {
  it('tells which verdicts change', async () => {
    const sides = ['enforce', 'report'].map((severity) => ({
      policies: [policyOf({ route: { rules: { 'form-schema-flat': severity } } })],
    }));
    const nested = entry({ response: answer(asks({ a: { type: 'object' } })) });
    const summary = new Summary();
    const changed: boolean[] = [];
    for await (const one of inspect(chunksOf(har(entry(), nested), 999), sides)) {
      summary.take(one);
      changed.push(one.kind === 'judged' && changes(one.judgements));
    }
    expect([changed, summary.changed, summary.refused]).toEqual([[false, true], 1, 1]);
  });
});
