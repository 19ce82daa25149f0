/** Whether an opened token belongs to the request that carries it. */

import type { StateVerdict } from '../engine/rule.js';
import type { BoundOperation, StateToken } from '../engine/state.js';

export interface Presented {
  readonly operation: Omit<BoundOperation, 'params'>;
  /** Asked for only when everything else is right: it costs the more the larger the request is. */
  readonly params: () => string;
  /** JSON text of the request's id. */
  readonly id: string;
  readonly now: number;
  readonly maxRounds: number;
}

export type TokenVerdict = Extract<
  StateVerdict,
  'accepted' | 'foreign' | 'moved' | 'expired' | 'reused' | 'exhausted'
>;

/** What is wrong with it; `accepted` when nothing is. */
export function judgeToken(token: StateToken, presented: Presented): TokenVerdict {
  const { operation, params, id, now, maxRounds } = presented;
  if (token.principal !== operation.principal) return 'foreign';
  if (isOther(token, operation)) return 'moved';
  if (now >= token.expiresAt) return 'expired';
  // The retry is a request of its own and must say so (basic/patterns/mrtr#client-requirements-basic-workflow).
  if (token.answered === id) return 'reused';
  if (token.round > maxRounds) return 'exhausted';
  return token.params === params() ? 'accepted' : 'moved';
}

function isOther(token: StateToken, { route, method, target }: Presented['operation']): boolean {
  return token.route !== route || token.method !== method || token.target !== target;
}
