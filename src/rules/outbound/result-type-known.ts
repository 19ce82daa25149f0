import { passesAsLegacy } from '../../engine/exchange.js';
import type { Rule } from '../../engine/rule.js';
import { declaresUnknownExtension } from '../../protocol/capabilities.js';
import { RESULT_COMPLETE, RESULT_INPUT_REQUIRED, RESULT_TASK } from '../../protocol/constants.js';
import { resultOf, resultTypeOf } from '../../protocol/results.js';

const KNOWN: ReadonlySet<string> = new Set([RESULT_COMPLETE, RESULT_INPUT_REQUIRED, RESULT_TASK]);

export const resultTypeKnown: Rule<'outbound'> = {
  id: 'result-type-known',
  stage: 'outbound',
  guarantees:
    'A result is of a type that the client can know: complete, input_required, task, or an extension it declared.',
  clause: {
    page: 'basic/index',
    anchor: 'resulttype',
    keyword: 'MUST',
    quote: 'A `resultType` of any value unrecognized by the client MUST be considered invalid.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: ({ exchange, message }) => {
    const result = resultOf(message);
    if (passesAsLegacy(exchange) || result === undefined) return undefined;
    const type = resultTypeOf(result);
    if (type === undefined) return { at: '/result/resultType', message: 'resultType is no string' };
    if (KNOWN.has(type) || declaresUnknownExtension(exchange.capabilities)) return undefined;
    return {
      at: '/result/resultType',
      message: 'the client declared nothing that could define this resultType',
    };
  },
};
