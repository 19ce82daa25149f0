import type { Rule } from '../../engine/rule.js';
import { elicitationsOf } from '../../protocol/elicitations.js';
import { readWebUrl } from '../../protocol/urls.js';

export const urlHttps: Rule<'outbound'> = {
  id: 'url-https',
  stage: 'outbound',
  guarantees: 'A URL elicitation leads to an https URL, or to the loopback host.',
  clause: {
    page: 'client/elicitation',
    anchor: 'safe-url-handling',
    keyword: 'SHOULD',
    quote: 'SHOULD use HTTPS URLs for non-development environments.',
  },
  severity: { spec: 'report', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: ({ asked }) => {
    for (const { at, value } of elicitationsOf('url', asked)) {
      const url = typeof value === 'string' ? readWebUrl(value) : undefined;
      if (url === undefined || url.https || url.loopback) continue;
      return { at, message: 'url is not an https URL and does not lead to the loopback host' };
    }
    return undefined;
  },
};
