/** Serves a loaded configuration until a signal ends it: listeners, reload, drain. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { createAdmin } from '../adapters/admin.js';
import { createAudit } from '../adapters/audit.js';
import { type CaptureFile, openCapture } from '../adapters/capture.js';
import { createRunningGateway, type RunningGateway } from '../adapters/create.js';
import { createHealth, type Health } from '../adapters/health.js';
import { createLog, type Log } from '../adapters/log.js';
import { createMetrics, type Metrics } from '../adapters/metrics.js';
import { fanOut } from '../adapters/observers.js';
import { createGatewayServer, type GatewayServer, listen } from '../adapters/server.js';
import type { Notify } from '../adapters/spent.js';
import { parseAddress } from '../config/address.js';
import { compile, compileAdminOrigins } from '../config/compile.js';
import {
  type CaptureRequest,
  ConfigError,
  type LoadedConfig,
  lineOf,
  OWN_KEY_WARNING,
  restartKeys,
  type StartOptions,
} from '../config/loaded.js';
import { watchFiles } from '../config/watch.js';
import { type GatewayPlan, sealsEphemerally } from '../engine/plan.js';
import { Status } from '../status/status.js';
import { BUILD } from './build.js';
import { wantsColours } from './paint.js';

interface Parts {
  readonly log: Log;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly status: Status;
  readonly gateway: RunningGateway;
  readonly listener: GatewayServer;
  readonly admin: Server;
  readonly capture: CaptureFile | undefined;
}

/** Resolves to the exit code: 0 after a drain, 1 when an address could not be had. */
export async function startGateway(options: StartOptions): Promise<number> {
  const { config } = options.loaded;
  const plan = compile(config);
  const terminal = process.stdout.isTTY === true;
  const colours = wantsColours(process.env, terminal);
  const log = createLog({ level: plan.log.level, pretty: terminal, colours, fd: 1 });
  process.once('exit', () => log.flushSync());
  const health = createHealth();
  const registry = new Registry();
  const metrics = createMetrics({ registry, health, build: BUILD });
  const status = new Status({ build: BUILD, readiness: () => health.readiness() });
  const audit = createAudit({ audit: log.audit, enabled: () => gateway.plan().log.audit });
  const logError = (error: unknown) => log.logger.error({ err: error }, 'unexpected error');
  const notify = (message: string, error?: unknown) =>
    log.logger.warn(error === undefined ? {} : { err: error }, message);
  const observer = fanOut([metrics.observer, health.observer, status.observer, audit], logError);
  const capture = options.capture && beginCapture(options.capture, notify);
  const gateway = createRunningGateway({
    plan,
    observer,
    trustParsedBody: false,
    logError,
    notify,
    capture: capture?.begin,
  });
  health.applyPlan(plan);
  metrics.applyPlan(plan, new Date());
  status.applyPlan(plan);
  warnOfOwnKey(plan, log);
  const listener = createGatewayServer(gateway.handler, gateway.isEndpoint, plan, observer);
  const admin = createAdmin({ registry, health, status, origins: compileAdminOrigins(config), logError });
  const parts: Parts = { log, health, metrics, status, gateway, listener, admin, capture };
  const toldToStop = signalled(log);
  try {
    const bound = await listen(listener.server, parseAddress(config.listen));
    const adminBound = await listen(admin, parseAddress(config.admin));
    health.started();
    log.logger.info(
      { url: urlOf(bound, plan.routes[0]?.policy.path), adminUrl: urlOf(adminBound), ...BUILD },
      'listening',
    );
  } catch (error) {
    log.logger.fatal({ err: error }, 'cannot listen');
    await close(parts, listener.connections.end());
    return 1;
  }
  const stopWatching = watchConfiguration(options, parts);
  await toldToStop;
  stopWatching();
  await shutDown(parts);
  return 0;
}

/** Throws when the file cannot be had: nothing was started. */
function beginCapture(request: CaptureRequest, notify: Notify): CaptureFile {
  const file = openCapture({ ...request, notify });
  if (request.full) notify('the capture is not redacted: credentials and all that is said stand in it');
  return file;
}

function warnOfOwnKey(plan: GatewayPlan, log: Log): void {
  if (!sealsEphemerally(plan)) return;
  log.logger.warn(OWN_KEY_WARNING);
}

function urlOf({ address, port, family }: AddressInfo, path = '/'): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${path}`;
}

/** Resolves at the first SIGTERM or SIGINT; later ones are ignored, since the handlers stay. */
function signalled(log: Log): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        log.logger.info({ signal }, 'signal received');
        resolve();
      });
  });
}

/** SIGHUP or a changed file: a valid configuration comes into force, an invalid one is refused and the old one stays. */
function watchConfiguration({ loaded, reload }: StartOptions, parts: Parts): () => void {
  if (reload === undefined) {
    process.on('SIGHUP', () => parts.log.logger.warn('there is no configuration file to reload'));
    return () => {};
  }
  let stopped = false;
  const apply = () => {
    if (stopped) return;
    try {
      const next = reload();
      reloadInto(parts, loaded, next);
      watcher.follow(next.files);
    } catch (error) {
      parts.metrics.reloadFailed();
      const why = error instanceof ConfigError ? { problems: error.problems.map(lineOf) } : { err: error };
      parts.log.logger.error(why, 'configuration refused, the old one stays');
    }
  };
  const watcher = watchFiles(loaded.files, apply);
  process.on('SIGHUP', apply);
  // The handler stays, since without one the signal would end the process in the middle of its drain.
  return () => {
    stopped = true;
    watcher.close();
  };
}

function reloadInto(
  { gateway, health, metrics, status, log, listener }: Parts,
  started: LoadedConfig,
  after: LoadedConfig,
): void {
  const plan = compile(after.config);
  gateway.apply(plan);
  listener.apply(plan);
  health.applyPlan(plan);
  metrics.applyPlan(plan, new Date());
  status.applyPlan(plan);
  warnOfOwnKey(plan, log);
  log.setLevel(plan.log.level);
  const needRestart = restartKeys(started.config, after.config);
  log.logger.info(needRestart.length > 0 ? { needRestart } : {}, 'configuration reloaded');
}

async function shutDown(parts: Parts): Promise<void> {
  const { log, health, status, gateway, listener } = parts;
  const { drainDelayMs, drainMs } = gateway.plan().timeouts;
  health.drain();
  status.readinessChanged();
  log.logger.info({ drainDelayMs, drainMs }, 'draining');
  await delay(drainDelayMs);
  const ended = listener.connections.end();
  const drained = Promise.all([ended, gateway.drain()]);
  await Promise.race([drained, delay(drainMs, undefined, { ref: false })]);
  await close(parts, ended);
  log.logger.info('stopped');
  await log.flush();
}

async function close({ log, gateway, listener, admin, capture }: Parts, ended: Promise<void>): Promise<void> {
  listener.connections.cut();
  await gateway.close();
  await ended;
  admin.close();
  admin.closeAllConnections();
  await capture?.close();
  await log.flush();
}
