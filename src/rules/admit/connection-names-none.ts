import type { Rule } from '../../engine/rule.js';
import { HEADER_AUTHORIZATION, HEADER_CONNECTION, HEADER_HOST } from '../../protocol/constants.js';
import { connectionNames } from '../../protocol/http.js';

const NEEDED: ReadonlySet<string> = new Set([HEADER_AUTHORIZATION, HEADER_HOST]);
const NEEDED_PREFIXES: readonly string[] = ['mcp-', 'content-'];

export const connectionNamesNone: Rule<'admit'> = {
  id: 'connection-names-none',
  stage: 'admit',
  guarantees: 'The Connection header removes no field that a message is judged, routed or authorized by.',
  clause: {
    source: 'gateway policy',
    keyword: 'MUST',
    quote:
      'A field that Connection names ends at the next proxy, so the server would act without what was judged here.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  locked: 'the fields that reach the server would no longer be the fields that were judged',
  remedy: { refuse: 'invalidRequest' },
  check({ headers }) {
    return connectionNames(headers.all(HEADER_CONNECTION)).some(isNeeded)
      ? {
          at: HEADER_CONNECTION,
          message: 'Invalid request: the Connection header names a field that must arrive',
        }
      : undefined;
  },
};

function isNeeded(name: string): boolean {
  return NEEDED.has(name) || NEEDED_PREFIXES.some((prefix) => name.startsWith(prefix));
}
