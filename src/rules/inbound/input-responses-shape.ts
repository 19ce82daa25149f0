import type { Rule, Violation } from '../../engine/rule.js';
import { METHOD_TASKS_UPDATE, MRTR_METHODS } from '../../protocol/constants.js';
import { elicitResultFault } from '../../protocol/elicit-results.js';
import { has, isObject, member, pointer } from '../../protocol/messages.js';

export const inputResponsesShape: Rule<'inbound'> = {
  id: 'input-responses-shape',
  stage: 'inbound',
  guarantees:
    'Answers come only on a retry, as a map of objects; an answer to a form is accept, decline or cancel with flat content.',
  clause: {
    page: 'basic/patterns/mrtr',
    anchor: 'error-handling',
    keyword: 'SHOULD',
    quote:
      'Servers SHOULD validate that the data provided by the client is a valid `InputResponses` object and that the information inside can be correctly parsed.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'invalidParams' },
  check({ message: { method, params } }) {
    if (!has(params, 'inputResponses')) return undefined;
    if (!MRTR_METHODS.has(method) && method !== METHOD_TASKS_UPDATE) {
      return violation('params.inputResponses is not accepted on this method');
    }
    const responses = member(params, 'inputResponses');
    if (!isObject(responses)) return violation('params.inputResponses must be an object');
    for (const [key, response] of Object.entries(responses)) {
      if (!isObject(response)) return violation('each entry of params.inputResponses must be an object', key);
      const fault = has(response, 'action') ? elicitResultFault(response) : undefined;
      if (fault !== undefined) return violation(fault.sentence, key, ...fault.path);
    }
    return undefined;
  },
};

function violation(sentence: string, ...path: readonly string[]): Violation {
  return { at: pointer('params', 'inputResponses', ...path), message: `invalid params: ${sentence}` };
}
