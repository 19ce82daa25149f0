import { passesAsLegacy } from '../../engine/exchange.js';
import type { Rule, Violation } from '../../engine/rule.js';
import { METHOD_ELICIT, NOTIFICATION_ELICITATION_COMPLETE } from '../../protocol/constants.js';
import { isUndefinedProtocolCode, REMOVED_CODES } from '../../protocol/errors.js';
import type { InputRequest } from '../../protocol/input-requests.js';
import { has, type JsonValue } from '../../protocol/messages.js';
import { resultOf, storedErrorCodeOf, taskOf } from '../../protocol/results.js';

export const noRemovedMessage: Rule<'outbound'> = {
  id: 'no-removed-message',
  stage: 'outbound',
  guarantees: 'Nothing that the revision removed or reserves reaches the client.',
  clause: {
    page: 'basic/index',
    anchor: 'error-codes',
    keyword: 'MUST NOT',
    quote: 'Implementations of this protocol version MUST NOT emit these codes:',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'serverViolation' },
  check: (input) => {
    const { exchange, message, asked } = input;
    if (passesAsLegacy(exchange) || message === undefined) return undefined;
    const carried = taskOf(input);
    const stored = carried && codeOf(storedErrorCodeOf(carried.task), `/${carried.step}`);
    if (message.kind === 'notification') {
      const removed =
        message.method === NOTIFICATION_ELICITATION_COMPLETE
          ? { at: '/method', message: 'this revision has no notifications/elicitation/complete' }
          : (elicitationIdOf(asked) ?? stored);
      return removed && { ...removed, remedy: 'drop' };
    }
    if (message.kind !== 'response') return undefined;
    const result = resultOf(message);
    if (result !== undefined && has(result, 'elicitationId')) return elicitationId('/result');
    return elicitationIdOf(asked) ?? stored ?? codeOf(message.error?.code);
  },
};

function elicitationIdOf(asked: readonly InputRequest[]): Violation | undefined {
  const entry = asked.find(
    ({ method, params }) => method === METHOD_ELICIT && params !== undefined && has(params, 'elicitationId'),
  );
  return entry && elicitationId(`${entry.at}/params`);
}

function elicitationId(holder: string): Violation {
  return { at: `${holder}/elicitationId`, message: 'this revision has no elicitationId' };
}

function codeOf(code: JsonValue | undefined, holder = ''): Violation | undefined {
  if (typeof code !== 'number') return undefined;
  const at = `${holder}/error/code`;
  if (REMOVED_CODES.has(code)) return { at, message: 'this revision removed the error code' };
  if (!isUndefinedProtocolCode(code)) return undefined;
  return { at, message: "the error code is in the revision's own range and not defined by it" };
}
