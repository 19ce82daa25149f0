import type { Rule } from '../../engine/rule.js';
import type { CredentialReader } from '../../protocol/credentials.js';
import { type FormText, findInForm } from '../../protocol/form-text.js';

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
    const { credentials } = exchange.policy;
    for (const request of asked) {
      const at = findInForm(request, (piece) => asks(piece, credentials));
      if (at !== undefined) return { at, message: 'a form asks for a credential' };
    }
    return undefined;
  },
};

/** A choice among what the form itself offers carries no secret, whatever it is called. */
function asks({ place, text, choice }: FormText, reader: CredentialReader): boolean {
  if (choice) return false;
  switch (place) {
    case 'name':
      return reader.nameAsks(text);
    case 'title':
      return reader.titleAsks(text);
    case 'format':
      return text.trim().toLowerCase() === 'password';
    case 'writeOnly':
      return true;
    case 'description':
    case 'message':
      return reader.textAsks(text);
  }
}
