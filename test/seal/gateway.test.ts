import fc from 'fast-check';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CallOptions, call, type Received } from '../support/client.js';
import { type Gateway, startGateway } from '../support/pair.js';
import { startUpstream, type Upstream } from '../support/upstream.js';
import {
  ACCEPT,
  type Ask,
  answer,
  asking,
  book,
  CAPABILITIES,
  FORM,
  KEY,
  OTHER_KEY,
  startSealing,
  tokenOf,
} from './asking.js';

const REFUSAL = {
  code: -32602,
  message: 'invalid params: params.requestState is not valid for this request',
  data: {
    rule: 'request-state-accepted',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#client-requirements-basic-workflow',
  },
};

afterEach(() => {
  vi.useRealTimers();
});

async function upstreamOf(...asks: readonly Ask[]): Promise<Upstream> {
  const upstream = await startUpstream(asking(...asks));
  onTestFinished(() => upstream.close());
  return upstream;
}

/** A sealing gateway in front of a server that asks so. */
async function sealed(config: Parameters<typeof startSealing>[1] = {}, ...asks: readonly Ask[]) {
  const upstream = await upstreamOf(...asks);
  const gateway = await startSealing(upstream.url, config);
  return { upstream, gateway, url: gateway.url };
}

function verdicts({ told }: Gateway): unknown[] {
  return told.filter(({ event }) => event === 'stateReceived').map(({ args }) => args[1]);
}

function later(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
}

describe('the state of a server', () => {
  it.each([
    'round:1',
    '',
    'Grüße, 世界 \u{1f600}',
    'quotes " and \\ and / and \n\t\u0000\u2028',
    '{"requestState":"inner"}',
    '\u007f\u0080\ufeff',
  ])('leaves as a token and comes back as it was: %j', async (requestState) => {
    const { url, upstream } = await sealed({}, { inputRequests: { ask: FORM }, requestState });
    const token = await tokenOf(url);
    expect(token).toMatch(/^[A-Za-z0-9_-]{60,}$/);
    const { message } = await answer(url, token);
    expect(message.result.structuredContent).toEqual({ requestState });
    expect(upstream.requests[1]?.text).not.toContain(token);
  });

  it('comes back with the very escapes that it left with', async () => {
    const upstream = await startUpstream(async (request) => {
      const text = `{"jsonrpc":"2.0","id":${request.json().id},"result":{"resultType":"input_required","requestState":"caf\\u00e9\\/"}}`;
      return { headers: { 'content-type': 'application/json' }, body: text };
    });
    onTestFinished(() => upstream.close());
    const { url } = await startSealing(upstream.url);
    await answer(url, await tokenOf(url));
    expect(upstream.requests[1]?.text).toContain('"requestState":"caf\\u00e9\\/"');
  });

  it('changes nothing else in either message', async () => {
    const { url, upstream, gateway } = await sealed();
    const direct = await book(upstream.url);
    const through = await book(url);
    expect(through.text.replace(/"requestState":"[\w-]+"/, '"requestState":"round:1"')).toBe(direct.text);
    const token = through.message.result.requestState as string;
    await answer(upstream.url, 'round:1');
    await answer(url, token);
    const [, , plain, opened] = upstream.requests;
    expect(opened?.text).toBe(plain?.text);
    expect(gateway.told.filter(({ event }) => event === 'rewrote').map(({ args }) => args[1])).toEqual([
      'seal-request-state',
      'open-request-state',
    ]);
  });

  it('is sealed in a stream as well', async () => {
    const upstream = await startUpstream((request) => {
      const { id } = request.json();
      const result = { resultType: 'input_required', requestState: 'streamed' };
      const events = [
        { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 't', progress: 1 } },
        { jsonrpc: '2.0', id, result },
      ];
      const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
      return { headers: { 'content-type': 'text/event-stream' }, body };
    });
    onTestFinished(() => upstream.close());
    const { url } = await startSealing(upstream.url);
    const { events, message } = await book(url, { meta: { progressToken: 't' } });
    expect(events).toHaveLength(2);
    expect(message.result.requestState).toMatch(/^[\w-]{60,}$/);
  });

  it('of prompts/get and resources/read is bound to the prompt and the uri', async () => {
    const { url } = await sealed();
    for (const [method, target] of [
      ['prompts/get', { name: 'brief' }],
      ['resources/read', { uri: 'file:///a' }],
    ] as const) {
      const capabilities = CAPABILITIES;
      const first = await call(url, method, { capabilities, params: target });
      const requestState = first.message.result.requestState as string;
      const more = { inputResponses: ACCEPT, requestState };
      const moved = { ...target, ...('uri' in target ? { uri: 'file:///b' } : { name: 'other' }) };
      const refused = await call(url, method, { id: 2, capabilities, params: { ...moved, ...more } });
      expect(refused.message.error).toEqual(REFUSAL);
      const second = await call(url, method, { id: 2, capabilities, params: { ...target, ...more } });
      expect(second.message.result.structuredContent).toEqual({ requestState: 'round:1' });
    }
  });

  it('of 64 KiB goes through', async () => {
    const requestState = 'x'.repeat(65_536);
    const { url } = await sealed({}, { requestState, inputRequests: { ask: FORM } });
    const { message } = await answer(url, await tokenOf(url));
    expect(message.result.structuredContent).toEqual({ requestState });
  });

  it('over the limit is refused on the way out, and says so', async () => {
    const { url } = await sealed({ seal: { maxBytes: 65_536 } }, { requestState: 'x'.repeat(65_536) });
    const { status, message } = await book(url);
    expect(status).toBe(200);
    expect(message.error).toMatchObject({
      code: -32603,
      message: 'requestState and the forms asked with are too large together to be sealed (seal.maxBytes)',
      data: { rule: 'request-state-within-limit', at: '/result/requestState' },
    });
  });

  it('in a result that asks nothing is the server’s own affair', async () => {
    const upstream = await startUpstream(
      (request) =>
        ({
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: request.json().id,
            result: { resultType: 'complete', content: [], requestState: 'kept' },
          }),
        }) as const,
    );
    onTestFinished(() => upstream.close());
    const { url } = await startSealing(upstream.url);
    expect((await book(url)).message.result.requestState).toBe('kept');
  });
});

