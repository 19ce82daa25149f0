/** Ze's one elicitation, and what its answer means. */
import { METHOD_ELICIT, RESULT_INPUT_REQUIRED } from '../protocol/constants.js';
import { type ClientMessage, objectMember, stringMember } from '../protocol/messages.js';
import type { DemoReply } from './reply.js';

export const ASK_KEY = 'ze_execute_command';

export type Answer =
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'declined' | 'cancelled' | 'omitted' };

/** The command that a call names itself, or the user's answer to the ask. Anything unusable counts as omitted. */
export function readAnswer(message: ClientMessage): Answer {
  const given = stringMember(objectMember(message.params, 'arguments') ?? {}, 'command');
  if (given !== undefined && given !== '') return { kind: 'command', command: given };
  const answer = objectMember(objectMember(message.params, 'inputResponses') ?? {}, ASK_KEY) ?? {};
  const action = stringMember(answer, 'action');
  if (action === 'decline') return { kind: 'declined' };
  if (action === 'cancel') return { kind: 'cancelled' };
  const command = stringMember(objectMember(answer, 'content') ?? {}, 'command');
  if (action !== 'accept' || command === undefined || command === '') return { kind: 'omitted' };
  return { kind: 'command', command };
}

export function askForCommand(): DemoReply {
  const requestedSchema = {
    type: 'object',
    properties: {
      command: {
        type: 'string',
        title: 'ze command',
        description: "The ze command to execute, for example 'show bgp peer list'.",
      },
    },
    required: ['command'],
  };
  const message = 'Which ze command should be run? For example: show bgp summary';
  const params = { mode: 'form', message, requestedSchema };
  const inputRequests = { [ASK_KEY]: { method: METHOD_ELICIT, params } };
  return {
    status: 200,
    ahead: [],
    payload: { result: { resultType: RESULT_INPUT_REQUIRED, inputRequests } },
  };
}
