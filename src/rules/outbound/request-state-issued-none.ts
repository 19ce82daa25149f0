import type { Rule } from '../../engine/rule.js';
import { has, member } from '../../protocol/messages.js';
import { isInputRequired, resultOf } from '../../protocol/results.js';

export const requestStateIssuedNone: Rule<'outbound'> = {
  id: 'request-state-issued-none',
  stage: 'outbound',
  guarantees: 'Where the route forbids `requestState`, no result carries one.',
  clause: {
    page: 'basic/patterns/mrtr',
    anchor: 'client-requirements-basic-workflow',
    keyword: 'MUST',
    quote:
      'If an `InputRequiredResult` contains the `requestState` field, the client MUST echo back the exact value of that field when retrying the original request.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: (input) => {
    const result = resultOf(input.message);
    if (input.exchange.policy.requestState !== 'forbid' || result === undefined) return undefined;
    // Anything but a string says nothing to a client, unless the result is one that it reads the member of.
    const issued = isInputRequired(input)
      ? has(result, 'requestState')
      : typeof member(result, 'requestState') === 'string';
    if (!issued) return undefined;
    return {
      at: '/result/requestState',
      message: 'a result carries a requestState, which a retry on this route must not carry',
    };
  },
};
