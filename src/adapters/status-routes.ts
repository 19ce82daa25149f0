import { type RequestHandler, Router } from 'express';
import { plainRefusal } from '../engine/refusal.js';
import { statusPage } from '../status/page.js';
import type { Status } from '../status/status.js';
import { JSON_TYPE } from './reply.js';
import { StatusStream } from './status-stream.js';

/** The status page and what it reads: `/`, `/status.json` and `/events`. */
export function statusRoutes(status: Status): RequestHandler {
  const { html, contentSecurityPolicy } = statusPage();
  const stream = new StatusStream(status);
  const router = Router({ strict: true, caseSensitive: true });
  router.get('/', (_req, res) => {
    res.set({
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    res.type('html').send(html);
  });
  router.get('/status.json', (_req, res) => {
    res.json(status.snapshot());
  });
  router.get('/events', ({ method }, res) => {
    if (method === 'HEAD') {
      res.type('text/event-stream').end();
      return;
    }
    if (stream.add(res)) return;
    const { status: code, body } = plainRefusal('overLimit', 'too many listen already');
    res.status(code).set({ 'content-type': JSON_TYPE, 'retry-after': '5' }).send(body);
  });
  return router;
}
