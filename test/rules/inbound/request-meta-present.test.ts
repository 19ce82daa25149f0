import type { Exchange } from '../../../src/engine/exchange.js';
import type { JsonObject, JsonValue } from '../../../src/protocol/messages.js';
import { requestMetaPresent } from '../../../src/rules/inbound/request-meta-present.js';
import { judges, PEER_VALUE } from '../cases.js';
import { exchange, policy } from '../fixtures.js';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const AT_VERSION = '/params/_meta/io.modelcontextprotocol~1protocolVersion';
const AT_CAPABILITIES = '/params/_meta/io.modelcontextprotocol~1clientCapabilities';

const withMeta = (meta: JsonValue): Exchange => exchange({ meta });
const withParams = (params: JsonValue): Exchange => exchange({ envelope: { params } });
const versioned = (members: JsonObject): Exchange => withMeta({ [VERSION]: '2026-07-28', ...members });
const capable = (members: JsonObject): Exchange => withMeta({ [CAPABILITIES]: {}, ...members });

judges(requestMetaPresent, {
  refuses: [
    ['params of null', withParams(null), '/params'],
    ['params that are an array', withParams([PEER_VALUE]), '/params'],
    ['params that are a string', withParams(PEER_VALUE), '/params'],
    ['a request without _meta', withMeta(null), '/params/_meta'],
    ['a _meta that is a string', withMeta(PEER_VALUE), '/params/_meta'],
    ['a _meta that is an array', withMeta([]), '/params/_meta'],
    ['a request without version', capable({}), AT_VERSION],
    ['an empty version', capable({ [VERSION]: '' }), AT_VERSION],
    ['a version that is a number', capable({ [VERSION]: 20260728 }), AT_VERSION],
    ['a version of null', capable({ [VERSION]: null }), AT_VERSION],
    [
      'a version inherited through __proto__',
      withMeta(JSON.parse(`{"__proto__":{"${VERSION}":"2026-07-28"},"${CAPABILITIES}":{}}`)),
      AT_VERSION,
    ],
    ['a request without capabilities', versioned({}), AT_CAPABILITIES],
    ['capabilities of null', versioned({ [CAPABILITIES]: null }), AT_CAPABILITIES],
    ['capabilities that are an array', versioned({ [CAPABILITIES]: ['elicitation'] }), AT_CAPABILITIES],
    ['capabilities that are true', versioned({ [CAPABILITIES]: true }), AT_CAPABILITIES],
    [
      'a legacy request where the route refuses the legacy era',
      exchange({ meta: null, legacy: true }),
      '/params/_meta',
    ],
  ],
  passes: [
    ['a request with both keys', exchange()],
    ['a request without clientInfo', versioned({ [CAPABILITIES]: {} })],
    [
      'capabilities that no revision knows',
      versioned({
        [CAPABILITIES]: {
          elicitation: { form: { applyDefaults: true }, url: {} },
          tools: { future: 1 },
          extensions: { 'com.example/x': {} },
        },
      }),
    ],
    [
      'capabilities of odd types, which declare nothing',
      versioned({ [CAPABILITIES]: { elicitation: true, roots: null } }),
    ],
    ['a notification without _meta', exchange({ method: 'notifications/x', meta: null })],
    ['a notification without params', exchange({ method: 'notifications/x', envelope: { params: null } })],
    [
      'a legacy request where the route lets the legacy era pass',
      exchange({ meta: null, legacy: true, policy: policy({ legacy: 'pass' }) }),
    ],
  ],
});
