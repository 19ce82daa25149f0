/** GET and HEAD on the closed list of paths: admitted by their head, then passed on unread. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { plainRefusal } from '../engine/refusal.js';
import type { HeaderFields } from '../protocol/headers.js';
import { forbidden } from './admit-path.js';
import { outgoingFields } from './fields.js';
import { callerFields, withheldFields } from './identify.js';
import type { Destination } from './paths.js';
import { writeJson, writeRefusal } from './reply.js';
import type { Open, Service } from './service.js';

const ALLOW = ['allow', 'GET, HEAD'];

/** What the gateway has to say of itself as a protected resource (RFC 9728). */
export function serveMetadata(
  service: Service,
  { route, metadata }: Destination & { readonly kind: 'metadata' },
  req: IncomingMessage,
  res: ServerResponse,
  headers: HeaderFields,
): void {
  const origin = headers.one('origin');
  if (forbidden(service, route, req, res, headers)) return;
  if (req.method !== 'GET' && req.method !== 'HEAD')
    return writeRefusal(res, plainRefusal('methodNotAllowed', 'method not allowed'), origin, ALLOW);
  if (metadata === undefined) return writeRefusal(res, plainRefusal('notFound', 'not found'), origin);
  writeJson(res, 200, metadata, origin);
}

type PassThroughDestination = Destination & { readonly kind: 'pass-through' };

export function passThrough(
  service: Service,
  destination: PassThroughDestination,
  req: IncomingMessage,
  res: ServerResponse,
  headers: HeaderFields,
): void {
  const { route, upstreamPath } = destination;
  const origin = headers.one('origin');
  if (forbidden(service, route, req, res, headers)) return;
  if (req.method !== 'GET' && req.method !== 'HEAD')
    return writeRefusal(res, plainRefusal('methodNotAllowed', 'method not allowed'), origin, ALLOW);
  const trusted = service.plan.trustsProxy(req.socket.remoteAddress);
  const fields = outgoingFields(req, headers, {
    upstream: route.upstream,
    withheld: withheldFields(route.auth, { headers, trusted }),
    callers: callerFields(route.auth),
    trusted,
    legacy: false,
    judged: false,
    trace: undefined,
  });
  const open: Open = { closeGracefully: () => {} };
  const place = service.enter(open);
  res.once('close', () => service.leave(place, open));
  service.passer(route).pass(req, res, { path: upstreamPath, fields, origin });
}
