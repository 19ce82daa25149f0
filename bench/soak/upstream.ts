/** The upstream process of a soak: does with each request what its client says in a field. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ACTS, type Asked } from './acts.js';
import { FAULTY_ACTS } from './faulty-acts.js';
import { GENERATION } from './generations.js';
import { ACT, type Message, SERIAL } from './messages.js';
import { answerFirst } from './peer.js';

/** How long after its request a connection may still be open that the client, or the gateway, must have cut. */
const CUT_WITHIN_MS = 20_000;
const MUST_BE_CUT: ReadonlySet<string> = new Set([
  ...['hold', 'drip', 'listen-on', 'silent', 'stalled', 'server-request-in-stream'],
]);
const REMEMBERED = 50_000;

/** What the upstream has seen. */
export interface Sightings {
  readonly requests: number;
  /** Requests that came twice, that should not have come, and that nobody told to be given up. */
  readonly twice: number;
  readonly forbidden: number;
  readonly neverCut: number;
  readonly broken: readonly string[];
}

const seen = { requests: 0, twice: 0, forbidden: 0, neverCut: 0, broken: [] as string[] };
const serials = new Set<string>();

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const field = (name: string) => String(request.headers[name] ?? '');
  seen.requests += 1;
  remember(field(SERIAL));
  const [act = '', ...words] = field(ACT).split(' ');
  if (act === 'never') seen.forbidden += 1;
  response.setHeader(GENERATION, field(GENERATION));
  const message = body.length === 0 ? {} : (JSON.parse(body.toString('utf8')) as Message);
  const closed = new Promise<void>((resolve) => response.on('close', resolve));
  if (MUST_BE_CUT.has(act)) watch(act, closed);
  const asked: Asked = { message, id: message.id ?? 0, body, words, response, closed };
  const found = ACTS.get(act) ?? FAULTY_ACTS.get(act);
  if (found === undefined) response.writeHead(501).end(`nobody knows how to ${act}`);
  else await found(asked);
}

function remember(serial: string): void {
  if (serials.has(serial) && serial !== '') seen.twice += 1;
  serials.add(serial);
  const [oldest] = serials;
  if (serials.size > REMEMBERED && oldest !== undefined) serials.delete(oldest);
}

function watch(act: string, closed: Promise<void>): void {
  const late = setTimeout(() => {
    seen.neverCut += 1;
    seen.broken.push(`${act} was never cut`);
  }, CUT_WITHIN_MS);
  void closed.then(() => clearTimeout(late));
}

const server = createServer((request, response) => {
  response.on('error', () => undefined);
  serve(request, response).catch((error) => {
    if (!request.complete || response.destroyed) return;
    seen.broken.push(String(error));
    response.destroy();
  });
});

answerFirst({
  start: () =>
    new Promise((resolve) => {
      server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () =>
        resolve((server.address() as AddressInfo).port),
      );
    }),
  sightings: (): Sightings => seen,
});
