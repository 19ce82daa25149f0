/** GET and HEAD on the closed list of paths: admitted by their head, then passed on unread. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { plainRefusal } from '../engine/refusal.js';
import type { HeaderFields } from '../protocol/headers.js';
import { forbidden } from './admit-path.js';
import { outgoingFields } from './fields.js';
import type { Destination } from './paths.js';
import { writeRefusal } from './reply.js';
import type { Open, Service } from './service.js';

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
    return writeRefusal(res, plainRefusal('methodNotAllowed', 'method not allowed'), origin, [
      'allow',
      'GET, HEAD',
    ]);
  const trusted = service.plan.trustsProxy(req.socket.remoteAddress);
  const fields = outgoingFields(req, headers, {
    upstream: route.upstream,
    trusted,
    legacy: false,
    judged: false,
    traceparent: undefined,
  });
  const open: Open = { closeGracefully: () => {} };
  service.enter(open);
  res.once('close', () => service.leave(open));
  service.passer(route).pass(req, res, { path: upstreamPath, fields, origin });
}
