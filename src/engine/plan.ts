import type { OriginPolicy } from './exchange.js';
import type { RoutePolicy } from './policy.js';

/** A validated configuration, compiled: everything the gateway needs to serve, nothing it has to look up. Frozen. */
export interface GatewayPlan {
  readonly routes: readonly RoutePlan[];
  readonly origins: OriginPolicy;
  /** How clients see the gateway; undefined when not configured. */
  readonly publicUrl: URL | undefined;
  /** Is this peer address one whose X-Forwarded-* fields are appended to instead of written anew? */
  readonly trustsProxy: (address: string | undefined) => boolean;
  readonly limits: Limits;
  readonly timeouts: Timeouts;
  readonly log: { readonly level: string; readonly audit: boolean };
}

export interface RoutePlan {
  readonly policy: RoutePolicy;
  readonly upstream: Upstream;
  /** Literal paths, and prefixes that end in `/`, for GET and HEAD. */
  readonly passThrough: readonly string[];
  /** RFC 9728 metadata path of this route, and the upstream path that it maps to. */
  readonly metadata: { readonly path: string; readonly upstreamPath: string };
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
