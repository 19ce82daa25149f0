/** The reply to a tools/call whose answer is a stream, without servers: what the client gets of these chunks. */
import type { ServerResponse } from 'node:http';
import type { Answer, BodySink } from '../../src/adapters/answer.js';
import { Budget, BudgetPool } from '../../src/adapters/budget.js';
import { EventStreamReply } from '../../src/adapters/reply-sse.js';
import { compile } from '../../src/config/compile.js';
import { loadObject } from '../../src/config/load.js';
import { Ledger } from '../../src/engine/ledger.js';
import type { Observer } from '../../src/engine/observer.js';
import { HeaderFields } from '../../src/protocol/headers.js';
import { exchange } from '../rules/fixtures.js';

export interface StreamReplyOptions {
  /** Fields of the answer beside its content type. */
  readonly headers?: readonly string[];
  readonly ssePingMs?: number;
  /** The upstream does not end its answer. */
  readonly open?: boolean;
  readonly observer?: Partial<Observer>;
  /** Laid over the client's response. */
  readonly res?: Partial<ServerResponse>;
}

const CONFIG = {
  routes: [{ upstream: 'http://127.0.0.1:1/mcp', requestState: 'relay' }],
  timeouts: { ssePingMs: 0 },
};
const PLAN = compile(loadObject(CONFIG).config);
const [ROUTE] = PLAN.routes;

/** The progress token of the request is `p`, its id 1. Rejects as the reply's `finished` does. */
export async function replyTo(
  chunks: readonly Uint8Array[],
  { headers = [], ssePingMs = 0, open = false, observer = {}, res = {} }: StreamReplyOptions = {},
): Promise<string> {
  const written: Buffer[] = [];
  const port = new Proxy(observer as Observer, {
    get: (one, name) => Reflect.get(one, name) ?? (() => undefined),
  });
  const asked = exchange({ ...(ROUTE && { policy: ROUTE.policy }), meta: { progressToken: 'p' } });
  const client = {
    writableNeedDrain: false,
    on: () => undefined,
    writeHead: () => undefined,
    write: (bytes: Buffer) => written.push(bytes),
    end: (bytes?: string) => bytes !== undefined && written.push(Buffer.from(bytes)),
    ...res,
  };
  const reply = new EventStreamReply(answerOf(chunks, headers, open), {
    res: client as unknown as ServerResponse,
    ledger: new Ledger(asked.policy, port),
    exchange: asked,
    expects: 'response',
    limits: PLAN.limits,
    timeouts: { ...PLAN.timeouts, ssePingMs },
    budget: new Budget(new BudgetPool(PLAN.limits.bufferedBytes, port)),
    origin: undefined,
  });
  reply.start();
  await reply.finished;
  return Buffer.concat(written).toString('utf8');
}

function answerOf(chunks: readonly Uint8Array[], headers: readonly string[], open: boolean): Answer {
  const answer = {
    status: 200,
    headers: new HeaderFields(['content-type', 'text/event-stream', ...headers]),
    ended: !open,
    abort: () => undefined,
    resume: () => undefined,
    take: (sink: BodySink) => {
      for (const chunk of chunks) sink.chunk(Buffer.from(chunk));
      if (!open) sink.end();
    },
  };
  return answer as unknown as Answer;
}
