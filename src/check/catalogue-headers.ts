/** Requests whose header fields are not what the body says, which a server must refuse, and one that only looks so. */
import {
  HEADER_METHOD,
  HEADER_NAME,
  HEADER_ORIGIN,
  HEADER_PARAM_PREFIX,
  HEADER_PROTOCOL_VERSION,
  METHOD_DISCOVER,
  METHOD_TOOLS_LIST,
} from '../protocol/constants.js';
import { isObject, type JsonObject, objectMember, stringMember } from '../protocol/messages.js';
import { type Asking, callWithout, harmlessCall, NOBODY } from './asking.js';
import type { CatalogueEntry } from './catalogue.js';
import { NEWEST_LEGACY } from './catalogue-faults.js';
import { type Expectation, notRefused, originRefused, refused } from './expectations.js';
import { discover, fault } from './fault-entry.js';
import type { Known } from './known.js';

const BROKEN_BASE64 = '=?base64?%%%?=';
const FOREIGN = 'https://mrtr-gateway-check.invalid';

const mismatch = (at: string, what: string): Expectation =>
  refused('headers-match-body', 'headerMismatch', at, what);

export const HEADERS: readonly CatalogueEntry[] = [
  fault(
    'version-header-missing',
    'a request without MCP-Protocol-Version',
    mismatch(HEADER_PROTOCOL_VERSION, 'a request without MCP-Protocol-Version'),
    discover({ headers: { [HEADER_PROTOCOL_VERSION]: undefined } }),
  ),
  fault(
    'version-header-different',
    'MCP-Protocol-Version of another revision than _meta',
    mismatch(HEADER_PROTOCOL_VERSION, 'an MCP-Protocol-Version that is not the one in _meta'),
    discover({ headers: { [HEADER_PROTOCOL_VERSION]: NEWEST_LEGACY } }),
  ),
  fault(
    'method-header-missing',
    'a request without Mcp-Method',
    mismatch(HEADER_METHOD, 'a request without Mcp-Method'),
    discover({ headers: { [HEADER_METHOD]: undefined } }),
  ),
  fault(
    'method-header-different',
    'Mcp-Method of another method than the body',
    mismatch(HEADER_METHOD, 'an Mcp-Method that is not the method of the body'),
    discover({ headers: { [HEADER_METHOD]: METHOD_TOOLS_LIST } }),
  ),
  fault(
    'method-header-cased',
    'Mcp-Method in capitals',
    mismatch(HEADER_METHOD, 'an Mcp-Method in other letters than the method of the body'),
    discover({ headers: { [HEADER_METHOD]: METHOD_DISCOVER.toUpperCase() } }),
  ),
  fault(
    'name-header-missing',
    'tools/call without Mcp-Name',
    mismatch(HEADER_NAME, 'a tools/call without Mcp-Name'),
    callIfTools({ [HEADER_NAME]: undefined }),
  ),
  fault(
    'name-header-different',
    'Mcp-Name of another tool than the body',
    mismatch(HEADER_NAME, 'an Mcp-Name that is not the name in the body'),
    callIfTools({ [HEADER_NAME]: `${NOBODY}-either` }),
  ),
  fault(
    'name-header-malformed',
    'Mcp-Name in broken Base64',
    mismatch(HEADER_NAME, 'an Mcp-Name in malformed Base64'),
    callIfTools({ [HEADER_NAME]: BROKEN_BASE64 }),
  ),
  fault(
    'name-header-encoded',
    'Mcp-Name in Base64, as it may be',
    notRefused(
      'headers-match-body',
      'headerMismatch',
      HEADER_NAME,
      'the server took an Mcp-Name in Base64 for another name than the one that it encodes',
    ),
    (known) => {
      if (!offersTools(known)) return [];
      const call = harmlessCall(known);
      return [
        { ...call, headers: { [HEADER_NAME]: `=?base64?${Buffer.from(call.about).toString('base64')}?=` } },
      ];
    },
  ),
  fault(
    'param-header-different',
    'Mcp-Param-* of another value than the argument, to tools that read one',
    paramMismatch('an Mcp-Param header that is not the argument in the body'),
    (known) => callsWithParam(known, 'check-other'),
  ),
  fault(
    'param-header-malformed',
    'Mcp-Param-* in broken Base64, to tools that read one',
    paramMismatch('an Mcp-Param header in malformed Base64'),
    (known) => callsWithParam(known, BROKEN_BASE64),
  ),
  fault(
    'foreign-origin',
    'a page of a foreign origin asks',
    originRefused,
    discover({ headers: { [HEADER_ORIGIN]: FOREIGN } }),
  ),
];

function offersTools(known: Known): boolean {
  return known.discovered === undefined || known.declares('tools');
}

function callIfTools(headers: NonNullable<Asking['headers']>): (known: Known) => readonly Asking[] {
  return (known) => (offersTools(known) ? [harmlessCall(known, { headers })] : []);
}

function paramMismatch(what: string): Expectation {
  return refused('param-headers-legal', 'headerMismatch', HEADER_PARAM_PREFIX, what);
}

/** Calls of the tools that have an argument of text mirrored in a header field, which then says this. */
function callsWithParam({ callable }: Known, says: string): readonly Asking[] {
  return callable.flatMap((tool) => {
    const [argument, name] = mirroredText(tool) ?? [];
    if (argument === undefined || name === undefined) return [];
    const call = callWithout(tool, { headers: { [`${HEADER_PARAM_PREFIX}${name}`]: says } });
    return [{ ...call, params: { ...call.params, arguments: { [argument]: 'check' } } }];
  });
}

function mirroredText(tool: JsonObject): readonly [string, string] | undefined {
  const properties = objectMember(objectMember(tool, 'inputSchema') ?? {}, 'properties') ?? {};
  for (const [argument, schema] of Object.entries(properties)) {
    const name =
      isObject(schema) && schema.type === 'string' ? stringMember(schema, 'x-mcp-header') : undefined;
    if (name !== undefined && /^[\w!#$%&'*+.^`|~-]+$/.test(name)) return [argument, name];
  }
  return undefined;
}
