import type { Change } from '../protocol/changes.js';
import { METHOD_TOOLS_LIST, RESULT_COMPLETE } from '../protocol/constants.js';
import { member, numberMember } from '../protocol/messages.js';
import { resultOf, resultTypeOf } from '../protocol/results.js';
import type { Rewrite } from './rewrite.js';

const PRIVATE = 'private';

/** A list that depends on the caller's capabilities must not be shared between callers (server/utilities/caching). */
export const listScopePrivate: Rewrite<'outbound'> = {
  id: 'list-scope-private',
  stage: 'outbound',
  does: 'The tool list of a route with elicited arguments is cached for its caller alone, and no longer than `listTtlMs`.',
  changes: ({ exchange, message }) => {
    const { policy } = exchange;
    const result = resultOf(message);
    if (result === undefined || exchange.message.method !== METHOD_TOOLS_LIST) return [];
    if (resultTypeOf(result) !== RESULT_COMPLETE) return [];
    if (![...policy.tools.values()].some(({ elicits }) => elicits.length > 0)) return [];
    const changes: Change[] = [];
    if (member(result, 'cacheScope') !== PRIVATE) {
      changes.push({ path: ['result', 'cacheScope'], json: JSON.stringify(PRIVATE) });
    }
    const ttlMs = numberMember(result, 'ttlMs');
    if (ttlMs !== undefined && policy.listTtlMs !== undefined && ttlMs > policy.listTtlMs) {
      changes.push({ path: ['result', 'ttlMs'], json: String(policy.listTtlMs) });
    }
    return changes;
  },
};
