import { createServer, type Server } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import type { Registry } from 'prom-client';
import { evaluate } from '../engine/evaluate.js';
import type { OriginPolicy } from '../engine/exchange.js';
import { plainRefusal } from '../engine/refusal.js';
import type { RefusalKey } from '../protocol/errors.js';
import { HeaderFields } from '../protocol/headers.js';
import { originAllowed } from '../rules/admit/origin-allowed.js';
import type { Status } from '../status/status.js';
import type { Health } from './health.js';
import { JSON_TYPE } from './reply.js';
import { statusRoutes } from './status-routes.js';

export interface AdminOptions {
  readonly registry: Registry;
  readonly health: Health;
  readonly status: Status;
  /** Whom the listener answers: loopback names alone on loopback, so that no browser page reads it through its own name. */
  readonly origins: OriginPolicy;
  readonly logError?: (error: unknown) => void;
}

/** The listener of operators, probes and Prometheus; it reads and changes nothing. Not yet listening. */
export function createAdmin({
  registry,
  health,
  status,
  origins,
  logError = () => {},
}: AdminOptions): Server {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing');
  app.use((_req, res, next) => {
    res.set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    next();
  });
  app.use(admitOrigins(origins), readOnly);
  app.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  app.get('/readyz', (_req, res) => {
    const readiness = health.readiness();
    res.status(readiness.ready ? 200 : 503).json(readiness);
  });
  app.get('/metrics', async (_req, res) => {
    res.set('content-type', registry.contentType).send(await registry.metrics());
  });
  app.use(statusRoutes(status));
  app.use((_req, res) => refuse(res, 'notFound', 'not found'));
  app.use(failures(logError));
  return createServer(app);
}

function admitOrigins(origins: OriginPolicy): RequestHandler {
  const rules = [{ rule: originAllowed, severity: 'enforce' }] as const;
  return ({ method, rawHeaders }, res, next) => {
    const headers = new HeaderFields(rawHeaders);
    const head = { httpMethod: method, headers, origins, carriesMessage: false };
    const { refusal } = evaluate(rules, head);
    if (refusal === undefined) next();
    else refuse(res, 'originForbidden', refusal.violation.message);
  };
}

const readOnly: RequestHandler = ({ method }, res, next) => {
  if (method === 'GET' || method === 'HEAD') {
    next();
    return;
  }
  res.set('allow', 'GET, HEAD');
  refuse(res, 'methodNotAllowed', 'method not allowed');
};

/** A path that does not decode is the caller's mistake; anything else is ours, and the caller learns nothing of it. */
function failures(logError: (error: unknown) => void): ErrorRequestHandler {
  return (error: unknown, _req, res, _next) => {
    if (error instanceof URIError) {
      refuse(res, 'notFound', 'not found');
      return;
    }
    logError(error);
    refuse(res, 'internal', 'internal error');
  };
}

function refuse(res: Response, key: RefusalKey, message: string): void {
  const { status, body } = plainRefusal(key, message);
  if (res.headersSent) res.destroy();
  else res.status(status).set('content-type', JSON_TYPE).send(body);
}
