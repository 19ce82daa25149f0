import type { Rule } from '../../engine/rule.js';
import { elicitationsOf } from '../../protocol/elicitations.js';
import { findUrlFault, type UrlFault } from '../../protocol/urls.js';

const MESSAGES: Readonly<Record<UrlFault, string>> = {
  'not-absolute': 'url is not an absolute http or https URL',
  'user-information': 'url carries user information before its host',
  credential: 'url carries a credential in its query or fragment',
};

export const urlValid: Rule<'outbound'> = {
  id: 'url-valid',
  stage: 'outbound',
  guarantees:
    'A URL elicitation leads to an absolute http or https URL without user information and without a credential in it.',
  clause: {
    page: 'client/elicitation',
    anchor: 'url-mode-elicitation-requests',
    keyword: 'MUST',
    quote: 'The `url` parameter MUST contain a valid URL.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: ({ asked, exchange }) => {
    const { nameAsks } = exchange.policy.credentials;
    for (const { at, value } of elicitationsOf('url', asked)) {
      const fault = typeof value === 'string' ? findUrlFault(value, nameAsks) : 'not-absolute';
      if (fault !== undefined) return { at, message: MESSAGES[fault] };
    }
    return undefined;
  },
};
