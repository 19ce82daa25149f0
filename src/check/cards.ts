/**
 * What an audit can say that no rule of the register does: what a server must refuse or answer by itself, and what shows
 * only when answers are held against each other.
 */
import type { Clause } from '../engine/rule.js';

export interface Card {
  readonly id: string;
  /** One sentence: what holds when nothing is found. */
  readonly guarantees: string;
  readonly clause: Clause;
}

const TRANSPORT = 'basic/transports/streamable-http';
const MRTR = 'basic/patterns/mrtr';

export const OWN_CARDS: readonly Card[] = [
  {
    id: 'discover-answered',
    guarantees: 'The server says what it is and can: it answers server/discover.',
    clause: {
      page: 'server/discover',
      anchor: '',
      keyword: 'MUST',
      quote: 'Servers MUST implement it.',
    },
  },
  {
    id: 'method-unknown-refused',
    guarantees: 'A method that the server does not know is answered with 404 and -32601.',
    clause: {
      page: TRANSPORT,
      anchor: 'protocol-version-header',
      keyword: 'MUST',
      quote:
        'If the server does not implement the requested RPC method, it MUST respond with `404 Not Found` and a JSON-RPC error with code `-32601` (`Method not found`).',
    },
  },
  {
    id: 'request-state-verified',
    guarantees:
      'A requestState that the server did not issue, or that was changed on the way, gets nobody further.',
    clause: {
      page: MRTR,
      anchor: 'server-requirements-basic-workflow',
      keyword: 'MUST',
      quote:
        'If `requestState` influences authorization, resource access, or business logic, servers MUST protect its integrity (e.g. HMAC or AEAD) and MUST reject state that fails verification.',
    },
  },
  {
    id: 'resource-unknown-refused',
    guarantees: 'A resource that does not exist is answered with -32602.',
    clause: {
      page: 'server/resources',
      anchor: 'error-handling',
      keyword: 'MUST',
      quote:
        'If the requested resource does not exist, servers MUST return a JSON-RPC error with code `-32602` (Invalid Params).',
    },
  },
  {
    id: 'task-unknown-refused',
    guarantees: 'A task that does not exist is answered with -32602.',
    clause: {
      page: 'seps/2663-tasks-extension',
      anchor: 'protocol-errors',
      keyword: 'MUST',
      quote: 'Servers MUST return this error for `tasks/get`.',
    },
  },
  {
    id: 'stream-ends-with-response',
    guarantees: 'The response ends its stream.',
    clause: {
      page: TRANSPORT,
      anchor: 'receiving-messages',
      keyword: 'SHOULD',
      quote: 'The final JSON-RPC response SHOULD terminate the stream.',
    },
  },
  {
    id: 'tools-list-required',
    guarantees:
      'An argument that a tool asks the user for is required of clients that cannot be asked, and of no others.',
    clause: {
      source: 'Ze',
      keyword: 'MUST',
      quote:
        'Declare nothing, or url only, and required names command, which is honest: that client will get an error rather than a prompt.',
    },
  },
  {
    id: 'list-scope-private',
    guarantees: 'A list that differs between clients is not offered to caches that clients share.',
    clause: {
      page: 'server/utilities/caching',
      anchor: 'choosing-a-cache-scope',
      keyword: 'SHOULD',
      quote:
        '`"private"` is appropriate for `resources/read` results that depend on the authenticated user, or for filtered list results that vary per user.',
    },
  },
  {
    id: 'discover-versions',
    guarantees: 'The server speaks every version that server/discover names.',
    clause: {
      page: 'basic/versioning',
      anchor: 'protocol-version-negotiation',
      keyword: 'MUST',
      quote:
        'If the server does not implement the requested version (whether the version is unknown to the server, or is a known version the server has chosen not to support), it MUST respond with an `UnsupportedProtocolVersionError` listing the versions it does support:',
    },
  },
];
