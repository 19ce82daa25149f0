import type { RefusalKey } from '../protocol/errors.js';
import type { JsonObject } from '../protocol/messages.js';
import type { AdmitInput, Exchange, OutboundInput, ParseInput } from './exchange.js';

export type Stage = 'admit' | 'parse' | 'inbound' | 'outbound';
export type Profile = 'spec' | 'ze';
export type Severity = 'enforce' | 'report' | 'off';

/** Where a rule comes from: the specification's one sentence, or this gateway's own policy with its reason. */
export type Clause =
  | {
      /** Page below the revision's root (`basic/patterns/mrtr`), or `seps/2663-tasks-extension`. */
      readonly page: string;
      readonly anchor: string;
      readonly keyword: 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY';
      /** One sentence, word for word. */
      readonly quote: string;
    }
  | {
      readonly source: 'Ze' | 'JSON-RPC 2.0' | 'gateway policy';
      readonly keyword: 'MUST' | 'SHOULD';
      readonly quote: string;
    };

export interface Violation {
  /** JSON Pointer into the judged message (or the name of a header, for headers). Never a value. */
  readonly at: string;
  /** A fixed sentence: it names fields and never contains anything the peer sent as a value. */
  readonly message: string;
  readonly detail?: ViolationDetail;
  /** This one is dropped although the rule refuses: a stream event that the client can do without. */
  readonly remedy?: 'drop';
}

export type ViolationDetail =
  /** For missingCapability: exactly what the client would have had to declare (`data.requiredCapabilities`). */
  | { readonly kind: 'capabilities'; readonly required: JsonObject; readonly formMissing: boolean }
  /** For unsupportedVersion: what was asked for (`data.requested`). */
  | { readonly kind: 'version'; readonly requested: string }
  /** For metrics and the audit log alone, from a closed set: why a requestState was not accepted. */
  | { readonly kind: 'state'; readonly verdict: StateVerdict };

export type StateVerdict =
  | 'forbidden'
  | 'relayed'
  | 'accepted'
  | 'expired'
  | 'foreign'
  | 'moved'
  | 'reused'
  | 'exhausted'
  | 'absent'
  | 'unavailable'
  | 'invalid';

export interface InputOf {
  readonly admit: AdmitInput;
  readonly parse: ParseInput;
  readonly inbound: Exchange;
  readonly outbound: OutboundInput;
}

/** What a rule is, without its judgement: what registers, findings, docs and labels need. */
export interface RuleCard<S extends Stage = Stage> {
  /** Kebab case; states the invariant that must hold; the name of file, test, config key, metric label and docs row. */
  readonly id: string;
  readonly stage: S;
  /** One sentence for the rules table: what the gateway guarantees. */
  readonly guarantees: string;
  readonly clause: Clause;
  readonly severity: Readonly<Record<Profile, Severity>>;
  /** Cannot be judged otherwise: configuration refuses to soften it and gives this reason. */
  readonly locked?: string;
  /** `refuse`: the exchange ends with this refusal. `drop`: this stream event goes, the stream goes on. A violation may soften it. */
  readonly remedy: { readonly refuse: RefusalKey } | 'drop';
}

/** A rule is data and one pure function: it never logs, counts, throws, reads a clock or imports a package. */
export interface Rule<S extends Stage> extends RuleCard<S> {
  readonly check: (input: InputOf[S]) => Violation | undefined;
}

/** What a rule is worth on one route: the register's rule with its compiled severity. `off` rules are not in the list. */
export interface ActiveRule<S extends Stage> {
  readonly rule: Rule<S>;
  readonly severity: 'enforce' | 'report';
}

export interface Finding {
  readonly rule: RuleCard;
  readonly severity: 'enforce' | 'report';
  readonly violation: Violation;
}

/** What a stage decided. `refusal` is the finding that ends it; report findings never do. */
export interface Decision {
  readonly findings: readonly Finding[];
  readonly refusal: Finding | undefined;
  /** What was refused is one event of a stream, which goes on without it. */
  readonly dropped?: boolean;
}
