import { passesAsLegacy } from '../../engine/exchange.js';
import type { Rule } from '../../engine/rule.js';
import { META_SUBSCRIPTION_ID, METHOD_LISTEN } from '../../protocol/constants.js';
import { member, objectMember, pointer } from '../../protocol/messages.js';

export const listenTagged: Rule<'outbound'> = {
  id: 'listen-tagged',
  stage: 'outbound',
  guarantees: 'Every notification of a subscription says which one it belongs to.',
  clause: {
    page: 'basic/index',
    anchor: 'meta',
    keyword: 'MUST',
    quote:
      'On notifications delivered via a `subscriptions/listen` stream, the server MUST include `io.modelcontextprotocol/subscriptionId` in `_meta` so the client can correlate the notification with the originating subscription request.',
  },
  severity: { spec: 'report', ze: 'report' },
  remedy: 'drop',
  // The closing response is not judged: it is matched by its id, and dropping it would hide a graceful end.
  check: ({ exchange, message }) => {
    if (passesAsLegacy(exchange) || exchange.message.method !== METHOD_LISTEN) return undefined;
    if (message?.kind !== 'notification') return undefined;
    const meta = objectMember(message.params, '_meta') ?? {};
    if (member(meta, META_SUBSCRIPTION_ID) === exchange.message.id?.value) return undefined;
    return {
      at: pointer('params', '_meta', META_SUBSCRIPTION_ID),
      message: "the subscriptionId is not the subscription's request id",
    };
  },
};