describe('a state that is not the token of this call', () => {
  type Attack = (url: string, token: string) => Promise<Received>;
  const at = (options: CallOptions): Attack => {
    return (url, token) => answer(url, token, options);
  };
  const args =
    (changed: object): Attack =>
    (url, requestState) =>
      book(url, { id: 2, params: { inputResponses: ACCEPT, requestState } }, changed);

  it.each<[string, string, Attack]>([
    ['made up', 'foreign', (url) => answer(url, 'round:1')],
    ['empty', 'foreign', (url) => answer(url, '')],
    ['no string', 'invalid', (url) => answer(url, { round: 1 })],
    ['null', 'invalid', (url) => answer(url, null)],
    ['longer', 'foreign', (url, token) => answer(url, `${token}-TAMPERED`)],
    ['shorter', 'foreign', (url, token) => answer(url, token.slice(0, -1))],
    ['for another tool', 'moved', at({ params: { name: 'cancel' } })],
    ['for another argument', 'moved', args({ city: 'Bruges' })],
    ['for one more argument', 'moved', args({ city: 'Ghent', class: 1 })],
    ['for no arguments', 'moved', args({})],
    ['for another member of params', 'moved', at({ params: { task: { ttl: 1 } } })],
    ['for another caller', 'foreign', at({ headers: { authorization: 'Bearer bob' } })],
    ['with the id of the call that it answered', 'reused', at({ id: 1 })],
    [
      'for another method',
      'moved',
      (url, requestState) =>
        call(url, 'prompts/get', {
          id: 2,
          capabilities: CAPABILITIES,
          params: { name: 'book', arguments: { city: 'Ghent' }, inputResponses: ACCEPT, requestState },
        }),
    ],
    [
      'on a method that no state is for',
      'invalid',
      (url, requestState) => call(url, 'tools/list', { id: 2, params: { requestState } }),
    ],
    [
      'after its time',
      'expired',
      async (url, token) => {
        later(601);
        return answer(url, token);
      },
    ],
  ])('is refused: %s', async (_, verdict, attack) => {
    const { url, upstream, gateway } = await sealed();
    const token = await tokenOf(url);
    const before = upstream.requests.length;
    const { status, message, text } = await attack(url, token);
    expect(status).toBe(400);
    expect(message.error).toEqual(REFUSAL);
    expect(text.replace(/"id":\d+/, '"id":2')).toBe(
      JSON.stringify({ jsonrpc: '2.0', id: 2, error: REFUSAL }),
    );
    expect(upstream.requests).toHaveLength(before);
    expect(verdicts(gateway)).toEqual([verdict]);
  });

  it('tells a number from the text that it reads as, in ids', async () => {
    const { url } = await sealed();
    const token = await tokenOf(url, { id: 7 });
    expect((await answer(url, token, { id: '7' })).status).toBe(200);
    expect((await answer(url, token, { id: 7 })).message.error).toEqual(REFUSAL);
  });

  it('tells integers that a double cannot tell, in arguments', async () => {
    const { url } = await sealed();
    const body = (id: number, number: string, more: object = {}) => {
      const params = { name: 'book', arguments: { n: 0 }, ...more };
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
      };
      const text = JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { ...params, _meta: meta },
      });
      return text.replace('"n":0', `"n":${number}`);
    };
    const headers = {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'book',
    };
    const send = async (text: string) => (await fetch(url, { method: 'POST', headers, body: text })).json();
    const first = (await send(body(1, '9007199254740992'))) as { result: { requestState: string } };
    const more = { requestState: first.result.requestState, inputResponses: ACCEPT };
    expect(await send(body(2, '9007199254740993', more))).toMatchObject({ error: REFUSAL });
    expect(await send(body(2, '9007199254740992', more))).toMatchObject({
      result: { resultType: 'complete' },
    });
  });

  it('is refused with the same bytes, whatever is done to it, and never reaches the server', async () => {
    const { url, upstream } = await sealed();
    const [one, other] = [await tokenOf(url), await tokenOf(url, { id: 5 })];
    const reached = upstream.requests.length;
    const expected = JSON.stringify({ jsonrpc: '2.0', id: 2, error: REFUSAL });
    const flipped = fc.tuple(fc.nat(one.length * 6 - 1)).map(([bit]) => {
      const bytes = Buffer.from(one, 'base64url');
      const at = Math.floor(bit / 8) % bytes.length;
      bytes.writeUInt8((bytes[at] as number) ^ (1 << (bit % 8)), at);
      return bytes.toString('base64url');
    });
    const spliced = fc.nat(one.length).map((cut) => one.slice(0, cut) + other.slice(cut));
    const cut = fc.nat(one.length - 1).map((length) => one.slice(0, length));
    const longer = fc.base64String({ minLength: 1 }).map((more) => one + more);
    await fc.assert(
      fc.asyncProperty(fc.oneof(flipped, spliced, cut, longer, fc.string()), async (forged) => {
        fc.pre(forged !== one && forged !== other);
        const { status, text } = await answer(url, forged);
        expect([status, text]).toEqual([400, expected]);
      }),
      { numRuns: 150 },
    );
    expect(upstream.requests).toHaveLength(reached);
  });
});

