/** Who asks, and how a route finds out. Types alone: whoever reads credentials knows how. */
import type { HeaderFields } from '../protocol/headers.js';

export interface Identity {
  /** What states are bound to: a hash of who asks; empty when nobody in particular does. */
  readonly binding: string;
}

/** A closed set: it labels metrics. */
export type DenialReason = 'missing' | 'invalid' | 'insufficient_scope' | 'unavailable';

export type Identified =
  | { readonly kind: 'known'; readonly identity: Identity }
  | {
      readonly kind: 'denied';
      readonly reason: DenialReason;
      /** The value of WWW-Authenticate; undefined when the caller cannot do better. */
      readonly challenge: string | undefined;
    };

export interface Caller {
  readonly headers: HeaderFields;
  /** The peer is one of the trusted proxies. */
  readonly trusted: boolean;
}

export type Identify = (caller: Caller) => Identified | Promise<Identified>;

/** How a route identifies its callers, compiled. */
export type AuthPolicy =
  | { readonly mode: 'none' }
  | {
      readonly mode: 'passthrough';
      /** Field that carries the credential, in lower case. */
      readonly credential: string;
      /** Claim of the unverified JWT that names the caller instead of the whole credential. */
      readonly claim: string | undefined;
      /** Field in which a trusted proxy names the caller, in lower case. */
      readonly proxyHeader: string | undefined;
    }
  | (Protected & { readonly mode: 'bearer'; readonly tokens: readonly NamedToken[] })
  | (Protected & {
      readonly mode: 'jwt';
      readonly issuer: string;
      readonly audience: readonly string[];
      readonly keys: JwksSource;
      readonly algorithms: readonly string[];
      readonly leewaySeconds: number;
      /** Claim that names the caller. */
      readonly claim: string;
    });

export type JwksSource = { readonly url: URL } | { readonly set: string };

export interface NamedToken {
  readonly name: string;
  /** SHA-256 of the token. */
  readonly hash: Uint8Array;
}

/** The gateway itself is the protected resource (RFC 9728). */
export interface Protected {
  readonly scopes: readonly string[];
  /** Where the resource's metadata is, as clients see it; undefined when the gateway does not know how clients see it. */
  readonly metadataUrl: string | undefined;
  /** The caller's Authorization reaches the upstream. */
  readonly forwardAuthorization: boolean;
}
