import type { CredentialReader } from '../protocol/credentials.js';
import type { ActiveRule, Profile } from './rule.js';

export type InputKind = 'elicitation' | 'sampling' | 'roots';
export type ElicitationMode = 'form' | 'url';
export type RequestStateMode = 'forbid' | 'relay' | 'seal';
export type RewriteId =
  | 'tools-list-required'
  | 'list-scope-private'
  | 'discover-versions'
  | 'open-request-state'
  | 'seal-request-state';

export interface ToolPolicy {
  /** Arguments that the tool asks for by form when they are missing. */
  readonly elicits: readonly string[];
  /** Arguments whose values the audit log may carry. */
  readonly auditArguments: readonly string[];
  /** Answer `missing required argument: …` instead of a missing-capability refusal. */
  readonly toolError: boolean;
}

/** How a route seals states. */
export interface SealPolicy {
  /** How long a token is good for. */
  readonly ttlMs: number;
  /** How long after its first token an operation's last one is good. */
  readonly operationMs: number;
  readonly maxRounds: number;
  /** Most bytes of what a token holds of the server's: its own string, and the forms that answers are held against. */
  readonly maxBytes: number;
  /** A result that asks for input without a state gets a token all the same. */
  readonly always: boolean;
  /** A token opens once. */
  readonly singleUse: boolean;
  /** What becomes of a retry when it cannot be found out whether its token was used. */
  readonly storeFailure: 'refuse' | 'allow';
}

/** A route's configuration, compiled once: what rules and rewrites read. Frozen; an exchange keeps the one it began with. */
export interface RoutePolicy {
  readonly name: string;
  /** Exact pathname of the MCP endpoint. */
  readonly path: string;
  readonly profile: Profile;
  readonly mode: 'enforce' | 'report';
  readonly requestState: RequestStateMode;
  /** Undefined in modes other than seal. */
  readonly seal?: SealPolicy | undefined;
  readonly tools: ReadonlyMap<string, ToolPolicy>;
  readonly inputRequests: {
    readonly max: number;
    readonly kinds: ReadonlySet<InputKind>;
    readonly modes: ReadonlySet<ElicitationMode>;
    /** Elicitations must state their mode (Ze), instead of form being the default. */
    readonly modeStated: boolean;
  };
  /** `revision`: the forms the revision allows. `plain`: string, number, integer, boolean, string enum (Ze). */
  readonly formSubset: 'revision' | 'plain';
  /** Judges field names, titles and texts of forms; compiled from profile, words and exceptions. */
  readonly credentials: CredentialReader;
  readonly legacy: 'refuse' | 'pass';
  readonly capabilityErrorStatus: 400 | 200;
  /** Protocol versions that the route lets through. */
  readonly versions: readonly string[];
  readonly rules: {
    readonly admit: readonly ActiveRule<'admit'>[];
    readonly parse: readonly ActiveRule<'parse'>[];
    readonly inbound: readonly ActiveRule<'inbound'>[];
    readonly outbound: readonly ActiveRule<'outbound'>[];
  };
  readonly rewrites: ReadonlySet<RewriteId>;
  /** Upper bound for `ttlMs` of tools/list answers in milliseconds; undefined keeps the server's. */
  readonly listTtlMs: number | undefined;
}
