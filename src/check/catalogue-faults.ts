/** Requests that lack what the revision needs, or are of none that the server speaks. */
import type { Outgoing } from '../client/request.js';
import {
  HEADER_METHOD,
  HEADER_PROTOCOL_VERSION,
  JSON_RPC_VERSION,
  LEGACY_VERSIONS,
  META_CLIENT_CAPABILITIES,
  META_PROTOCOL_VERSION,
  METHOD_DISCOVER,
  METHOD_INITIALIZE,
  REVISION,
} from '../protocol/constants.js';
import { METHOD_NOT_FOUND, REFUSALS } from '../protocol/errors.js';
import { type JsonObject, pointer } from '../protocol/messages.js';
import { type Asking, ask, NOBODY } from './asking.js';
import type { CatalogueEntry } from './catalogue.js';
import { type Expectation, namesVersions, refused, refusedNamingVersions } from './expectations.js';
import { discover, fault } from './fault-entry.js';

const NO_VERSION = '1900-01-01';
const UNSUPPORTED = REFUSALS.unsupportedVersion.code;
const META = pointer('params', '_meta');
export const [NEWEST_LEGACY = ''] = [...LEGACY_VERSIONS].sort().reverse();

const malformed = (at: string, what: string): Expectation =>
  refused('request-meta-present', 'invalidParams', at, what);

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

export const FAULTS: readonly CatalogueEntry[] = [...META_FAULTS, ...VERSIONS, ...METHODS];

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
