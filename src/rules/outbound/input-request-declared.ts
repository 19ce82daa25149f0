import { passesAsLegacy } from '../../engine/exchange.js';
import type { Rule } from '../../engine/rule.js';
import { METHOD_ROOTS, METHOD_SAMPLE } from '../../protocol/constants.js';
import { elicitationMode } from '../../protocol/elicitations.js';
import type { InputRequest } from '../../protocol/input-requests.js';
import { has, type JsonObject } from '../../protocol/messages.js';

type Need = 'form' | 'url' | 'sampling' | 'samplingTools' | 'roots';

export const inputRequestDeclared: Rule<'outbound'> = {
  id: 'input-request-declared',
  stage: 'outbound',
  guarantees: 'The client is asked only for what it declared, on this very request, that it can give.',
  clause: {
    page: 'basic/patterns/mrtr',
    anchor: 'server-requirements-basic-workflow',
    keyword: 'MUST NOT',
    quote:
      'Servers MUST NOT send an `inputRequests` that the client has not declared support for in its capabilities.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'missingCapability' },
  check: ({ asked, exchange }) => {
    // A legacy client declared once, at its handshake, which nobody here remembers.
    if (passesAsLegacy(exchange)) return undefined;
    const missing = new Set<Need>();
    let at: string | undefined;
    for (const request of asked) {
      const need = needOf(request);
      if (need === undefined || exchange.capabilities[need]) continue;
      missing.add(need);
      at = at ?? request.at;
    }
    if (at === undefined) return undefined;
    const message = 'an input request needs a capability that the client does not declare';
    const required = requiredBy(missing);
    return { at, message, detail: { kind: 'capabilities', required, formMissing: missing.has('form') } };
  },
};

function needOf(request: InputRequest): Need | undefined {
  const { method, params } = request;
  if (method === METHOD_ROOTS) return 'roots';
  if (method === METHOD_SAMPLE) {
    return params && (has(params, 'tools') || has(params, 'toolChoice')) ? 'samplingTools' : 'sampling';
  }
  const mode = elicitationMode(request);
  return mode === 'unknown' ? undefined : mode;
}

function requiredBy(missing: ReadonlySet<Need>): JsonObject {
  const form = missing.has('form') ? { form: {} } : undefined;
  const url = missing.has('url') ? { url: {} } : undefined;
  const tools = missing.has('samplingTools') ? { tools: {} } : undefined;
  return {
    ...((form ?? url) !== undefined && { elicitation: { ...form, ...url } }),
    ...((tools !== undefined || missing.has('sampling')) && { sampling: { ...tools } }),
    ...(missing.has('roots') && { roots: {} }),
  };
}
