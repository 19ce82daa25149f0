import type { InputKind } from '../../engine/policy.js';
import type { Rule } from '../../engine/rule.js';
import { METHOD_ELICIT, METHOD_ROOTS, METHOD_SAMPLE } from '../../protocol/constants.js';

const KINDS: ReadonlyMap<string, InputKind> = new Map([
  [METHOD_ELICIT, 'elicitation'],
  [METHOD_SAMPLE, 'sampling'],
  [METHOD_ROOTS, 'roots'],
]);

export const inputRequestKindAllowed: Rule<'outbound'> = {
  id: 'input-request-kind-allowed',
  stage: 'outbound',
  guarantees: 'Each input request is of a kind that the revision defines and the route allows.',
  clause: {
    page: 'basic/patterns/mrtr',
    anchor: 'server-requirements-basic-workflow',
    keyword: 'MUST',
    quote:
      '`inputRequests` values are request objects that MUST be one of `ElicitRequest`, `CreateMessageRequest`, or `ListRootsRequest`',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: ({ asked, exchange }) => {
    const { kinds } = exchange.policy.inputRequests;
    for (const { method, at } of asked) {
      if (method === undefined)
        return { at, message: 'an input request is not a request object with a method' };
      const kind = KINDS.get(method);
      if (kind !== undefined && kinds.has(kind)) continue;
      return { at: `${at}/method`, message: 'an input request is of a kind that this route does not allow' };
    }
    return undefined;
  },
};
