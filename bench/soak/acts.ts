/** What the upstream of a soak can be told to do when all is well. */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { answerText } from '../../src/explain/judge.js';
import { exampleOf } from './judged.js';
import {
  acknowledged,
  closing,
  discovery,
  failure,
  filling,
  type Id,
  logged,
  type Message,
  progress,
  question,
  result,
  said,
  toolList,
  toolsChanged,
} from './messages.js';

export interface Asked {
  readonly message: Message;
  readonly id: Id;
  readonly body: Buffer;
  /** What stands behind the act's name. */
  readonly words: readonly string[];
  readonly response: ServerResponse;
  /** Resolves when the connection is closed, or the answer is whole. */
  readonly closed: Promise<void>;
}

export type Act = (asked: Asked) => unknown;

export function json({ response }: Asked, text: string | Buffer, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}

export function begin({ response }: Asked): (message: string) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return (message) => void response.write(`data: ${message}\n\n`);
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function textOf({ message }: Asked): string {
  return String(message.params?.arguments?.text ?? 'Booked.');
}

const say: Act = (asked) => json(asked, result(asked.id, said(textOf(asked))));

/** Its state is the secret and the round; what does not come back as it left is told to the client as an error. */
const ask: Act = (asked) => {
  const { message, id, words } = asked;
  const [secret = '', rounds = '1'] = words;
  const { requestState, inputResponses } = message.params ?? {};
  if (inputResponses === undefined) return json(asked, result(id, question(1, `${secret} 1`)));
  const [known, round = ''] = (requestState ?? '').split(' ');
  if (known !== secret) return json(asked, failure(id, -32_602, 'that state is not mine'));
  if (round !== rounds)
    return json(asked, result(id, question(Number(round) + 1, `${secret} ${Number(round) + 1}`)));
  return json(asked, result(id, said(`${secret}: ${JSON.stringify(inputResponses.guest)}`)));
};

const askPlainly: Act = (asked) => {
  const { inputResponses } = asked.message.params ?? {};
  if (inputResponses === undefined) return json(asked, result(asked.id, question(1, undefined)));
  return json(asked, result(asked.id, said(`: ${JSON.stringify(inputResponses.guest)}`)));
};

const list: Act = (asked) => {
  const [length, required] = asked.words;
  const names = required === 'required' ? ['command'] : undefined;
  json(asked, result(asked.id, toolList(Number(length), names, 'public')));
};

const digest: Act = (asked) =>
  json(asked, result(asked.id, said(createHash('sha256').update(asked.body).digest('hex'))));

const big: Act = (asked) => json(asked, result(asked.id, said(filling(Number(asked.words[0])))));

const bigZipped: Act = (asked) => {
  const text = gzipSync(result(asked.id, said(filling(Number(asked.words[0])))), { level: 1 });
  asked.response.setHeader('content-encoding', 'gzip');
  json(asked, text);
};

/** Progress and a log message that nobody asked for among that which was. */
const progressed: Act = async (asked) => {
  const [count, spacingMs] = asked.words.map(Number);
  const send = begin(asked);
  const token = asked.message.params?._meta?.progressToken;
  for (let done = 1; done <= (count ?? 0); done += 1) {
    send(progress(token, done));
    if (done === 1) send(progress('somebody else’s', 1));
    if (done === 2) send(logged('looking for a table'));
    if (spacingMs) await wait(spacingMs);
  }
  send(result(asked.id, said('Booked.')));
  asked.response.end();
};

const listen: Act = async (asked) => {
  const [changes = 0, lastingMs = 0] = asked.words.map(Number);
  const send = begin(asked);
  send(acknowledged(asked.id));
  for (let change = 0; change < changes; change += 1) {
    await wait(lastingMs / (changes + 1));
    send(toolsChanged(asked.id));
  }
  await wait(lastingMs / (changes + 1));
  send(closing(asked.id));
  asked.response.end();
};

const listenOn: Act = async (asked) => {
  begin(asked)(acknowledged(asked.id));
  await asked.closed;
};

/** The client leaves, and this has to hear of it. */
const drip: Act = async (asked) => {
  const send = begin(asked);
  const timer = setInterval(() => send(progress('p', 1)), 50);
  await asked.closed;
  clearInterval(timer);
};

const example: Act = (asked) => {
  const [rule = '', which = ''] = asked.words;
  const { answer } = exampleOf(rule, which) ?? {};
  if (answer === undefined) return json(asked, result(asked.id, said('Booked.')));
  if (answer.event === undefined) {
    const type = answer.type ?? 'application/json';
    return asked.response.writeHead(answer.status ?? 200, { 'content-type': type }).end(answerText(answer));
  }
  begin(asked)(answerText(answer));
  return asked.response.end();
};

export const ACTS: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['say', say],
  ['fail', (asked) => json(asked, result(asked.id, said('The table is taken.', { isError: true })))],
  ['error', (asked) => json(asked, failure(asked.id, -32_602, 'Unknown tool'))],
  ['accept', ({ response }) => response.writeHead(202).end()],
  ['ask', ask],
  ['ask-plainly', askPlainly],
  ['list', list],
  ['discover', (asked) => json(asked, result(asked.id, discovery('2026-07-28', '2025-11-25')))],
  ['digest', digest],
  ['big', big],
  ['big-zipped', bigZipped],
  [
    'page',
    ({ response }) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>How to book</p>'),
  ],
  ['progress', progressed],
  ['listen', listen],
  ['listen-on', listenOn],
  ['hold', ({ closed }) => closed],
  ['drip', drip],
  ['example', example],
]);
