import { METHOD_PROMPTS_GET, METHOD_RESOURCES_READ, METHOD_TOOLS_CALL } from './constants.js';
import { type ClientMessage, stringMember } from './messages.js';

/**
 * What a message is about, for people to read, still to be bounded and escaped. Task ids stay out, since whoever knows
 * one may use it; so do a URI's user, query and fragment.
 */
export function shownTarget({
  method,
  params,
}: Pick<ClientMessage, 'method' | 'params'>): string | undefined {
  if (method === METHOD_TOOLS_CALL || method === METHOD_PROMPTS_GET) return stringMember(params, 'name');
  if (method !== METHOD_RESOURCES_READ) return undefined;
  return stringMember(params, 'uri')
    ?.replace(/[?#].*$/s, '')
    .replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*@/i, '$1//');
}
