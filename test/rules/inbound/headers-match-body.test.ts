import { describe, expect, it } from 'vitest';
import { headersMatchBody } from '../../../src/rules/inbound/headers-match-body.js';
import { judges, PEER_VALUE } from '../cases.js';
import { type ExchangeOptions, exchange, policy, requestMeta } from '../fixtures.js';

const VERSION = 'mcp-protocol-version';
const METHOD = 'mcp-method';
const NAME = 'mcp-name';
const NO_HEADERS = { [VERSION]: undefined, [METHOD]: undefined, [NAME]: undefined };

const sentinel = (text: string): string => `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
const call = (name: string, header: string): ReturnType<typeof exchange> =>
  exchange({ params: { name }, headers: { [NAME]: header } });
const list = (options: ExchangeOptions = {}): ReturnType<typeof exchange> =>
  exchange({ method: 'tools/list', ...options });

judges(headersMatchBody, {
  refuses: [
    ['a request without version header', list({ headers: { [VERSION]: undefined } }), VERSION],
    ['an empty version header', list({ headers: { [VERSION]: '' } }), VERSION],
    ['a version sent twice', list({ headers: { [VERSION]: ['2026-07-28', '2026-07-28'] } }), VERSION],
    ['an older version header over a modern body', list({ headers: { [VERSION]: '2025-11-25' } }), VERSION],
    [
      'a modern version header over another body',
      list({ meta: { ...requestMeta(), 'io.modelcontextprotocol/protocolVersion': '1900-01-01' } }),
      VERSION,
    ],
    [
      'a version in Base64, which only names may use',
      list({ headers: { [VERSION]: sentinel('2026-07-28') } }),
      VERSION,
    ],
    [
      'a version of illegal octets without a body version',
      list({ meta: null, headers: { [VERSION]: '2026\u00e9' } }),
      VERSION,
    ],
    ['a request without version anywhere', list({ meta: null, headers: { [VERSION]: undefined } }), VERSION],
    [
      'a smuggled call without version anywhere',
      exchange({
        meta: null,
        params: { name: 'drop_db' },
        headers: { ...NO_HEADERS, [METHOD]: 'tools/list', [NAME]: 'safe' },
      }),
      VERSION,
    ],
    [
      'two other versions without a body version',
      list({ meta: null, headers: { [VERSION]: ['2025-11-25', '2025-06-18'] } }),
      VERSION,
    ],
    [
      'an initialize with an empty version header',
      exchange({ method: 'initialize', meta: null, headers: { [VERSION]: '' } }),
      VERSION,
    ],
    ['a request without method header', list({ headers: { [METHOD]: undefined } }), METHOD],
    ['an empty method header', list({ headers: { [METHOD]: '' } }), METHOD],
    ['another method', list({ headers: { [METHOD]: PEER_VALUE } }), METHOD],
    ['a method of other case', list({ headers: { [METHOD]: 'Tools/List' } }), METHOD],
    ['a method sent twice', list({ headers: { [METHOD]: ['tools/list', 'tools/call'] } }), METHOD],
    ['a method in Base64', list({ headers: { [METHOD]: sentinel('tools/list') } }), METHOD],
    ['a method of illegal octets', list({ headers: { [METHOD]: 'tools/list\u0001' } }), METHOD],
    [
      'a modern initialize without method header',
      exchange({ method: 'initialize', headers: { [METHOD]: undefined } }),
      METHOD,
    ],
    ['a call without name header', exchange({ headers: { [NAME]: undefined } }), NAME],
    [
      'a prompt without name header',
      exchange({ method: 'prompts/get', params: { name: 'p' }, headers: { [NAME]: undefined } }),
      NAME,
    ],
    [
      'a read without name header',
      exchange({ method: 'resources/read', params: { uri: 'file:///a' }, headers: { [NAME]: undefined } }),
      NAME,
    ],
    ['a call without a name in body and header', exchange({ params: {} }), NAME],
    ['another name', call('drop_db', PEER_VALUE), NAME],
    ['a name of other case', call('book', 'Book'), NAME],
    ['a name sent twice', exchange({ headers: { [NAME]: ['book', 'book'] } }), NAME],
    ['a name of illegal octets', call('caf\u00e9', 'caf\u00e9'), NAME],
    ['a name with an upper-case marker, which is a literal', call('search', '=?BASE64?c2VhcmNo?='), NAME],
    ['a sentinel name sent bare', call('=?base64?c2VhcmNo?=', '=?base64?c2VhcmNo?='), NAME],
    ['malformed Base64', call('search', '=?base64?c2Vh*mNo?='), NAME],
    ['Base64 without its padding', call('a', '=?base64?YQ?='), NAME],
    ['Base64 with spare bits', call('a', '=?base64?YR==?='), NAME],
    ['Base64 of bytes that are not UTF-8', call('\ufffd', '=?base64?/w==?='), NAME],
    ['markers that overlap', call('=?base64?=', '=?base64?='), NAME],
    [
      'a name that is a number in the body',
      exchange({ params: { name: 5 }, headers: { [NAME]: '5' } }),
      NAME,
    ],
    [
      'a name that is null in the body',
      exchange({ params: { name: null }, headers: { [NAME]: 'null' } }),
      NAME,
    ],
    [
      'a read whose header names another resource',
      exchange({ method: 'resources/read', params: { uri: 'file:///a' }, headers: { [NAME]: 'file:///b' } }),
      NAME,
    ],
    [
      'a read whose header repeats a name instead of the uri',
      exchange({
        method: 'resources/read',
        params: { uri: 'file:///a', name: 'n' },
        headers: { [NAME]: 'n' },
      }),
      NAME,
    ],
    [
      'a task under the id of another',
      exchange({ method: 'tasks/get', params: { taskId: 't-1' }, headers: { [NAME]: 't-2' } }),
      NAME,
    ],
    [
      'a notification under another method',
      exchange({ method: 'notifications/x', headers: { [METHOD]: 'notifications/y' } }),
      METHOD,
    ],
    [
      'a notification under another version',
      exchange({ method: 'notifications/x', headers: { [VERSION]: '2025-11-25' } }),
      VERSION,
    ],
    [
      'a notification with its method twice',
      exchange({ method: 'notifications/x', headers: { [METHOD]: ['notifications/x', 'notifications/x'] } }),
      METHOD,
    ],
    [
      'a legacy request where the route refuses the legacy era',
      list({ legacy: true, meta: null, headers: NO_HEADERS }),
      VERSION,
    ],
    [
      'a modern request where the route lets the legacy era pass',
      list({ policy: policy({ legacy: 'pass' }), headers: { [METHOD]: undefined } }),
      METHOD,
    ],
  ],
  passes: [
    ['a call whose headers repeat its body', exchange()],
    ['a list, which has no name', list()],
    [
      'a wrapped name beyond ASCII',
      exchange({ method: 'resources/read', params: { uri: 'file:///donn\u00e9es/\u00e9t\u00e9 1.txt' } }),
    ],
    ['a plain name wrapped all the same', call('search', sentinel('search'))],
    [
      'a wrapped name that looks like the sentinel',
      call('=?base64?literal?=', sentinel('=?base64?literal?=')),
    ],
    ['a wrapped name with outer white space', call(' padded ', sentinel(' padded '))],
    ['a wrapped byte order mark', call('\ufeffa', sentinel('\ufeffa'))],
    ['a name with inner white space', call('a b\tc', 'a b\tc')],
    ['a tool called __proto__', call('__proto__', '__proto__')],
    ['a tool called constructor', call('constructor', 'constructor')],
    ['a name that the body lacks', exchange({ params: {}, headers: { [NAME]: 'book' } })],
    ['a task without name header', exchange({ method: 'tasks/get', params: { taskId: 't-1' } })],
    [
      'a task under its wrapped id',
      exchange({
        method: 'tasks/get',
        params: { taskId: 't\u00e2che-1' },
        headers: { [NAME]: sentinel('t\u00e2che-1') },
      }),
    ],
    ['a name on a method that has none', list({ headers: { [NAME]: 'anything' } })],
    ['a parameter header that it does not know', exchange({ headers: { 'mcp-param-region': 'eu' } })],
    [
      'a version that headers and body agree on, whichever it is',
      list({
        meta: { 'io.modelcontextprotocol/protocolVersion': '1900-01-01' },
        headers: { [VERSION]: '1900-01-01' },
      }),
    ],
    ['a request without body version under the modern header', list({ meta: null })],
    [
      'a body version that is no string, which is judged as missing',
      list({ meta: { 'io.modelcontextprotocol/protocolVersion': 5 } }),
    ],
    [
      'another version in the header alone, whatever else is lacking',
      exchange({ meta: null, headers: { ...NO_HEADERS, [VERSION]: '2025-11-25' } }),
    ],
    ['an initialize without any header', exchange({ method: 'initialize', meta: null, headers: NO_HEADERS })],
    ['a modern initialize', exchange({ method: 'initialize' })],
    ['a notification without headers', exchange({ method: 'notifications/x', headers: NO_HEADERS })],
    [
      'a notification without headers and metadata',
      exchange({ method: 'notifications/x', meta: null, headers: NO_HEADERS }),
    ],
    ['a notification whose headers repeat its body', exchange({ method: 'notifications/x', meta: null })],
    [
      'a legacy request where the route lets the legacy era pass',
      list({ legacy: true, policy: policy({ legacy: 'pass' }), meta: null, headers: NO_HEADERS }),
    ],
  ],
});

describe('headers-match-body', () => {
  it('says which header differs from which member, without either value', () => {
    expect(headersMatchBody.check(call('book', PEER_VALUE))?.message).toBe(
      'Header mismatch: Mcp-Name does not match params.name',
    );
    expect(headersMatchBody.check(exchange({ headers: { [NAME]: undefined } }))?.message).toBe(
      'Header mismatch: Mcp-Name is missing',
    );
  });

  it('takes header names in any case', () => {
    const odd = exchange({
      method: 'tools/list',
      headers: { ...NO_HEADERS, 'mcp-PROTOCOL-version': '2026-07-28', 'MCP-METHOD': 'tools/list' },
    });
    expect(headersMatchBody.check(odd)).toBeUndefined();
  });
});
