/** Who asks on each route, and which of the caller's fields are then not for the upstream. */
import type { AuthPolicy, Caller, DenialReason, Identified, Identify } from '../engine/identity.js';
import type { RoutePlan } from '../engine/plan.js';
import { createIdentify } from '../identity/identify.js';
import type { RefusalKey } from '../protocol/errors.js';
import type { Answer } from './answer.js';
import { Refused } from './refused.js';
import { UpstreamTrouble } from './upstream-trouble.js';

const NONE: ReadonlySet<string> = new Set();
const AUTHORIZATION: ReadonlySet<string> = new Set(['authorization']);

const DENIALS: Readonly<Record<DenialReason, readonly [RefusalKey, string]>> = {
  missing: ['unauthorized', 'authorization is required'],
  invalid: ['unauthorized', 'the access token is not valid'],
  insufficient_scope: ['insufficientScope', 'the access token lacks a scope that is required'],
  unavailable: ['unavailable', 'the access token cannot be checked at the moment'],
};

/** A token that is meant for the gateway stops here; so does a name that no trusted proxy gave, or that stands twice. */
export function withheldFields(auth: AuthPolicy, { headers, trusted }: Caller): ReadonlySet<string> {
  if (stopsAuthorization(auth)) return AUTHORIZATION;
  if (auth.mode !== 'passthrough' || auth.proxyHeader === undefined) return NONE;
  const believed = trusted && headers.all(auth.proxyHeader).length === 1;
  return believed ? NONE : new Set([auth.proxyHeader]);
}

/** Fields by which the route, or the upstream, knows who asks. */
export function callerFields(auth: AuthPolicy): readonly string[] {
  if (auth.mode !== 'passthrough') return ['authorization'];
  return auth.proxyHeader === undefined ? [auth.credential] : [auth.credential, auth.proxyHeader];
}

/** An upstream that wants a credential of the gateway's own must not send the caller to fetch one. */
export function refuseChallenge(answer: Answer, { auth }: RoutePlan): void {
  const { status, headers } = answer;
  const challenges = status === 401 || (status === 403 && headers.has('www-authenticate'));
  if (!challenges || !stopsAuthorization(auth)) return;
  answer.abort();
  throw new UpstreamTrouble(
    'invalid',
    'upstreamInvalid',
    'the upstream does not accept the gateway’s credential',
  );
}

function stopsAuthorization(auth: AuthPolicy): boolean {
  return (auth.mode === 'bearer' || auth.mode === 'jwt') && !auth.forwardAuthorization;
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
