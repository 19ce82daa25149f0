import { passesAsLegacy } from '../../engine/exchange.js';
import type { Rule } from '../../engine/rule.js';
import { META_LOG_LEVEL, NOTIFICATION_MESSAGE } from '../../protocol/constants.js';
import { stringMember } from '../../protocol/messages.js';

export const logLevelRequested: Rule<'outbound'> = {
  id: 'log-level-requested',
  stage: 'outbound',
  guarantees: 'Log messages reach only a client whose request asked for them.',
  clause: {
    page: 'server/utilities/logging',
    anchor: 'per-request-log-level',
    keyword: 'MUST NOT',
    quote: 'The server MUST NOT emit `notifications/message` for a request that does not include this field.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: 'drop',
  check: ({ exchange, message }) => {
    if (
      passesAsLegacy(exchange) ||
      message?.kind !== 'notification' ||
      message.method !== NOTIFICATION_MESSAGE
    ) {
      return undefined;
    }
    if (stringMember(exchange.message.meta, META_LOG_LEVEL) !== undefined) return undefined;
    return { at: '/method', message: 'the request asked for no log messages' };
  },
};
