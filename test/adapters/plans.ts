/** Compiled configurations for tests of adapters. */
import { compile } from '../../src/config/compile.js';
import { loadObject } from '../../src/config/load.js';
import type { Exchange } from '../../src/engine/exchange.js';
import type { ExchangeSummary } from '../../src/engine/observer.js';
import type { GatewayPlan } from '../../src/engine/plan.js';
import type { RoutePolicy } from '../../src/engine/policy.js';

/** One route for each name, or for each object of route keys. */
export function planOf(...routes: readonly (string | Record<string, unknown>)[]): GatewayPlan {
  const config = {
    routes: routes.map((route) => {
      const keys = typeof route === 'string' ? { name: route } : route;
      return { path: `/${String(keys.name)}`, upstream: 'http://127.0.0.1:9718/mcp', ...keys };
    }),
  };
  return compile(loadObject(config).config);
}

export function policyOf(plan: GatewayPlan, name: string): RoutePolicy {
  const route = plan.routes.find(({ policy }) => policy.name === name);
  if (route === undefined) throw new Error(`no route ${name}`);
  return route.policy;
}

/** An exchange that went well, but for what the test is about. */
export function summaryOf(
  route: RoutePolicy,
  exchange: Exchange | undefined,
  differences: Partial<ExchangeSummary> = {},
): ExchangeSummary {
  return {
    route,
    exchange,
    outcome: 'ok',
    status: 200,
    durationMs: 40,
    upstreamMs: 30,
    policyMs: 0.2,
    traceparent: undefined,
    decisions: [],
    stream: false,
    ...differences,
  };
}
