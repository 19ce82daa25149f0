/** Where a form asks its user for a credential. */
import { patternAsks } from './credentials/token-patterns.js';
import type { CredentialReader } from './credentials.js';
import { type FormText, findInForm } from './form-text.js';
import type { InputRequest } from './input-requests.js';

/** JSON Pointer to the first name or text that asks; undefined when none does, or the entry is no form. */
export function findCredential(request: InputRequest, reader: CredentialReader): string | undefined {
  return findInForm(request, (piece) => asks(piece, reader));
}

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
    case 'pattern':
      return patternAsks(text);
    case 'writeOnly':
      return true;
    case 'description':
    case 'message':
      return reader.textAsks(text);
  }
}
