import { passesAsLegacy } from '../../engine/exchange.js';
import type { Rule } from '../../engine/rule.js';
import { NOTIFICATION_PREFIX } from '../../protocol/constants.js';

export const noServerRequest: Rule<'outbound'> = {
  id: 'no-server-request',
  stage: 'outbound',
  guarantees: 'No JSON-RPC request of the server reaches the client, in a stream or as a body.',
  clause: {
    page: 'basic/transports/streamable-http',
    anchor: 'receiving-messages',
    keyword: 'MUST NOT',
    quote: 'The server MUST NOT send independent JSON-RPC requests on this stream.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: ({ exchange, message }) => {
    if (passesAsLegacy(exchange)) return undefined;
    if (message?.kind === 'request') {
      return { at: '/method', message: 'the server sent a request of its own' };
    }
    if (message?.kind !== 'notification' || message.method.startsWith(NOTIFICATION_PREFIX)) return undefined;
    return { at: '/method', message: 'the server sent a request of its own, without id', remedy: 'drop' };
  },
};
