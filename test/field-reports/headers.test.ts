import { describe, expect, it } from 'vitest';
import { requestHeaders, requestText, TASKS } from '../support/client.js';
import { rawRequest, sendRaw } from '../support/raw.js';
import { jsonReply } from '../support/upstream.js';
import { ANSWERED, type Asked, exchange, expectRefusal, start } from './exchange.js';

const wrap = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
const named = (header: string, name: string, more: Asked = {}): Asked => ({
  ...more,
  params: { name },
  headers: { 'mcp-name': header },
});
const MISMATCH = { status: 400, code: -32020, rule: 'headers-match-body' };

describe('a name in a header is compared after it was unwrapped', () => {
  it.each<readonly [string, Asked]>([
    [
      'a URI beyond ASCII',
      {
        method: 'resources/read',
        params: { uri: 'file:///Zürich/été.txt' },
        headers: { 'mcp-name': wrap('file:///Zürich/été.txt') },
      },
    ],
    ['a plain name that was wrapped without need', named(wrap('search'), 'search')],
    ['a name that looks wrapped, and is', named(wrap('=?base64?literal?='), '=?base64?literal?=')],
    ['a name with spaces around it', named(wrap(' padded '), ' padded ')],
    ['a name with a line break', named(wrap('a\nb'), 'a\nb')],
    ['an empty name', named(wrap(''), '')],
    ['a prompt', { method: 'prompts/get', ...named(wrap('naïve'), 'naïve') }],
    [
      'a task, which may go without',
      {
        method: 'tasks/get',
        capabilities: TASKS,
        params: { taskId: 'tâche' },
        headers: { 'mcp-name': undefined },
      },
    ],
    [
      'a task',
      {
        method: 'tasks/get',
        capabilities: TASKS,
        params: { taskId: 'tâche' },
        headers: { 'mcp-name': wrap('tâche') },
      },
    ],
  ])('%s passes, and arrives wrapped as it was', async (_, asked) => {
    const answer = await exchange(asked);
    expect([answer.status, answer.requests.length]).toEqual([200, 1]);
    expect(answer.requests[0]?.headers['mcp-name']).toBe(asked.headers?.['mcp-name']);
  });

  it.each<readonly [string, Asked]>([
    ['a wrapped name that is sent bare in the body', named(wrap('search'), wrap('search'))],
    [
      'a marker in capitals, which marks nothing',
      named(wrap('search').replace('base64', 'BASE64'), 'search'),
    ],
    ['another encoding that this revision has not', named('=?utf-8?B?c2VhcmNo?=', 'search')],
    ['Base64 without its padding', named('=?base64?c2VhcmNoZXM?=', 'searches')],
    ['Base64 of the URL alphabet', named('=?base64?Pz8_?=', '???')],
    ['Base64 with bits to spare', named('=?base64?YR==?=', 'a')],
    ['bytes that are no UTF-8', named('=?base64?/w==?=', '\ufffd')],
    ['a name in another letter case', named('Search', 'search')],
    ['a name of another tool', named('safe', 'drop_db')],
    ['no name', { params: { name: 'search' }, headers: { 'mcp-name': undefined } }],
    [
      'another task',
      { method: 'tasks/get', capabilities: TASKS, params: { taskId: 'a' }, headers: { 'mcp-name': 'b' } },
    ],
  ])('%s is refused', async (_, asked) => {
    const answer = await exchange(asked);
    expectRefusal(answer, MISMATCH);
    expect(answer.requests).toHaveLength(0);
  });
});

