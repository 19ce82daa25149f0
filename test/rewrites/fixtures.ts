/** Builders for rewrites: an answer as the upstream wrote it, and what leaves instead. */
import type { OutboundInput } from '../../src/engine/exchange.js';
import type { RewriteId, RoutePolicy, ToolPolicy } from '../../src/engine/policy.js';
import { isObject, readServerMessage } from '../../src/protocol/messages.js';
import { readResponse } from '../../src/protocol/reading.js';
import { rewriteAnswer } from '../../src/rewrites/index.js';
import { type ExchangeOptions, exchange, policy } from '../rules/fixtures.js';

export const FORM = { elicitation: { form: {} } };

export function elicits(tools: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, ToolPolicy> {
  return new Map(
    Object.entries(tools).map(([name, asked]) => [
      name,
      { elicits: asked, auditArguments: [], toolError: true },
    ]),
  );
}

/** A route on which the given rewrites are on. */
export function route(rewrites: readonly RewriteId[], overrides: Partial<RoutePolicy> = {}): RoutePolicy {
  return policy({ rewrites: new Set(rewrites), ...overrides });
}

export function answer(text: string, options: ExchangeOptions): OutboundInput {
  const reading = readResponse(Buffer.from(text));
  const message = isObject(reading.value) ? readServerMessage(reading.value, () => '') : undefined;
  return {
    exchange: exchange(options),
    position: 'body',
    status: 200,
    reading,
    message,
    asked: [],
    acknowledged: false,
  };
}

/** The text that leaves, and the rewrites that were told of. */
export function rewritten(
  text: string,
  options: ExchangeOptions,
): { text: string; told: readonly RewriteId[] } {
  const input = answer(text, options);
  const told: RewriteId[] = [];
  const account = {
    route: input.exchange.policy,
    observer: { rewrote: (_: RoutePolicy, id: RewriteId) => void told.push(id) },
  };
  return { text: rewriteAnswer(input, account) ?? text, told };
}
