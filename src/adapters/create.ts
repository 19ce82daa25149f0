/** A gateway without a listener: the handler, and the life of the configurations behind it. */
import type { Capture } from '../engine/capture.js';
import type { Observer } from '../engine/observer.js';
import type { GatewayPlan } from '../engine/plan.js';
import { KeyRing } from '../seal/ring.js';
import { BudgetPool } from './budget.js';
import { createHandler, type Handler } from './express.js';
import { Admission, Service, type Shared } from './service.js';
import { type Notify, SpentStores } from './spent.js';

export interface GatewayParts {
  readonly plan: GatewayPlan;
  readonly observer: Observer;
  /** Accept `req.body` that a body parser has already made an object: its bytes are then written anew. */
  readonly trustParsedBody: boolean;
  readonly logError: (error: unknown) => void;
  readonly notify: Notify;
  /** Undefined: nothing is captured. */
  readonly capture?: Capture | undefined;
}

export interface RunningGateway {
  readonly handler: Handler;
  /** The configuration in force. */
  plan(): GatewayPlan;
  /** New exchanges use this plan; those that run keep theirs, and its connections close after the last of them. */
  apply(plan: GatewayPlan): void;
  /** Is this request target the exact MCP path of a route? */
  isEndpoint(target: string): boolean;
  /** Ends subscriptions with their closing result, those too that come from now on. Resolves when no exchange is left. */
  drain(): Promise<void>;
  /** Cuts whatever still runs. */
  close(): Promise<void>;
}

export function createRunningGateway({
  plan,
  observer,
  trustParsedBody,
  logError,
  notify,
  capture,
}: GatewayParts): RunningGateway {
  const budget = new BudgetPool(plan.limits.bufferedBytes, observer);
  const shared: Shared = {
    observer,
    admission: new Admission(observer),
    budget,
    trustParsedBody,
    logError,
    ownSealer: KeyRing.ephemeral(),
    spent: new SpentStores(notify),
    capture,
  };
  const retired = new Set<Service>();
  let service = new Service(plan, shared);
  return {
    handler: createHandler(() => service),
    plan: () => service.plan,
    apply: (next) => {
      const old = service;
      service = new Service(next, shared);
      budget.limit = next.limits.bufferedBytes;
      retired.add(old);
      old.retire().then(() => retired.delete(old), logError);
    },
    isEndpoint: (target) => service.paths.find(target).kind === 'mcp',
    drain: async () => {
      await Promise.all([service, ...retired].map((one) => one.drain()));
    },
    close: async () => {
      await Promise.all([service, ...retired].map((one) => one.destroy()));
      await shared.spent.close();
    },
  };
}
