import { passesAsLegacy } from '../../engine/exchange.js';
import type { Rule } from '../../engine/rule.js';
import { METHOD_LISTEN, NOTIFICATION_ACKNOWLEDGED } from '../../protocol/constants.js';

export const listenAcknowledgedFirst: Rule<'outbound'> = {
  id: 'listen-acknowledged-first',
  stage: 'outbound',
  guarantees: 'A subscription begins with its acknowledgement.',
  clause: {
    page: 'basic/patterns/subscriptions',
    anchor: 'acknowledgment',
    keyword: 'MUST',
    quote:
      "The server MUST send `notifications/subscriptions/acknowledged` as the first message carrying the subscription's ID in `_meta` under `io.modelcontextprotocol/subscriptionId`, and MUST NOT send any notification on the subscription before it.",
  },
  severity: { spec: 'report', ze: 'report' },
  remedy: 'drop',
  check: ({ exchange, message, acknowledged }) => {
    if (passesAsLegacy(exchange) || exchange.message.method !== METHOD_LISTEN) return undefined;
    if (acknowledged || message?.kind !== 'notification') return undefined;
    if (message.method === NOTIFICATION_ACKNOWLEDGED) return undefined;
    return { at: '/method', message: 'a notification comes before the acknowledgement of its subscription' };
  },
};
