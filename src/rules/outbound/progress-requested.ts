import { passesAsLegacy } from '../../engine/exchange.js';
import type { Rule } from '../../engine/rule.js';
import { NOTIFICATION_PROGRESS } from '../../protocol/constants.js';
import { member } from '../../protocol/messages.js';

export const progressRequested: Rule<'outbound'> = {
  id: 'progress-requested',
  stage: 'outbound',
  guarantees: "Progress reaches only the request that asked for it, under that request's token.",
  clause: {
    page: 'basic/transports/streamable-http',
    anchor: 'receiving-messages',
    keyword: 'MUST',
    quote: 'These notifications MUST relate to the originating client request.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: 'drop',
  check: ({ exchange, message }) => {
    if (
      passesAsLegacy(exchange) ||
      message?.kind !== 'notification' ||
      message.method !== NOTIFICATION_PROGRESS
    ) {
      return undefined;
    }
    const token = member(exchange.message.meta, 'progressToken');
    if (typeof token !== 'string' && typeof token !== 'number') {
      return { at: '/method', message: 'the request asked for no progress' };
    }
    if (member(message.params, 'progressToken') === token) return undefined;
    return { at: '/params/progressToken', message: "the progressToken is not the request's" };
  },
};
