import { passesAsLegacy } from '../../engine/exchange.js';
import type { Rule } from '../../engine/rule.js';
import { declaresUnknownExtension } from '../../protocol/capabilities.js';
import { METHOD_LISTEN } from '../../protocol/constants.js';
import { objectMember } from '../../protocol/messages.js';
import { admitsNotification, belongsToSubscription } from '../../protocol/subscriptions.js';

export const listenFiltered: Rule<'outbound'> = {
  id: 'listen-filtered',
  stage: 'outbound',
  guarantees:
    'A subscription delivers what its filter asked for, and neither progress nor log messages; what is for subscriptions comes on no other stream.',
  clause: {
    page: 'basic/patterns/subscriptions',
    anchor: 'opening-a-stream',
    keyword: 'MUST NOT',
    quote: 'The server MUST NOT send notification types the client has not explicitly requested.',
  },
  severity: { spec: 'report', ze: 'report' },
  remedy: 'drop',
  check: ({ exchange, message }) => {
    if (message?.kind !== 'notification' || passesAsLegacy(exchange)) return undefined;
    if (exchange.message.method !== METHOD_LISTEN)
      return belongsToSubscription(message.method)
        ? { at: '/method', message: 'the notification is for subscriptions' }
        : undefined;
    const filter = objectMember(exchange.message.params, 'notifications') ?? {};
    const admitted = admitsNotification(filter, exchange.message.id, message.method, message.params);
    if (admitted ?? declaresUnknownExtension(exchange.capabilities)) return undefined;
    return { at: '/method', message: "the notification is outside the subscription's filter" };
  },
};
