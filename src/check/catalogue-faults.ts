/** Requests with one fault each, which a server must refuse, and some that only look as if they had one. */
import type { Outgoing } from '../client/request.js';
import {
  HEADER_METHOD,
  HEADER_NAME,
  HEADER_ORIGIN,
  HEADER_PARAM_PREFIX,
  HEADER_PROTOCOL_VERSION,
  JSON_RPC_VERSION,
  LEGACY_VERSIONS,
  META_CLIENT_CAPABILITIES,
  META_PROTOCOL_VERSION,
  METHOD_DISCOVER,
  METHOD_INITIALIZE,
  METHOD_TOOLS_LIST,
  REVISION,
} from '../protocol/constants.js';
import { METHOD_NOT_FOUND, REFUSALS } from '../protocol/errors.js';
import { isObject, type JsonObject, objectMember, pointer, stringMember } from '../protocol/messages.js';
import { type Asking, ask, callWithout, harmlessCall, NOBODY } from './asking.js';
import type { CatalogueEntry } from './catalogue.js';
import {
  type Expectation,
  namesVersions,
  notRefused,
  originRefused,
  refused,
  refusedNamingVersions,
} from './expectations.js';
import type { Known } from './known.js';

const NO_VERSION = '1900-01-01';
const BROKEN_BASE64 = '=?base64?%%%?=';
const FOREIGN = 'https://mrtr-gateway-check.invalid';
const UNSUPPORTED = REFUSALS.unsupportedVersion.code;
const META = pointer('params', '_meta');
export const [NEWEST_LEGACY = ''] = [...LEGACY_VERSIONS].sort().reverse();

const mismatch = (at: string, what: string): Expectation =>
  refused('headers-match-body', 'headerMismatch', at, what);
const malformed = (at: string, what: string): Expectation =>
  refused('request-meta-present', 'invalidParams', at, what);

/** One request of this entry, in the shape that says nothing. */
function fault(
  id: string,
  asks: string,
  expects: Expectation,
  about: (known: Known) => readonly Asking[],
): CatalogueEntry {
  return { id, asks, shapes: ['none'], expects, about };
}

const discover = (more: Partial<Asking>) => () => [ask(METHOD_DISCOVER, {}, more)];

const HEADER_FAULTS: readonly CatalogueEntry[] = [
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

const META_FAULTS: readonly CatalogueEntry[] = [
  fault(
    'meta-missing',
    'a request without _meta',
    malformed(META, 'a request without _meta'),
    discover({ edit: withoutMeta }),
  ),
  fault(
    'meta-version-missing',
    '_meta without the protocol version',
    malformed(
      pointer('params', '_meta', META_PROTOCOL_VERSION),
      'a request whose _meta lacks the protocol version',
    ),
    discover({
      meta: { [META_PROTOCOL_VERSION]: undefined },
      headers: { [HEADER_PROTOCOL_VERSION]: REVISION },
    }),
  ),
  fault(
    'meta-capabilities-missing',
    '_meta without the client’s capabilities',
    malformed(
      pointer('params', '_meta', META_CLIENT_CAPABILITIES),
      'a request whose _meta lacks the client’s capabilities',
    ),
    discover({ meta: { [META_CLIENT_CAPABILITIES]: undefined } }),
  ),
];

const VERSIONS: readonly CatalogueEntry[] = [
  fault(
    'version-unknown',
    'a request of a revision that never was',
    refusedNamingVersions(HEADER_PROTOCOL_VERSION, 'a request of a revision that never was'),
    discover(ofVersion(NO_VERSION)),
  ),
  fault(
    'initialize',
    'the handshake of earlier revisions',
    {
      rule: 'protocol-version-supported',
      judge: (seen) => {
        if (seen.outcome.kind !== 'error') return 'nothing';
        if (namesVersions(seen)) return 'kept';
        const message =
          'the refusal of a legacy initialize does not name the versions that the server speaks';
        return { at: '/error/data/supported', message, mild: true };
      },
    },
    () => [initialize(NEWEST_LEGACY)],
  ),
  fault(
    'named-versions',
    'the other revisions that server/discover names',
    {
      rule: 'discover-versions',
      judge: ({ outcome }) => {
        if (outcome.kind !== 'error') return outcome.kind === 'complete' ? 'kept' : 'nothing';
        if (outcome.error.code !== UNSUPPORTED) return 'nothing';
        const message = 'server/discover names a version that the server then refuses';
        return { at: '/result/supportedVersions', message };
      },
    },
    ({ versions }) =>
      versions
        .filter((version) => version !== REVISION)
        .slice(0, 10)
        .map(inVersion),
  ),
];

const METHODS: readonly CatalogueEntry[] = [
  fault(
    'method-unknown',
    'a method that there is not',
    {
      rule: 'method-unknown-refused',
      judge: ({ outcome }) => {
        if (outcome.kind === 'error' && outcome.error.code === METHOD_NOT_FOUND && outcome.status === 404)
          return 'kept';
        if (outcome.kind === 'trouble' || outcome.kind === 'unanswered') return 'nothing';
        return {
          at: '/method',
          message: 'a method that there is not is answered otherwise than with 404 and -32601',
        };
      },
    },
    () => [ask(`${NOBODY}/nothing`)],
  ),
];

export const FAULTS: readonly CatalogueEntry[] = [...HEADER_FAULTS, ...META_FAULTS, ...VERSIONS, ...METHODS];

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

function ofVersion(version: string): Partial<Asking> {
  return { headers: { [HEADER_PROTOCOL_VERSION]: version }, meta: { [META_PROTOCOL_VERSION]: version } };
}

/** Revisions before this one begin with a handshake; nothing is known of later ones but that they do not. */
function inVersion(version: string): Asking {
  const about = { about: version };
  return LEGACY_VERSIONS.has(version)
    ? { ...initialize(version), ...about }
    : ask(METHOD_DISCOVER, {}, { ...ofVersion(version), ...about });
}

export function initialize(protocolVersion: string): Asking {
  return ask(
    METHOD_INITIALIZE,
    {},
    { edit: ({ id, ...outgoing }) => legacyHandshake(protocolVersion, id, outgoing) },
  );
}

function legacyHandshake(
  protocolVersion: string,
  id: Outgoing['id'],
  { method, headers }: Omit<Outgoing, 'id'>,
): Outgoing {
  const clientInfo = { name: 'mrtr-gateway', version: '0' };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  const modern: ReadonlySet<string> = new Set([HEADER_PROTOCOL_VERSION, HEADER_METHOD]);
  return {
    method,
    id,
    headers: headers.filter(([name]) => !modern.has(name.toLowerCase())),
    body: Buffer.from(JSON.stringify({ jsonrpc: JSON_RPC_VERSION, id, method, params })),
  };
}

function withoutMeta(outgoing: Outgoing): Outgoing {
  const { params: _, ...envelope } = JSON.parse(outgoing.body.toString()) as JsonObject;
  return { ...outgoing, body: Buffer.from(JSON.stringify({ ...envelope, params: {} })) };
}
