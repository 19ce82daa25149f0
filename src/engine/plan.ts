import type { OriginPolicy } from './exchange.js';
import type { AuthPolicy } from './identity.js';
import type { RoutePolicy } from './policy.js';
import type { StateSealer } from './state.js';

/** A validated configuration, compiled: everything the gateway needs to serve, nothing it has to look up. Frozen. */
export interface GatewayPlan {
  readonly routes: readonly RoutePlan[];
  readonly origins: OriginPolicy;
  /** How clients see the gateway; undefined when not configured. */
  readonly publicUrl: URL | undefined;
  /** Is this peer address one whose X-Forwarded-* fields are appended to instead of written anew? */
  readonly trustsProxy: (address: string | undefined) => boolean;
  readonly seal: SealPlan;
  readonly limits: Limits;
  readonly timeouts: Timeouts;
  readonly log: { readonly level: string; readonly audit: boolean };
}

/** How states are sealed; routes say which. */
export interface SealPlan {
  /** Undefined: no key is configured, and a key of the process's own has to do. */
  readonly sealer: StateSealer | undefined;
  /** Where used states are remembered for all gateways; undefined: each process remembers its own. */
  readonly redis: string | undefined;
}

/** States are sealed with a key that no other gateway has and a restart loses. */
export function sealsEphemerally({ routes, seal }: GatewayPlan): boolean {
  return seal.sealer === undefined && routes.some(({ policy }) => policy.seal !== undefined);
}

export interface RoutePlan {
  readonly policy: RoutePolicy;
  readonly auth: AuthPolicy;
  readonly upstream: Upstream;
  /** Literal paths, and prefixes that end in `/`, for GET and HEAD. */
  readonly passThrough: readonly string[];
  /** RFC 9728 metadata path of this route, and the upstream path that it maps to. */
  readonly metadata: { readonly path: string; readonly upstreamPath: string };
  /** The gateway itself is the protected resource; undefined where the upstream is. */
  readonly resource: ProtectedResource | undefined;
}

export interface ProtectedResource {
  /** Where the metadata is asked for: below the route's own path, and below the one that clients see. */
  readonly metadataPaths: readonly string[];
  /** The metadata as JSON; undefined where the gateway has none to tell. */
  readonly metadata: string | undefined;
}

export interface Upstream {
  readonly url: URL;
  /** PEM text. */
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** Extra request fields, names in lower case; they replace the client's. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Bytes and counts; over each the answer is a refusal and a metric. */
export interface Limits {
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly eventBytes: number;
  readonly bufferedBytes: number;
  readonly exchanges: number;
  readonly streams: number;
  /** 0: no limit. */
  readonly socketsPerClient: number;
  readonly headerBytes: number;
}

/** Milliseconds; 0 means never. */
export interface Timeouts {
  readonly requestMs: number;
  readonly connectMs: number;
  readonly headersMs: number;
  readonly bodyIdleMs: number;
  readonly streamIdleMs: number;
  readonly ssePingMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly drainDelayMs: number;
  readonly drainMs: number;
}
