import type { OutboundInput } from '../../engine/exchange.js';
import type { Rule, Violation } from '../../engine/rule.js';
import { has, isJsonRpc } from '../../protocol/messages.js';
import { FAULT_WORDS, MAX_DEPTH } from '../../protocol/reading.js';

export const responseReadable: Rule<'outbound'> = {
  id: 'response-readable',
  stage: 'outbound',
  guarantees: 'Every answer is one unambiguous JSON-RPC message, or an event stream of such messages.',
  clause: {
    page: 'basic/transports/streamable-http',
    anchor: 'sending-messages',
    keyword: 'MUST',
    quote:
      'If the body is a JSON-RPC request, the server MUST return either `Content-Type: application/json` (a single JSON object) or `Content-Type: text/event-stream` (an SSE response stream).',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  locked: 'what cannot be read cannot be judged by any other rule',
  remedy: { refuse: 'upstreamInvalid' },
  // The text of an error answer is nobody's message and comes without a fault.
  check: (input) => {
    const { reading, status } = input;
    const fault = reading.fault ?? (reading.depth > MAX_DEPTH ? 'too-deep' : undefined);
    if (fault !== undefined) return unreadable(reading.at, FAULT_WORDS[fault]);
    if (status >= 400) return undefined;
    return status >= 300 ? unreadable('', FAULT_WORDS.redirect) : judgeShape(input);
  },
};

function judgeShape({ message, position }: OutboundInput): Violation | undefined {
  if (message === undefined || message.kind === 'foreign') return unreadable('', 'it is no JSON-RPC message');
  const { envelope } = message;
  if (!isJsonRpc(envelope)) return unreadable('/jsonrpc', 'jsonrpc is not "2.0"');
  if (['method', 'result', 'error'].filter((name) => has(envelope, name)).length !== 1) {
    return unreadable('', 'it has more than one of method, result and error');
  }
  if (message.kind === 'notification' && position === 'body') {
    return unreadable('/method', 'a notification stands where the response belongs');
  }
  if (message.kind !== 'response') return undefined;
  if (has(envelope, 'result')) {
    return message.result === undefined ? unreadable('/result', 'result is no object') : undefined;
  }
  if (message.error === undefined) return unreadable('/error', 'error is no object');
  if (!Number.isInteger(message.error.code)) return unreadable('/error/code', 'code is no integer');
  const says = typeof message.error.message === 'string';
  return says ? undefined : unreadable('/error/message', 'message is no string');
}

function unreadable(at: string, why: string): Violation {
  return { at, message: `the upstream's answer is not readable: ${why}` };
}
