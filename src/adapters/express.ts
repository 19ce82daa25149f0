/** The gateway as a Connect-style handler: Express, Connect and node:http can all mount it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RoutePlan } from '../engine/plan.js';
import { plainRefusal } from '../engine/refusal.js';
import type { RefusalKey } from '../protocol/errors.js';
import { HeaderFields } from '../protocol/headers.js';
import { isLegacyHead } from '../protocol/legacy.js';
import { forbidden } from './admit-path.js';
import type { ParsedRequest } from './body.js';
import { preflightFields } from './fields.js';
import { Mediation } from './mediate.js';
import { passThrough, serveMetadata } from './pass-through.js';
import { tellWhenGone } from './queued.js';
import { writeRefusal, writeWhole } from './reply.js';
import type { Service } from './service.js';

export type NextFunction = (error?: unknown) => void;
export type Handler = (req: IncomingMessage, res: ServerResponse, next?: NextFunction) => void;

/** `current` yields the service of the configuration in force: each request keeps the one it began with. */
export function createHandler(current: () => Service): Handler {
  return function mrtrGateway(req, res, next) {
    const service = current();
    tellWhenGone(req, res);
    try {
      dispatch(service, req, res, next);
    } catch (error) {
      service.logError(error);
      writeRefusal(res, plainRefusal('internal', 'the gateway failed'), undefined);
    }
  };
}

function dispatch(
  service: Service,
  req: ParsedRequest,
  res: ServerResponse,
  next: NextFunction | undefined,
): void {
  const destination = service.paths.find(req.originalUrl ?? req.url ?? '');
  if (destination.kind === 'unknown' && next !== undefined) return next();
  const headers = new HeaderFields(req.rawHeaders);
  if (destination.kind === 'unknown' || destination.kind === 'disguised' || upgrades(headers))
    return refusePath(service, req, res, headers, 'notFound', 'not found');
  if (destination.kind === 'metadata') return serveMetadata(service, destination, req, res, headers);
  if (destination.kind === 'pass-through') return passThrough(service, destination, req, res, headers);
  serveEndpoint(service, destination.route, req, res, headers);
}

function serveEndpoint(
  service: Service,
  route: RoutePlan,
  req: ParsedRequest,
  res: ServerResponse,
  headers: HeaderFields,
): void {
  if (req.method === 'POST' || isLegacyVerb(route, req, headers)) {
    void new Mediation(service, route, req, res, headers).run();
    return;
  }
  const origin = headers.one('origin');
  if (req.method !== 'OPTIONS' || origin === undefined || !headers.has('access-control-request-method'))
    return refusePath(service, req, res, headers, 'methodNotAllowed', 'method not allowed', methodsOf(route));
  if (forbidden(service, route, req, res, headers)) return;
  const requested = headers.one('access-control-request-headers');
  writeWhole(res, 204, preflightFields(origin, requested, methodsOf(route)), undefined);
}

/** An h2c offer is one that any server may ignore, and some HTTP clients make it on every request (RFC 9110 section 7.8). */
function upgrades(headers: HeaderFields): boolean {
  return headers.all('upgrade').some((protocol) => protocol.trim().toLowerCase() !== 'h2c');
}

/** GET streams and DELETE exist only for clients of earlier revisions, where the route lets those through. */
function isLegacyVerb(route: RoutePlan, req: IncomingMessage, headers: HeaderFields): boolean {
  if (route.policy.legacy !== 'pass' || (req.method !== 'GET' && req.method !== 'DELETE')) return false;
  return isLegacyHead(headers);
}

function methodsOf(route: RoutePlan): string {
  return route.policy.legacy === 'pass' ? 'POST, OPTIONS, GET, DELETE' : 'POST, OPTIONS';
}

/** Refuses a path or verb; a forbidden Origin or Host is refused first, on every path. */
function refusePath(
  service: Service,
  req: IncomingMessage,
  res: ServerResponse,
  headers: HeaderFields,
  key: RefusalKey,
  message: string,
  allow?: string,
): void {
  const route = service.plan.routes[0];
  if (route !== undefined && forbidden(service, route, req, res, headers)) return;
  const extra = allow === undefined ? [] : ['allow', allow];
  writeRefusal(res, plainRefusal(key, message), headers.one('origin'), extra);
}
