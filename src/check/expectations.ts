/** How an answer is judged beyond the register's rules on messages: what a server must refuse, or must not. */
import { REFUSALS, type RefusalKey } from '../protocol/errors.js';
import { isArray, isObject, member } from '../protocol/messages.js';
import type { Known, Seen } from './known.js';

/** What an expectation makes of an answer. `nothing`: the answer tells nothing about it. */
export type Remark =
  | 'kept'
  | 'nothing'
  | { readonly at: string; readonly message: string; readonly mild?: true };

export interface Expectation {
  /** Id of a rule of the register, or of one of the audit's own cards. */
  readonly rule: string;
  readonly judge: (seen: Seen, known: Known) => Remark;
}

const RESULTS: ReadonlySet<string> = new Set(['complete', 'input_required', 'task', 'unknown']);

export function isResult({ outcome }: Seen): boolean {
  return RESULTS.has(outcome.kind);
}

/** The server must refuse `what` with this row of the table of refusals; `anyStatus` where only the code is said. */
export function refused(
  rule: string,
  key: RefusalKey,
  at: string,
  what: string,
  anyStatus = false,
): Expectation {
  const { code, status } = REFUSALS[key];
  return {
    rule,
    judge: (seen) => {
      const { outcome } = seen;
      if (isResult(seen)) return { at, message: `the server accepted ${what}` };
      if (outcome.kind === 'http' && outcome.status >= 400)
        return { at, message: `the server refused ${what} without a JSON-RPC error; ${code} is due` };
      if (outcome.kind !== 'error') return 'nothing';
      if (outcome.error.code !== code)
        return { at, message: `the server refused ${what} with another code than ${code}` };
      if (!anyStatus && outcome.status !== status)
        return { at, message: `the server refused ${what} with another HTTP status than ${status}` };
      return 'kept';
    },
  };
}

/** The same, and the refusal says what the server speaks instead. */
export function refusedNamingVersions(at: string, what: string): Expectation {
  const plain = refused('protocol-version-supported', 'unsupportedVersion', at, what);
  return {
    rule: plain.rule,
    judge: (seen, known) => {
      const remark = plain.judge(seen, known);
      return remark === 'kept' && !namesVersions(seen)
        ? { at: '/error/data/supported', message: 'the refusal of a version does not list those supported' }
        : remark;
    },
  };
}

export function namesVersions({ outcome }: Seen): boolean {
  const data = outcome.kind === 'error' ? outcome.error.data : undefined;
  return isObject(data) && isArray(member(data, 'supported'));
}

/** A foreign page's request: the status alone is what counts. */
export const originRefused: Expectation = {
  rule: 'origin-allowed',
  judge: ({ record: { status } }) => {
    if (status === undefined) return 'nothing';
    if (status === REFUSALS.originForbidden.status) return 'kept';
    const message = 'the server answers a page of a foreign origin with another HTTP status than 403';
    return { at: 'Origin', message };
  },
};

/** A request that is as it should be must not be taken for one with a fault. */
export function notRefused(rule: string, key: RefusalKey, at: string, message: string): Expectation {
  const { code } = REFUSALS[key];
  return {
    rule,
    judge: (seen) => {
      const { outcome } = seen;
      if (isResult(seen)) return 'kept';
      return outcome.kind === 'error' && outcome.error.code === code ? { at, message } : 'nothing';
    },
  };
}

/** A result of any kind is due. */
export function answered(rule: string, at: string, message: string): Expectation {
  return {
    rule,
    judge: (seen) => {
      if (isResult(seen)) return 'kept';
      return seen.outcome.kind === 'error' || seen.outcome.kind === 'http' ? { at, message } : 'nothing';
    },
  };
}

/** Whatever the server does but carrying on: it may refuse, or ask again. */
export function notCarriedOn(rule: string, at: string, message: string, mild = false): Expectation {
  return {
    rule,
    judge: ({ outcome }) => {
      if (outcome.kind === 'complete' && member(outcome.result, 'isError') !== true)
        return { at, message, ...(mild && { mild }) };
      return ['error', 'input_required', 'complete'].includes(outcome.kind) ? 'kept' : 'nothing';
    },
  };
}
