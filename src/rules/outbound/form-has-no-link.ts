import type { Rule } from '../../engine/rule.js';
import type { CredentialPlace } from '../../protocol/credentials.js';
import { findInForm } from '../../protocol/form-text.js';
import { hasLink } from '../../protocol/links.js';

const SHOWN: ReadonlySet<CredentialPlace> = new Set(['title', 'description', 'message']);

export const formHasNoLink: Rule<'outbound'> = {
  id: 'form-has-no-link',
  stage: 'outbound',
  guarantees: "No link stands in a form's message, titles or descriptions for the user to click.",
  clause: {
    page: 'client/elicitation',
    anchor: 'safe-url-handling',
    keyword: 'SHOULD NOT',
    quote:
      'SHOULD NOT include URLs intended to be clickable in any field of a form mode elicitation request.',
  },
  severity: { spec: 'report', ze: 'report' },
  remedy: { refuse: 'serverViolation' },
  check: ({ asked }) => {
    for (const request of asked) {
      const at = findInForm(request, ({ place, text }) => SHOWN.has(place) && hasLink(text));
      if (at !== undefined) return { at, message: 'a form shows a link' };
    }
    return undefined;
  },
};
