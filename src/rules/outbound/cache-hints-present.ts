import { passesAsLegacy } from '../../engine/exchange.js';
import type { Rule, Violation } from '../../engine/rule.js';
import { CACHEABLE_METHODS, RESULT_COMPLETE } from '../../protocol/constants.js';
import { has, type JsonObject, member, numberMember } from '../../protocol/messages.js';
import { isInputRequired, resultOf, resultTypeOf } from '../../protocol/results.js';

export const cacheHintsPresent: Rule<'outbound'> = {
  id: 'cache-hints-present',
  stage: 'outbound',
  guarantees: 'Cacheable results say for how long and for whom; a question says neither.',
  clause: {
    page: 'server/utilities/caching',
    anchor: 'cacheable-results',
    keyword: 'MUST',
    quote:
      'Servers MUST include caching hints on results with `resultType: "complete"` returned by the following operations:',
  },
  severity: { spec: 'report', ze: 'report' },
  remedy: { refuse: 'serverViolation' },
  check: (input) => {
    const { exchange } = input;
    const result = resultOf(input.message);
    if (passesAsLegacy(exchange) || result === undefined) return undefined;
    if (isInputRequired(input)) return findHint(result);
    const cacheable =
      CACHEABLE_METHODS.has(exchange.message.method) && resultTypeOf(result) === RESULT_COMPLETE;
    return cacheable ? findGap(result) : undefined;
  },
};

function findHint(result: JsonObject): Violation | undefined {
  const name = ['ttlMs', 'cacheScope'].find((hint) => has(result, hint));
  return name === undefined
    ? undefined
    : { at: `/result/${name}`, message: 'an InputRequiredResult carries a caching hint' };
}

function findGap(result: JsonObject): Violation | undefined {
  const ttlMs = numberMember(result, 'ttlMs');
  if (ttlMs === undefined || !(ttlMs >= 0)) {
    return { at: '/result/ttlMs', message: 'a cacheable result has no ttlMs of zero or more' };
  }
  const scope = member(result, 'cacheScope');
  if (scope === 'public' || scope === 'private') return undefined;
  return { at: '/result/cacheScope', message: 'a cacheable result has no cacheScope of public or private' };
}
