/** THE register: every rewrite, and the one place where they are carried out. */
import type { Exchange, OutboundInput } from '../engine/exchange.js';
import type { Observer } from '../engine/observer.js';
import type { RoutePolicy } from '../engine/policy.js';
import type { InputOf } from '../engine/rule.js';
import { applyChanges, type Change } from '../protocol/changes.js';
import { discoverVersions } from './discover-versions.js';
import { listScopePrivate } from './list-scope-private.js';
import { openRequestState } from './open-request-state.js';
import type { Rewrite } from './rewrite.js';
import { sealRequestState } from './seal-request-state.js';
import { toolsListRequired } from './tools-list-required.js';

export const OUTBOUND_REWRITES: readonly Rewrite<'outbound'>[] = [
  toolsListRequired,
  listScopePrivate,
  discoverVersions,
  sealRequestState,
];

export const INBOUND_REWRITES: readonly Rewrite<'inbound'>[] = [openRequestState];

/** Who is told of a rewrite; an exchange's ledger is one. */
export interface Account {
  readonly route: RoutePolicy;
  readonly observer: Pick<Observer, 'rewrote'>;
}

/** The text that leaves instead of the one that came; undefined when nothing changes. All rewrites share one pass. */
export function rewriteAnswer(input: OutboundInput, account: Account): string | undefined {
  return rewrite(OUTBOUND_REWRITES, input, input.reading.text, account);
}

/** The same for the client's message, whose text is `text`. */
export function rewriteRequest(exchange: Exchange, text: string, account: Account): string | undefined {
  return rewrite(INBOUND_REWRITES, exchange, text, account);
}

function rewrite<S extends 'inbound' | 'outbound'>(
  register: readonly Rewrite<S>[],
  input: InputOf[S],
  text: string,
  { route, observer }: Account,
): string | undefined {
  const all: Change[] = [];
  for (const { id, changes } of register) {
    if (!route.rewrites.has(id)) continue;
    const own = changes(input);
    if (own.length === 0) continue;
    all.push(...own);
    observer.rewrote(route, id);
  }
  return all.length === 0 ? undefined : applyChanges(text, all);
}