describe('who asks', () => {
  it('may come with the same credential each round, or with none', async () => {
    const { url } = await sealed();
    for (const headers of [{}, { authorization: 'Bearer ada' }]) {
      const token = await tokenOf(url, { headers });
      expect((await answer(url, token, { headers })).status).toBe(200);
      const other = await answer(url, token, { id: 3, headers: { authorization: 'Bearer eve' } });
      expect(other.message.error).toEqual(REFUSAL);
    }
  });

  it('does not matter where callers are not told apart', async () => {
    const { url } = await sealed({ route: { auth: 'none' } });
    const token = await tokenOf(url, { headers: { authorization: 'Bearer ada' } });
    expect((await answer(url, token)).status).toBe(200);
  });

  it('is told by a claim where tokens are renewed between rounds', async () => {
    const { url } = await sealed({ route: { auth: { mode: 'passthrough', claim: 'sub' } } });
    const jwt = (claims: object) => {
      const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return { headers: { authorization: `Bearer e30.${payload}.c2ln` } };
    };
    const token = await tokenOf(url, jwt({ sub: 'ada', exp: 1 }));
    expect((await answer(url, token, jwt({ sub: 'eve', exp: 1 }))).message.error).toEqual(REFUSAL);
    expect((await answer(url, token, jwt({ sub: 'ada', exp: 2 }))).status).toBe(200);
  });
});

