/** A request's state as it comes, and the state of its answer as it leaves. */
import type { StateOpening } from '../engine/exchange.js';
import type { SealPolicy } from '../engine/policy.js';
import type { SealState, StateSealer, StateToken } from '../engine/state.js';
import { MRTR_METHODS } from '../protocol/constants.js';
import { type ClientMessage, stringMember } from '../protocol/messages.js';
import { targetOf } from '../protocol/mirrored.js';
import { decodeState, encodeState } from './content.js';
import { digestParams } from './digest.js';
import { judgeToken, type Presented } from './judge.js';

export interface StatefulRequest {
  readonly route: string;
  readonly policy: SealPolicy;
  readonly message: ClientMessage;
  /** The message's text, asked for when it is needed. */
  readonly text: () => string;
  /** Who asks, as a hash; empty for nobody in particular. */
  readonly principal: string;
  readonly now: number;
}

export interface LearnedState {
  readonly state: StateOpening | undefined;
  readonly seal: SealState | undefined;
}

const NOTHING: LearnedState = { state: undefined, seal: undefined };

/** Opens what the request carries, and says how its answer's state is sealed. Only requests that can be asked back have either. */
export function learnState(sealer: StateSealer, request: StatefulRequest, clock = Date.now): LearnedState {
  const { message } = request;
  const { id } = message;
  if (id === undefined || !MRTR_METHODS.has(message.method)) return NOTHING;
  const operation = operationOf(request);
  const params = lazily(() => digestParams(request.text()));
  const given = stringMember(message.params, 'requestState');
  const state =
    given === undefined
      ? undefined
      : open(sealer, given, {
          operation,
          params,
          id: id.text,
          now: request.now,
          maxRounds: request.policy.maxRounds,
        });
  const before = state?.verdict === 'accepted' ? state.token : undefined;
  const seal: SealState = (inner, asked) => {
    const times = timesOf(request.policy, before, clock());
    const bound = { ...operation, params: params(), answered: id.text };
    return sealer.seal(encodeState({ ...bound, ...times, asked, inner }));
  };
  return { state, seal };
}

function open(sealer: StateSealer, given: string, presented: Presented): StateOpening {
  const opened = sealer.open(given);
  if (opened === undefined) return { verdict: 'foreign' };
  const token = decodeState(opened.content);
  const verdict = judgeToken(token, presented);
  return verdict === 'accepted' ? { verdict, token, serial: opened.serial } : { verdict };
}

function operationOf({ route, message, principal }: StatefulRequest): Presented['operation'] {
  return { route, method: message.method, target: targetOf(message), principal };
}

function timesOf(
  { ttlMs, operationMs }: SealPolicy,
  before: StateToken | undefined,
  issuedAt: number,
): Pick<StateToken, 'issuedAt' | 'expiresAt' | 'firstAt' | 'round'> {
  const firstAt = before?.firstAt ?? issuedAt;
  const expiresAt = Math.min(issuedAt + ttlMs, firstAt + operationMs);
  return { issuedAt, expiresAt, firstAt, round: (before?.round ?? 0) + 1 };
}

function lazily(make: () => string): () => string {
  let made: string | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
