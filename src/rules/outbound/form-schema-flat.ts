import type { Rule } from '../../engine/rule.js';
import { elicitationsOf } from '../../protocol/elicitations.js';
import { findFormFault } from '../../protocol/forms.js';

export const formSchemaFlat: Rule<'outbound'> = {
  id: 'form-schema-flat',
  stage: 'outbound',
  guarantees:
    'A form asks for a flat object whose properties are all primitive forms of the subset that the route allows.',
  clause: {
    page: 'client/elicitation',
    anchor: 'requested-schema',
    keyword: 'MUST',
    quote:
      'To simplify client user experience, form mode elicitation schemas are limited to flat objects with primitive properties only.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: ({ asked, exchange }) => {
    for (const form of elicitationsOf('form', asked)) {
      const fault = findFormFault(form.value, exchange.policy.formSubset);
      if (fault !== undefined) return { at: form.at + fault.at, message: fault.message };
    }
    return undefined;
  },
};
