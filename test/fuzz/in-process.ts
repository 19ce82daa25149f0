/** The straight line without sockets: the same reading, judging and rewriting, from bytes to bytes. */
import { isEventStream, readBody } from '../../src/client/reading.js';
import { compile } from '../../src/config/compile.js';
import { loadObject } from '../../src/config/load.js';
import type { Exchange } from '../../src/engine/exchange.js';
import { Ledger } from '../../src/engine/ledger.js';
import type { Observer } from '../../src/engine/observer.js';
import type { GatewayPlan } from '../../src/engine/plan.js';
import { recallExchange } from '../../src/engine/recall.js';
import { type Call, outbound, straightLine } from '../../src/gateway.js';
import { HeaderFields } from '../../src/protocol/headers.js';
import { type Reading, readRequest, readResponse } from '../../src/protocol/reading.js';
import { SseDecoder } from '../../src/protocol/sse.js';
import type { Profile } from '../oracle/client-message.js';
import type { Answered, Observed } from '../oracle/oracle.js';
import type { Case } from './exchanges.js';

/** The route of each profile, for both ways of running an exchange. */
export const ROUTES: Readonly<Record<Profile, Readonly<Record<string, unknown>>>> = {
  spec: { path: '/spec', profile: 'spec', requestState: 'relay' },
  ze: { path: '/ze', profile: 'ze', tools: { ze_execute: { elicits: ['command'] } } },
};

const SILENT = new Proxy({} as Observer, { get: () => () => undefined });
const FAREWELL = '"error":{"code":-32603,"message":"the upstream ended its stream without a response"}';
const PLANS = new Map<string, GatewayPlan>();

/** `unenforced` names a rule that only reports. */
export async function runInProcess({ asked, answered, cuts }: Case, unenforced = ''): Promise<Observed> {
  const plan = planWithout(unenforced);
  const route = plan.routes.find(({ policy }) => policy.profile === asked.profile);
  if (route === undefined) throw new Error('no such route');
  const { policy } = route;
  const headers = new HeaderFields(asked.head);
  const ledger = new Ledger(policy, SILENT);
  const reply = new Reply(ledger, answered);
  const call: Call = {
    ledger,
    head: { httpMethod: 'POST', headers, origins: plan.origins, carriesMessage: true },
    legacy: false,
    read: () => readRequest(Buffer.from(asked.body)),
    learn: (reading) => recallExchange(policy, { reading, headers, now: 0 }),
    redeem: async (exchange) => exchange,
    forward: async (exchange) => reply.answer(exchange, cuts),
    refuse: (refusal) => reply.add(refusal.status, refusal.body),
  };
  await straightLine(call);
  return reply;
}

function planWithout(rule: string): GatewayPlan {
  const known = PLANS.get(rule);
  if (known !== undefined) return known;
  const upstream = 'http://127.0.0.1:1/mcp';
  const rules = rule === '' ? {} : { [rule]: 'report' };
  const routes = Object.values(ROUTES).map((route) => ({ upstream, rules, ...route }));
  const plan = compile(loadObject({ routes }).config);
  PLANS.set(rule, plan);
  return plan;
}

class Reply implements Observed {
  readonly messages: string[] = [];
  forwarded = false;
  status = 0;

  readonly #ledger: Ledger;
  readonly #answered: Answered;

  constructor(ledger: Ledger, answered: Answered) {
    this.#ledger = ledger;
    this.#answered = answered;
  }

  /** The first message brings the status. */
  add(status: number, message?: string): void {
    if (this.messages.length === 0) this.status = status;
    if (message !== undefined) this.messages.push(message);
  }

  answer(exchange: Exchange, cuts: readonly number[]): void {
    this.forwarded = true;
    const { status, body } = this.#answered;
    const { id, method } = exchange.message;
    const head = { status, headers: new HeaderFields(this.#answered.head) };
    if (id === undefined && status < 300) return this.add(202);
    if (!isEventStream(head)) {
      this.#take(exchange, readBody(head, Buffer.from(body), id), false);
      return;
    }
    const decoder = new SseDecoder(1 << 24);
    const pieces = cutAt(body, cuts).flatMap((piece) => decoder.push(piece));
    for (const item of pieces)
      if (item.kind === 'event' && this.#take(exchange, readResponse(item.data), true)) return;
    if (method === 'subscriptions/listen') this.add(status);
    else this.add(502, `{"jsonrpc":"2.0","id":${id?.text},${FAREWELL}}`);
  }

  /** True when nothing comes after it. */
  #take(exchange: Exchange, reading: Reading, stream: boolean): boolean {
    const { status } = this.#answered;
    const passage = outbound(this.#ledger, exchange, { reading, status, stream, acknowledged: false });
    if (passage.kind === 'refuse') this.add(passage.refusal.status, passage.refusal.body);
    if (passage.kind !== 'send') return passage.kind === 'refuse';
    this.add(status, passage.text ?? reading.bytes.toString());
    return passage.message?.kind === 'response';
  }
}

/** The same bytes in pieces. */
export function cutAt(bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const bounds = [0, ...cuts, bytes.length].sort((one, other) => one - other);
  return bounds.slice(1).map((end, index) => bytes.subarray(bounds[index], end));
}
