/** What the profiles mean beyond the severities that stand with each rule. Rules and rewrites never ask for a profile's name. */
import type { ElicitationMode, InputKind, RequestStateMode } from '../engine/policy.js';
import type { Profile } from '../engine/rule.js';

export interface ProfileParameters {
  readonly requestState: RequestStateMode;
  readonly inputRequests: {
    readonly max: number;
    readonly kinds: readonly InputKind[];
    readonly modes: readonly ElicitationMode[];
    readonly modeStated: boolean;
  };
  readonly formSubset: 'revision' | 'plain';
  /** Ze's substring reading of field names on top of the word reading. */
  readonly broadNames: boolean;
}

export const PROFILES: Readonly<Record<Profile, ProfileParameters>> = {
  spec: {
    requestState: 'seal',
    inputRequests: {
      max: 16,
      kinds: ['elicitation', 'sampling', 'roots'],
      modes: ['form', 'url'],
      modeStated: false,
    },
    formSubset: 'revision',
    broadNames: false,
  },
  ze: {
    requestState: 'forbid',
    inputRequests: { max: 1, kinds: ['elicitation'], modes: ['form'], modeStated: true },
    formSubset: 'plain',
    broadNames: true,
  },
};
