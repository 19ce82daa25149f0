import type { Rule, Violation } from '../../engine/rule.js';
import { has, isJsonRpc, member, sameId } from '../../protocol/messages.js';

export const responseAnswersRequest: Rule<'outbound'> = {
  id: 'response-answers-request',
  stage: 'outbound',
  guarantees: 'A response carries exactly the id of the request that it answers.',
  clause: {
    page: 'basic/index',
    anchor: 'result-responses',
    keyword: 'MUST',
    quote: 'Result responses MUST include the same ID as the request they correspond to.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  locked: 'a client cannot match an answer with another id and waits until it gives up',
  remedy: { refuse: 'upstreamInvalid' },
  check: ({ exchange, status, message }) => {
    const asked = exchange.message.id;
    if (asked === undefined) return undefined;
    if (status === 202) return violation('', 'status 202 does not answer a request');
    if (message?.kind !== 'response' || sameId(message.id, asked)) return undefined;
    const { envelope } = message;
    if (status >= 400) {
      // OAuth and other errors of HTTP services have an error member too, and an early failure may know no id.
      const idless = !has(envelope, 'id') || member(envelope, 'id') === null;
      if (!isJsonRpc(envelope) || idless) return undefined;
    }
    return violation('/id', "the id of the upstream's response is not the request's");
  },
};

function violation(at: string, message: string): Violation {
  return { at, message };
}
