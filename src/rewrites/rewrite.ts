import type { RewriteId } from '../engine/policy.js';
import type { InputOf } from '../engine/rule.js';
import type { Change } from '../protocol/changes.js';

/** A rewrite is data and one pure function: what is to change in a message that every rule let through. */
export interface Rewrite<S extends 'inbound' | 'outbound'> {
  /** The name of file, test, config key, metric label and docs row. */
  readonly id: RewriteId;
  readonly stage: S;
  /** One sentence for the table of rewrites. */
  readonly does: string;
  /** Empty when the message already is as it should be. */
  readonly changes: (input: InputOf[S]) => readonly Change[];
}
