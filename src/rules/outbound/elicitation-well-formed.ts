import type { RoutePolicy } from '../../engine/policy.js';
import type { Rule, Violation } from '../../engine/rule.js';
import { elicitationMode } from '../../protocol/elicitations.js';
import type { InputRequest } from '../../protocol/input-requests.js';
import { has, type JsonObject, objectMember, stringMember } from '../../protocol/messages.js';

export const elicitationWellFormed: Rule<'outbound'> = {
  id: 'elicitation-well-formed',
  stage: 'outbound',
  guarantees:
    'Each elicitation has a message, an allowed mode, and the schema or the URL that the mode is about.',
  clause: {
    page: 'client/elicitation',
    anchor: 'elicitation-requests',
    keyword: 'MUST',
    quote: 'All elicitation requests MUST include the following parameters:',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: ({ asked, exchange }) => {
    for (const request of asked) {
      const found = findFault(request, exchange.policy.inputRequests);
      if (found !== undefined) return found;
    }
    return undefined;
  },
};

function findFault(request: InputRequest, allowed: RoutePolicy['inputRequests']): Violation | undefined {
  const { params, at } = request;
  const mode = elicitationMode(request);
  if (mode === undefined) return undefined;
  if (params === undefined) return { at, message: 'an elicitation has no params' };
  if (mode === 'unknown') return { at: `${at}/params/mode`, message: 'mode is neither form nor url' };
  if (!allowed.modes.has(mode)) {
    return member(params, at, 'mode', 'an elicitation is of a mode that this route does not allow');
  }
  if (allowed.modeStated && !has(params, 'mode')) {
    return { at: `${at}/params`, message: 'an elicitation does not state its mode' };
  }
  if (stringMember(params, 'message') === undefined) {
    return member(params, at, 'message', 'message of an elicitation is not a string');
  }
  if (mode === 'form' && objectMember(params, 'requestedSchema') === undefined) {
    return member(params, at, 'requestedSchema', 'requestedSchema of a form is not an object');
  }
  if (mode === 'url' && stringMember(params, 'url') === undefined) {
    return member(params, at, 'url', 'url of a URL elicitation is not a string');
  }
  return undefined;
}

/** Points to the member, or to where it is missing. */
function member(params: JsonObject, at: string, name: string, message: string): Violation {
  return { at: has(params, name) ? `${at}/params/${name}` : `${at}/params`, message };
}
