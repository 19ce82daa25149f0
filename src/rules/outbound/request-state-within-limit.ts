import { issuedState } from '../../engine/issued.js';
import type { Rule } from '../../engine/rule.js';
import { askedInputs, keptBytes } from '../../protocol/asked.js';
import { lexemeAt } from '../../protocol/json.js';

export const requestStateWithinLimit: Rule<'outbound'> = {
  id: 'request-state-within-limit',
  stage: 'outbound',
  guarantees:
    'What a sealed state has to hold, the server’s own string and the forms that it asks with, is within `seal.maxBytes`.',
  clause: {
    source: 'gateway policy',
    keyword: 'MUST',
    quote:
      'A sealed requestState MUST be small enough for the client to send it back: what it holds is bounded by the route.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: (input) => {
    const { seal } = input.exchange.policy;
    const issued = issuedState(input);
    if (seal === undefined || issued === undefined) return undefined;
    const inner = issued === 'own' ? lexemeAt(input.reading.text, ['result', 'requestState']) : undefined;
    if (keptBytes(inner ?? '', askedInputs(input.asked)) <= seal.maxBytes) return undefined;
    return {
      at: '/result/requestState',
      message: 'requestState and the forms asked with are too large together to be sealed (seal.maxBytes)',
    };
  },
};
