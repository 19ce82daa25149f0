import type { Rule, Violation } from '../../engine/rule.js';
import { has, isObject, type JsonObject, member, objectMember } from '../../protocol/messages.js';
import { isInputRequired, resultOf } from '../../protocol/results.js';

export const inputRequiredContentPresent: Rule<'outbound'> = {
  id: 'input-required-content-present',
  stage: 'outbound',
  guarantees:
    'An input_required result has `inputRequests` with an entry, or a `requestState`, and each is of its type.',
  clause: {
    page: 'basic/patterns/mrtr',
    anchor: 'server-requirements-basic-workflow',
    keyword: 'MUST',
    quote:
      'Servers MUST include at least one of `inputRequests` or `requestState` in every `InputRequiredResult` response.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: (input) => {
    const result = isInputRequired(input) ? resultOf(input.message) : undefined;
    return result && findFault(result);
  },
};

function findFault(result: JsonObject): Violation | undefined {
  if (has(result, 'inputRequests') && !isObject(member(result, 'inputRequests'))) {
    return {
      at: '/result/inputRequests',
      message: 'inputRequests of an input_required result is not an object',
    };
  }
  if (has(result, 'requestState')) {
    if (typeof member(result, 'requestState') === 'string') return undefined;
    return {
      at: '/result/requestState',
      message: 'requestState of an input_required result is not a string',
    };
  }
  if (Object.keys(objectMember(result, 'inputRequests') ?? {}).length > 0) return undefined;
  return {
    at: '/result',
    message: 'an input_required result has neither an input request nor a requestState',
  };
}