describe('answers under a sealed state', () => {
  const URL_ASK = {
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Sign in', url: 'https://example.com/' },
  };
  const asks = {
    inputRequests: { ask: FORM, visit: URL_ASK, where: { method: 'roots/list' } },
    requestState: 's',
  };

  it.each<[string, object, string, string]>([
    [
      'out of bounds',
      { ask: { action: 'accept', content: { seats: 10 } } },
      'answer-matches-schema',
      'invalid params: a field of content is outside the bounds that the form sets',
    ],
    [
      'without a required field',
      { ask: { action: 'accept', content: {} } },
      'answer-matches-schema',
      'invalid params: content lacks a field that the form requires',
    ],
    [
      'with content for a URL',
      { visit: { action: 'accept', content: { password: 'x' } } },
      'answer-matches-mode',
      'invalid params: the answer to a URL elicitation must not have content',
    ],
    [
      'of another kind',
      { where: { action: 'accept' } },
      'answer-matches-kind',
      'invalid params: the answer to a roots request must have roots, an array',
    ],
  ])('are refused %s, and the state can be sent again', async (_, inputResponses, rule, sentence) => {
    const { url, upstream } = await sealed({}, asks);
    const token = await tokenOf(url);
    const { status, message } = await answer(url, token, { params: { inputResponses } });
    expect(status).toBe(400);
    expect(message.error).toMatchObject({ code: -32602, message: sentence, data: { rule } });
    expect(upstream.requests).toHaveLength(1);
    expect((await answer(url, token, { id: 3 })).status).toBe(200);
  });

  it.each<[string, object]>([
    ['missing', {}],
    ['refused by the user', { ask: { action: 'decline' }, visit: { action: 'cancel' } }],
    ['to questions that nobody asked', { ask: ACCEPT.ask, other: { action: 'accept', content: { x: 1 } } }],
    [
      'with fields that nobody asked for',
      { ask: { action: 'accept', content: { seats: 1, note: 'window' } } },
    ],
  ])('pass when they are %s', async (_, inputResponses) => {
    const { url } = await sealed({}, asks);
    const { status } = await answer(url, await tokenOf(url), { params: { inputResponses } });
    expect(status).toBe(200);
  });
});