describe('headers and body agree, whichever of them says less', () => {
  const LIST: Asked = { method: 'tools/list' };
  const BARE = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"drop_db","arguments":{}}}';

  it.each<readonly [string, Asked]>([
    [
      'a body without version under headers without one',
      {
        method: 'tools/list',
        body: BARE,
        headers: { 'mcp-protocol-version': undefined, 'mcp-name': 'safe' },
      },
    ],
    [
      'headers of another method',
      { method: 'tools/list', body: requestText('tools/call', { params: { name: 'drop_db' } }) },
    ],
    ['another version in the header', { ...LIST, headers: { 'mcp-protocol-version': '2025-11-25' } }],
    [
      'another version in the body',
      { ...LIST, meta: { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' } },
    ],
    ['a method in another letter case', { ...LIST, headers: { 'mcp-method': 'Tools/List' } }],
    ['no method', { ...LIST, headers: { 'mcp-method': undefined } }],
    ['no version', { ...LIST, headers: { 'mcp-protocol-version': undefined } }],
  ])('%s are refused', async (_, asked) => {
    const answer = await exchange(asked);
    expect([answer.status, answer.requests.length]).toEqual([400, 0]);
    expect([-32020, -32602]).toContain(answer.message.error.code);
  });

  it('tells a client of an unknown version which one there is', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '1900-01-01' };
    const answer = await exchange({ ...LIST, meta, headers: { 'mcp-protocol-version': '1900-01-01' } });
    expectRefusal(answer, { status: 400, code: -32022, rule: 'protocol-version-supported' });
    expect(answer.message.error.data).toMatchObject({ supported: ['2026-07-28'], requested: '1900-01-01' });
  });

  it('takes header names in any letter case', async () => {
    const pair = await start(() => jsonReply(ANSWERED));
    const fields = [
      'content-type: application/json',
      'ACCEPT: */*',
      'mcp-PROTOCOL-version: 2026-07-28',
      'MCP-METHOD: tools/list',
    ];
    const answer = await sendRaw(
      pair.gateway.port,
      rawRequest('POST /mcp', fields, requestText('tools/list')),
    );
    expect([answer.status, pair.upstream.requests.length]).toEqual([200, 1]);
  });

  it.each([
    ['the version', 'MCP-Protocol-Version: 2026-07-28'],
    ['the method', 'Mcp-Method: tools/call'],
    ['the method, the other way round', 'Mcp-Method: tools/list'],
    ['the name', 'Mcp-Name: book'],
  ])('refuses %s twice, even where both agree', async (_, twice) => {
    const pair = await start(() => jsonReply(ANSWERED));
    const params = { name: 'book', arguments: {} };
    const fields = Object.entries(requestHeaders('tools/call', { params })).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const body = requestText('tools/call', { params });
    const answer = await sendRaw(pair.gateway.port, rawRequest('POST /mcp', [...fields, twice], body));
    expect([answer.status, answer.json().error.code, pair.upstream.requests.length]).toEqual([
      400, -32020, 0,
    ]);
  });

  it('lets arguments that a server mirrors into headers through to it', async () => {
    const answer = await exchange({
      headers: { 'mcp-param-region': 'eu', 'mcp-param-city': wrap('Zürich') },
    });
    expect(answer.status).toBe(200);
    expect(answer.requests[0]?.headers).toMatchObject({
      'mcp-param-region': 'eu',
      'mcp-param-city': wrap('Zürich'),
    });
  });

  it.each([['Mcp-Name'], ['MCP-Protocol-Version'], ['Authorization'], ['Mcp-Param-Region']])(
    'refuses a Connection field that would take %s away at the next hop',
    async (name) => {
      const pair = await start(() => jsonReply(ANSWERED));
      const params = { name: 'book', arguments: {} };
      const fields = Object.entries(requestHeaders('tools/call', { params })).map(
        ([one, value]) => `${one}: ${value}`,
      );
      const request = rawRequest(
        'POST /mcp',
        [...fields, `Connection: close, ${name}`],
        requestText('tools/call', { params }),
      );
      const answer = await sendRaw(pair.gateway.port, request);
      expect([answer.status, answer.json().error.code, pair.upstream.requests.length]).toEqual([
        400, -32600, 0,
      ]);
    },
  );
});
