import type { Rule, StateVerdict, Violation } from '../../engine/rule.js';
import { MRTR_METHODS } from '../../protocol/constants.js';
import { type ClientMessage, has, member, pointer, stringMember } from '../../protocol/messages.js';

const STATE = 'requestState';
const FORBIDDEN =
  'invalid params: params.requestState is not accepted; this server issues no requestState, so a retry must not carry one';
const MISPLACED =
  'invalid params: params.requestState must be a string, and only tools/call, prompts/get and resources/read carry one';
const UNOPENED = 'invalid params: params.requestState is not valid for this request';

/** Not locked here: only mode seal must not be softened, and that is for the configuration to say. */
export const requestStateAccepted: Rule<'inbound'> = {
  id: 'request-state-accepted',
  stage: 'inbound',
  guarantees:
    'A requestState comes in only as the route allows: never, as the string it went out as, or sealed.',
  clause: {
    page: 'basic/patterns/mrtr',
    anchor: 'client-requirements-basic-workflow',
    keyword: 'MUST NOT',
    quote:
      'If the `InputRequiredResult` does not contain a `requestState` field, the client MUST NOT include one in the retry.',
  },
  severity: { spec: 'enforce', ze: 'enforce' },
  remedy: { refuse: 'invalidParams' },
  check({ facts, message, policy }) {
    const stray = strayState(message);
    const at = stray ?? '/params/requestState';
    const present = stray !== undefined || has(message.params, STATE);
    if (policy.requestState === 'forbid') return present ? violation(at, FORBIDDEN, 'forbidden') : undefined;
    if (policy.requestState === 'relay') {
      return present && !(stray === undefined && isRetry(message))
        ? violation(at, MISPLACED, 'invalid')
        : undefined;
    }
    const opening = stray === undefined && facts.state;
    if (opening && opening.verdict !== 'accepted') return violation(at, UNOPENED, opening.verdict);
    if (present) return opening ? undefined : violation(at, UNOPENED, 'invalid');
    return policy.seal?.always && hasAnswers(message) ? violation(at, UNOPENED, 'absent') : undefined;
  },
};

/** A member of this name in the envelope or in `_meta`, where the revision has none and a server may look all the same. */
function strayState({ envelope, meta }: ClientMessage): string | undefined {
  if (has(envelope, STATE)) return pointer(STATE);
  return has(meta, STATE) ? pointer('params', '_meta', STATE) : undefined;
}

function isRetry({ method, params }: ClientMessage): boolean {
  return MRTR_METHODS.has(method) && stringMember(params, STATE) !== undefined;
}

function hasAnswers({ method, params }: ClientMessage): boolean {
  return MRTR_METHODS.has(method) && Object.keys(member(params, 'inputResponses') ?? {}).length > 0;
}

function violation(at: string, message: string, verdict: StateVerdict): Violation {
  return { at, message, detail: { kind: 'state', verdict } };
}
