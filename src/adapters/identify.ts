/** Who asks on each route, and which of the caller's fields are then not for the upstream. */
import type { AuthPolicy, Caller, DenialReason, Identified, Identify } from '../engine/identity.js';
import type { RoutePlan } from '../engine/plan.js';
import { createIdentify } from '../identity/identify.js';
import type { RefusalKey } from '../protocol/errors.js';
import { type Answer, UpstreamTrouble } from './forward.js';
import { Refused } from './refused.js';

const NONE: ReadonlySet<string> = new Set();
const AUTHORIZATION: ReadonlySet<string> = new Set(['authorization']);

const DENIALS: Readonly<Record<DenialReason, readonly [RefusalKey, string]>> = {
  missing: ['unauthorized', 'authorization is required'],
  invalid: ['unauthorized', 'the access token is not valid'],
  insufficient_scope: ['insufficientScope', 'the access token lacks a scope that is required'],
  unavailable: ['unavailable', 'the access token cannot be checked at the moment'],
};

/** A token that is meant for the gateway stops here; so does a name that only a trusted proxy may give. */
export function withheldFields(auth: AuthPolicy, trusted: boolean): ReadonlySet<string> {
  if (auth.mode === 'bearer' || auth.mode === 'jwt') return auth.forwardAuthorization ? NONE : AUTHORIZATION;
  if (auth.mode !== 'passthrough' || auth.proxyHeader === undefined || trusted) return NONE;
  return new Set([auth.proxyHeader]);
}

/** An upstream that wants a credential of the gateway's own must not send the caller to fetch one. */
export function refuseChallenge(answer: Answer, { auth }: RoutePlan): void {
  if (answer.status !== 401 || withheldFields(auth, true) !== AUTHORIZATION) return;
  answer.abort();
  throw new UpstreamTrouble(
    'invalid',
    'upstreamInvalid',
    'the upstream does not accept the gateway’s credential',
  );
}

/** Functions that identify, one a route: fetched keys live as long as the configuration is in force. */
export class Identification {
  readonly #byRoute: ReadonlyMap<RoutePlan, Identify>;

  constructor(routes: readonly RoutePlan[]) {
    this.#byRoute = new Map(routes.map((route) => [route, createIdentify(route.auth)]));
  }

  identify(route: RoutePlan, caller: Caller): Identified | Promise<Identified> {
    const identify = this.#byRoute.get(route);
    if (identify === undefined) throw new Error('a route that is not of this plan');
    return identify(caller);
  }
}

export function denial({ reason, challenge }: Identified & { readonly kind: 'denied' }): Refused {
  const [key, message] = DENIALS[reason];
  return new Refused(key, message, challenge === undefined ? [] : ['www-authenticate', challenge]);
}