describe('questions without a state', () => {
  const asks = { inputRequests: { ask: FORM } };

  it('pass as they are, unless the route seals always', async () => {
    const { url } = await sealed({}, asks);
    const { message } = await book(url);
    expect(message.result).not.toHaveProperty('requestState');
  });

  it('get a token that the server never sees, where the route seals always', async () => {
    const { url, upstream } = await sealed({ seal: { always: true } }, asks);
    const token = await tokenOf(url);
    const refused = await answer(url, token, {
      params: { inputResponses: { ask: { action: 'accept', content: { seats: 0 } } } },
    });
    expect(refused.message.error.data.rule).toBe('answer-matches-schema');
    const { message } = await answer(url, token);
    expect(message.result.structuredContent).toEqual({});
    expect(upstream.requests[1]?.text).not.toContain('requestState');
    expect((await answer(url, token, { params: { name: 'cancel' } })).message.error).toEqual(REFUSAL);
  });

  it('are answered with the token or not at all, where the route seals always', async () => {
    const { url, gateway, upstream } = await sealed({ seal: { always: true } }, asks);
    await book(url);
    const { message } = await book(url, { id: 2, params: { inputResponses: ACCEPT } });
    expect(message.error).toEqual(REFUSAL);
    expect(verdicts(gateway)).toEqual(['absent']);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('rounds', () => {
  it('go on from state to state', async () => {
    const asks = ['a', 'b', 'c'].map((requestState) => ({ inputRequests: { ask: FORM }, requestState }));
    const { url, gateway } = await sealed({}, ...asks);
    let token = await tokenOf(url);
    for (const id of [2, 3]) {
      const { message } = await answer(url, token, { id });
      expect(message.result.resultType).toBe('input_required');
      token = message.result.requestState as string;
    }
    const { message } = await answer(url, token, { id: 4 });
    expect(message.result.structuredContent).toEqual({ requestState: 'c' });
    expect(gateway.told.filter(({ event }) => event === 'operationEnded').map(({ args }) => args[1])).toEqual(
      [3],
    );
    const issued = gateway.told.filter(({ event }) => event === 'stateIssued');
    expect(issued).toHaveLength(3);
    expect(verdicts(gateway)).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('are no more than the route allows', async () => {
    const { url, gateway } = await sealed(
      { seal: { maxRounds: 1 } },
      { requestState: 'a' },
      { requestState: 'b' },
    );
    const { message } = await answer(url, await tokenOf(url));
    const refused = await answer(url, message.result.requestState, { id: 3 });
    expect(refused.message.error).toEqual(REFUSAL);
    expect(verdicts(gateway)).toEqual(['accepted', 'exhausted']);
  });

  it('end with the time of the operation, however often a state is renewed', async () => {
    const { url, gateway } = await sealed(
      { seal: { operationSeconds: 900 } },
      { requestState: 'a' },
      { requestState: 'b' },
    );
    const token = await tokenOf(url);
    later(500);
    const { message } = await answer(url, token);
    later(500);
    expect((await answer(url, message.result.requestState, { id: 3 })).message.error).toEqual(REFUSAL);
    expect(verdicts(gateway)).toEqual(['accepted', 'expired']);
  });

  it('are timed from question to answer', async () => {
    const { url, gateway } = await sealed();
    const token = await tokenOf(url);
    later(90);
    await answer(url, token);
    const timed = gateway.told.find(({ event }) => event === 'answeredAfter');
    expect(timed?.args.slice(1, 3)).toEqual(['elicitation_form', 'accept']);
    expect(timed?.args[3]).toBeGreaterThanOrEqual(90);
    expect(timed?.args[3]).toBeLessThan(120);
  });
});

describe('gateways side by side', () => {
  it('serve the rounds of one client in turn, with the same ring', async () => {
    const asks = ['a', 'b', 'c', 'd'].map((requestState) => ({ inputRequests: { ask: FORM }, requestState }));
    const upstream = await upstreamOf(...asks);
    const keys = { keys: [KEY, OTHER_KEY] };
    const gateways = [
      await startSealing(upstream.url, { seal: keys }),
      await startSealing(upstream.url, { seal: keys }),
    ];
    let token: string | undefined;
    for (let round = 0; round < 5; round += 1) {
      const { url } = gateways[round % 2] as Gateway;
      const options = { id: round + 1 };
      const { message } = token === undefined ? await book(url, options) : await answer(url, token, options);
      token = message.result.requestState as string;
      if (round === 4) expect(message.result.structuredContent).toEqual({ requestState: 'd' });
    }
  });

  it('refuse each other’s states with different rings', async () => {
    const upstream = await upstreamOf();
    const one = await startSealing(upstream.url);
    const other = await startSealing(upstream.url, { seal: { keys: [OTHER_KEY] } });
    expect((await answer(other.url, await tokenOf(one.url))).message.error).toEqual(REFUSAL);
    expect(verdicts(other)).toEqual(['foreign']);
  });

  it('refuse each other’s states without keys', async () => {
    const upstream = await upstreamOf();
    const route = { requestState: 'seal' };
    const [one, other] = [
      await startGateway(upstream.url, { route }),
      await startGateway(upstream.url, { route }),
    ];
    const token = await tokenOf(one.url);
    expect((await answer(other.url, token)).message.error).toEqual(REFUSAL);
    expect((await answer(one.url, token)).status).toBe(200);
  });
});

describe('a route', () => {
  it('does not open the states of another', async () => {
    const upstream = await upstreamOf();
    const route = { path: '/one', name: 'one' };
    const gateway = await startSealing(upstream.url, {
      route,
      routes: [{ path: '/two', name: 'two', upstream: upstream.url, requestState: 'seal' }],
    });
    const token = await tokenOf(`${gateway.origin}/one`);
    expect((await answer(`${gateway.origin}/two`, token)).message.error).toEqual(REFUSAL);
    expect(verdicts(gateway)).toEqual(['moved']);
    expect((await answer(`${gateway.origin}/one`, token)).status).toBe(200);
  });
});

describe('what the gateway tells of states', () => {
  it('holds neither token nor state nor credential', async () => {
    const { url, gateway } = await sealed({}, { inputRequests: { ask: FORM }, requestState: 'zz-inner-zz' });
    const headers = { authorization: 'Bearer zz-credential-zz' };
    const token = await tokenOf(url, { headers });
    const refused = await answer(url, `${token}x`, { headers });
    await answer(url, token, { headers });
    const summaries = await Promise.all([0, 1, 2].map((n) => gateway.ended(n)));
    const findings = JSON.stringify(summaries.map(({ decisions }) => decisions));
    for (const secret of [token, 'zz-inner-zz', 'zz-credential-zz']) {
      expect(refused.text).not.toContain(secret);
      expect(findings).not.toContain(secret);
    }
    const [one, two] = summaries.map(({ exchange }) => exchange?.facts.principal);
    expect(one).toMatch(/^[\w-]{16}$/);
    expect(two).toBe(one);
  });
});
