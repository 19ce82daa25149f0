/** The library: a gateway for anyone's Express, Connect or node:http server, and its judgement without HTTP. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { createRunningGateway } from './adapters/create.js';
import type { Handler } from './adapters/express.js';
import { createHealth, type Readiness } from './adapters/health.js';
import { createMetrics } from './adapters/metrics.js';
import { fanOut } from './adapters/observers.js';
import { compile } from './config/compile.js';
import { loadObject } from './config/load.js';
import { OWN_KEY_WARNING } from './config/loaded.js';
import type { Observer } from './engine/observer.js';
import { sealsEphemerally } from './engine/plan.js';

export type { Handler, NextFunction } from './adapters/express.js';
export type { Readiness } from './adapters/health.js';
export { compile } from './config/compile.js';
export { loadObject } from './config/load.js';
export { ConfigError, type LoadedConfig, type Problem } from './config/loaded.js';
export { evaluate } from './engine/evaluate.js';
export type {
  AdmitInput,
  Exchange,
  Facts,
  OriginPolicy,
  OutboundInput,
  ParseInput,
  Position,
} from './engine/exchange.js';
export type { ExchangeSummary, Observer, Outcome } from './engine/observer.js';
export type { GatewayPlan, Limits, RoutePlan, Timeouts, Upstream } from './engine/plan.js';
export type { RoutePolicy, ToolPolicy } from './engine/policy.js';
export { clauseUrl, type Refusal, refusalOf } from './engine/refusal.js';
export type {
  ActiveRule,
  Clause,
  Decision,
  Finding,
  InputOf,
  Profile,
  Rule,
  RuleCard,
  Severity,
  Stage,
  Violation,
} from './engine/rule.js';
export { readCapabilities } from './protocol/capabilities.js';
export { HeaderFields } from './protocol/headers.js';
export { readInputRequests } from './protocol/input-requests.js';
export { type Reading, readRequest, readResponse } from './protocol/reading.js';
export { clientMessageOf, serverMessageOf } from './protocol/received.js';
export { ADMIT, INBOUND, OUTBOUND, PARSE } from './rules/index.js';

/** The part of pino's logger that the gateway uses. */
export interface Logger {
  info(fields: object, message: string): void;
  warn?(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface GatewayOptions {
  /** Where metrics go; without one none are kept. prom-client's default metrics are added unless it has them. */
  readonly registry?: Registry;
  /** Told of unexpected errors. */
  readonly logger?: Logger;
  /** Told of every decision and exchange; any part of the port will do. */
  readonly observer?: Partial<Observer>;
  /** Accept `req.body` objects of a body parser mounted before: what is forwarded is then not what was sent, byte for byte. */
  readonly trustParsedBody?: boolean;
}

export interface Gateway {
  /** Connect-style; calls `next` for paths that are not the gateway's. */
  (...call: Parameters<Handler>): void;
  /** What `/readyz` of the binary says. */
  readiness(): Readiness;
  /**
   * Ends subscription streams with their closing result, lets other exchanges finish for `timeouts.drainMs`, then closes
   * the connections to upstreams. Stop listening first: a later call is told that the upstream cannot be reached.
   */
  close(): Promise<void>;
}

/**
 * A gateway from a configuration object (docs/config.md). The listener is the host application's own, so `admin`, `log`
 * and the listener's timeouts have no effect, and `listen` only says whether it is bound to loopback, as it is taken to
 * be: off loopback, say `publicUrl` or `allowedHosts`. Throws ConfigError with every problem.
 */
export function createGateway(config: unknown, options: GatewayOptions = {}): Gateway {
  const plan = compile(loadObject(config).config);
  const { registry, logger, observer } = options;
  const logError = (error: unknown) => logger?.error({ err: error }, 'unexpected error');
  const warn = (fields: object, message: string) =>
    logger?.warn === undefined ? logger?.info(fields, message) : logger.warn(fields, message);
  if (sealsEphemerally(plan)) warn({}, OWN_KEY_WARNING);
  const health = createHealth();
  const metrics =
    registry && createMetrics({ registry, health, build: { version: 'library', revision: 'unknown' } });
  const observers = [metrics?.observer, health.observer, observer].filter((one) => one !== undefined);
  const trustParsedBody = options.trustParsedBody ?? false;
  const running = createRunningGateway({
    plan,
    observer: fanOut(observers, logError),
    trustParsedBody,
    logError,
    notify: (message, error) => warn(error === undefined ? {} : { err: error }, message),
  });
  health.applyPlan(plan);
  metrics?.applyPlan(plan, new Date());
  health.started();
  const handler: Handler = (req, res, next) => running.handler(req, res, next);
  const close = async () => {
    health.drain();
    await Promise.race([running.drain(), delay(plan.timeouts.drainMs, undefined, { ref: false })]);
    await running.close();
  };
  let closed: Promise<void> | undefined;
  return Object.assign(handler, {
    readiness: () => health.readiness(),
    close: () => {
      closed ??= close();
      return closed;
    },
  });
}
