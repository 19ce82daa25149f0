import type { Rule } from '../../engine/rule.js';
import { findCredential } from '../../protocol/form-credentials.js';

export const formAsksNoCredential: Rule<'outbound'> = {
  id: 'form-asks-no-credential',
  stage: 'outbound',
  guarantees: 'No form asks the user for a password, key, token, code or payment credential.',
  clause: {
    page: 'client/elicitation',
    anchor: 'user-interaction-model',
    keyword: 'MUST NOT',
    quote:
      'Servers MUST NOT use form mode elicitation to request sensitive information such as passwords, API keys, access tokens, or payment credentials',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: ({ exchange, asked }) => {
    for (const request of asked) {
      const at = findCredential(request, exchange.policy.credentials);
      if (at !== undefined) return { at, message: 'a form asks for a credential' };
    }
    return undefined;
  },
};
