/** The same exchange through the built handler, between sockets. */
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Observed } from '../oracle/oracle.js';
import { eventsOf } from '../oracle/slow-sse.js';
import { startGateway } from '../support/pair.js';
import { startUpstream } from '../support/upstream.js';
import type { Case } from './exchanges.js';
import { cutAt, ROUTES } from './in-process.js';

export interface Seen extends Observed {
  /** What the upstream got; undefined when nothing was let in. */
  readonly body: Buffer | undefined;
}

/** A gateway in front of an upstream that answers as each case says. */
export async function startExchanges(): Promise<(one: Case) => Promise<Seen>> {
  let answered: Case | undefined;
  const upstream = await startUpstream(() => {
    if (answered === undefined) return { never: true };
    const { answered: answer, cuts } = answered;
    return {
      status: answer.status,
      headers: Object.fromEntries([answer.head]) as Record<string, string>,
      body: cuts.length === 0 ? answer.body : cutAt(answer.body, cuts),
    };
  });
  onTestFinished(() => upstream.close());
  const { spec, ze } = ROUTES;
  const gateway = await startGateway(upstream.url, {
    route: spec,
    routes: [{ upstream: upstream.url, ...ze }],
  });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return async (one) => {
    answered = one;
    const before = upstream.requests.length;
    const { asked } = one;
    const sent = request({
      ...{ agent, host: '127.0.0.1', port: gateway.port, path: `/${asked.profile}`, method: 'POST' },
      headers: [...asked.head, 'Content-Length', String(asked.body.length)],
    });
    const { status, type, body } = await answerTo(sent, asked.body);
    const stream = type.startsWith('text/event-stream');
    const messages = stream ? eventsOf(body).map((data) => Buffer.from(data).toString()) : body.toString();
    const got = upstream.requests[before];
    return {
      forwarded: got !== undefined,
      body: got?.body,
      status,
      messages: typeof messages !== 'string' ? messages : messages === '' ? [] : [messages],
    };
  };
}

async function answerTo(
  sent: ClientRequest,
  body: Uint8Array,
): Promise<{ status: number; type: string; body: Buffer }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject).end(body);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return {
    status: answer.statusCode ?? 0,
    type: answer.headers['content-type'] ?? '',
    body: Buffer.concat(chunks),
  };
}
