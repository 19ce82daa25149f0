import type { IncomingMessage, ServerResponse } from 'node:http';
import { evaluate } from '../engine/evaluate.js';
import type { RoutePlan } from '../engine/plan.js';
import { refusalOf } from '../engine/refusal.js';
import type { HeaderFields } from '../protocol/headers.js';
import { writeRefusal } from './reply.js';
import type { Service } from './service.js';

/** Judges Origin and Host where no message is expected; true when it has refused. */
export function forbidden(
  service: Service,
  route: RoutePlan,
  req: IncomingMessage,
  res: ServerResponse,
  headers: HeaderFields,
): boolean {
  const input = {
    httpMethod: req.method ?? '',
    headers,
    origins: service.plan.origins,
    carriesMessage: false,
  };
  const decision = evaluate(route.policy.rules.admit, input);
  const finding = decision.refusal;
  if (finding === undefined) return false;
  service.observer.decided(route.policy, undefined, 'admit', decision);
  const { remedy } = finding.rule;
  const key = remedy === 'drop' ? 'invalidRequest' : remedy.refuse;
  writeRefusal(
    res,
    refusalOf(finding, key, { id: undefined, policy: route.policy, exchange: undefined }),
    undefined,
  );
  return true;
}
