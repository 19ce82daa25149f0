import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { call, FORM, URL_ONLY } from '../support/client.js';
import { type Gateway, startPair } from '../support/pair.js';
import { jsonReply, sseEvent, sseReply } from '../support/upstream.js';

const TOOLS = { ze_execute: { elicits: ['command'] } };

/** Spelt oddly on purpose: what is not rewritten must come through as it is. */
function list(required: string, scope = '"cacheScope" : "public"', more = ''): string {
  return `{ "jsonrpc":"2.0","id":1,"result":{"tools":[
  {"name":"other","inputSchema":{"type":"object","required":["command"],"properties":{"command":{"maximum":18446744073709551615}}}},
  {"inputSchema":{"type":"object","properties":{"command":{"type":"string","x-mcp-header":"Command","maxLength":1e3},"limit":{"maximum":18446744073709551615,"minimum":-0.0}}${required}},"name":"ze_execute","title":"\\u0045xecute"}],
  "ttlMs":300000.0, ${scope}${more},"resultType":"complete"} }`;
}

const PRIVATE = '"cacheScope" : "private"';

function rewritten({ told }: Gateway): unknown[] {
  return told.filter(({ event }) => event === 'rewrote').map(({ args }) => args[1]);
}

async function listed(
  text: string,
  capabilities: unknown,
  route: Record<string, unknown> = { tools: TOOLS },
) {
  const { gateway, url } = await startPair(() => jsonReply(text), { route });
  const got = await call(url, 'tools/list', { capabilities });
  expect(got.status).toBe(200);
  expect(got.headers.get('content-length')).toBe(String(Buffer.byteLength(got.text)));
  return { ...got, rewritten: rewritten(gateway) };
}

describe('a list of tools that elicit', () => {
  it.each([
    ['loses them for a client with forms', FORM, ',"required":["command"]', ''],
    [
      'loses them alone for a client with forms',
      FORM,
      ', "required" : ["limit", "command" ]',
      ', "required" : ["limit" ]',
    ],
    ['loses them for a client with elicitation', { elicitation: {} }, ',"required":["command"]', ''],
    ['gains them for a client with nothing', {}, '', ',"required":["command"]'],
    ['gains them for a client with urls alone', URL_ONLY, '', ',"required":["command"]'],
    ['gains them beside others', URL_ONLY, ',"required":["limit"]', ',"required":["limit","command"]'],
    ['keeps none for a client with forms', FORM, '', ''],
    ['keeps them for a client with nothing', {}, ',"required":["command"]', ',"required":["command"]'],
  ])('%s, and nothing else changes', async (_, capabilities, before, after) => {
    const got = await listed(list(before), capabilities);
    expect(got.text).toBe(list(after, PRIVATE));
    expect(got.rewritten).toEqual(
      before === after ? ['list-scope-private'] : ['tools-list-required', 'list-scope-private'],
    );
  });

  it('is the same when it came compressed or in a stream', async () => {
    const text = list(',"required":["command"]');
    const coded = await startPair(
      () => ({
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: gzipSync(text),
      }),
      { route: { tools: TOOLS } },
    );
    expect((await call(coded.url, 'tools/list', { capabilities: FORM })).text).toBe(list('', PRIVATE));
    const streamed = await startPair(() => sseReply([sseEvent(text)]), { route: { tools: TOOLS } });
    expect((await call(streamed.url, 'tools/list', { capabilities: FORM })).message).toEqual(
      JSON.parse(list('', PRIVATE)),
    );
  });

  it('is private on every page, also on one without such a tool', async () => {
    const page =
      '{"jsonrpc":"2.0","id":1,"result":{"tools":[],"nextCursor":"2","cacheScope":"public","ttlMs":5}}';
    const got = await listed(page, {});
    expect(got.text).toBe(page.replace('public', 'private'));
  });

  it('is said to be private when nothing is said, and may live as long as configured', async () => {
    const page = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":600000}}';
    const got = await listed(page, {}, { tools: TOOLS, listTtlMs: 1_000 });
    expect(got.message.result).toEqual({
      resultType: 'complete',
      tools: [],
      ttlMs: 1_000,
      cacheScope: 'private',
    });
  });

  it('is left alone where no tool elicits, and where the rewrites are off', async () => {
    const text = list(',"required":["command"]');
    expect(await listed(text, FORM, {})).toMatchObject({ text, rewritten: [] });
    const rewrites = { 'tools-list-required': 'off', 'list-scope-private': 'off' };
    expect(await listed(text, FORM, { tools: TOOLS, rewrites })).toMatchObject({ text, rewritten: [] });
  });

  it('is left alone in an answer to another request, and in an error', async () => {
    const text = list(',"required":["command"]');
    const { url, upstream } = await startPair(() => jsonReply(text), { route: { tools: TOOLS } });
    expect((await call(url, 'resources/list', { capabilities: FORM })).text).toBe(text);
    const error = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x","data":{"tools":[]}}}';
    upstream.answer(() => jsonReply(error, { status: 400 }));
    expect((await call(url, 'tools/list', { capabilities: FORM })).text).toBe(error);
  });
});

describe('what a server says of its versions', () => {
  const discovered = (versions: string) =>
    `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":${versions},"capabilities":{"x":1.0},"ttlMs":0,"cacheScope":"public"}}`;

  it('names those alone that the gateway lets through', async () => {
    const { gateway, url } = await startPair(() =>
      jsonReply(discovered('["2026-07-28", "2025-11-25","2099-01-01"]')),
    );
    const got = await call(url, 'server/discover');
    expect([got.status, got.text]).toEqual([200, discovered('["2026-07-28"]')]);
    expect(rewritten(gateway)).toEqual(['discover-versions']);
  });

  it('is left alone when it names no other', async () => {
    const { gateway, url } = await startPair(() => jsonReply(discovered('[ "2026-07-28" ]')));
    expect((await call(url, 'server/discover')).text).toBe(discovered('[ "2026-07-28" ]'));
    expect(rewritten(gateway)).toEqual([]);
  });

  it('is said in the error -32022 too', async () => {
    const error = (supported: string) =>
      `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"x","data":{"supported":${supported},"requested":"2026-07-28"}}}`;
    const { url } = await startPair(() => jsonReply(error('["2025-06-18","2026-07-28"]'), { status: 400 }));
    const got = await call(url, 'tools/list');
    expect([got.status, got.text]).toEqual([400, error('["2026-07-28"]')]);
  });

  it('is said by the gateway itself to a client of another version', async () => {
    const { upstream, url } = await startPair();
    const version = '2025-11-25';
    const headers = { 'mcp-protocol-version': version, 'mcp-method': undefined };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': undefined,
      'io.modelcontextprotocol/clientCapabilities': undefined,
    };
    for (const [params, requested] of [
      [{ protocolVersion: version }, version],
      [{}, ''],
    ] as const) {
      const { status, message } = await call(url, 'initialize', { params, headers, meta });
      expect(status).toBe(400);
      expect(message.error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'], requested } });
    }
    expect(upstream.requests).toEqual([]);
  });
});
