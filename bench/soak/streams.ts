/** Event streams: progress, subscriptions, and clients that leave in the middle of all sorts of things. */
import type { IncomingMessage } from 'node:http';
import { acknowledged, closing, progress, result, said, toolsChanged } from './messages.js';
import type { Asking, Scenario, Traffic } from './traffic.js';
import { Lost } from './wire.js';

async function progressed(traffic: Traffic): Promise<void> {
  const id = traffic.id();
  const count = traffic.pick([3, 10, 10, 100]);
  const progressToken = traffic.pick<string | number>(['token', 7]);
  const asking = traffic.call('plain', id, `progress ${count} ${traffic.pick([0, 0, 5])}`, {
    meta: { progressToken },
  });
  const passed = Array.from({ length: count }, (_, index) => progress(progressToken, index + 1));
  const events = [...passed, result(id, said('Booked.'))];
  await traffic.exchange('stream with progress', asking, { status: 200, outcome: 'ok', events });
}

function listen(traffic: Traffic, id: string | number, act: string): Asking {
  const params = { notifications: { toolsListChanged: true } };
  return traffic.call('sealed', id, act, { method: 'subscriptions/listen', params });
}

/** The upstream ends it, after some seconds. */
async function subscription(traffic: Traffic): Promise<void> {
  const id = traffic.id();
  const changes = traffic.below(6);
  const asking = listen(traffic, id, `listen ${changes} ${500 + traffic.below(15_000)}`);
  const changed = Array.from({ length: changes }, () => toolsChanged(id));
  const events = [acknowledged(id), ...changed, closing(id)];
  await traffic.exchange('subscription', asking, { status: 200, outcome: 'ok', events });
}

/** Sends it, and has `leave` say when it is time to go. The upstream notices whoever is not told that the client left. */
async function leaving(
  traffic: Traffic,
  kind: string,
  asking: Asking,
  leave: (answer: Promise<IncomingMessage>) => Promise<unknown>,
): Promise<void> {
  const { sending, answer } = traffic.wire.open(traffic.sent(asking));
  answer.catch(() => undefined);
  await leave(answer);
  sending.destroy();
  traffic.tally.left(kind);
}

/** The head, and some of what follows. */
async function firstBytes(answer: Promise<IncomingMessage>): Promise<void> {
  const response = await answer;
  response.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    response.once('data', () => {
      response.pause();
      resolve();
    });
    response.once('close', () => reject(new Lost('closed before its first bytes')));
  });
}

async function leavesWaiting(traffic: Traffic): Promise<void> {
  const asking = traffic.call('sealed', traffic.id(), 'hold');
  await leaving(traffic, 'client leaves while it waits', asking, () => traffic.pause(600));
}

async function leavesStream(traffic: Traffic): Promise<void> {
  const asking = traffic.call('plain', traffic.id(), 'drip', { meta: { progressToken: 'p' } });
  await leaving(traffic, 'client leaves a stream', asking, async (answer) => {
    await firstBytes(answer);
    await traffic.pause(400);
  });
}

async function leavesSubscription(traffic: Traffic): Promise<void> {
  const asking = listen(traffic, traffic.id(), 'listen-on');
  await leaving(traffic, 'client leaves a subscription', asking, async (answer) => {
    await firstBytes(answer);
    await traffic.pause(15_000);
  });
}

async function leavesBigResult(traffic: Traffic): Promise<void> {
  const asking = traffic.call('plain', traffic.id(), 'big 12582912');
  await leaving(traffic, 'client stops reading and leaves', asking, async (answer) => {
    await firstBytes(answer);
    await traffic.pause(400);
  });
}

async function leavesHalfSent(traffic: Traffic): Promise<void> {
  const { headers, body = '' } = traffic.sent(traffic.call('sealed', traffic.id(), 'never'));
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST /sealed HTTP/1.1\r\nhost: 127.0.0.1\r\n${fields.join('')}content-length: ${body.length}\r\n\r\n`;
  const whole = head + String(body);
  await traffic.wire.sendAndCut(whole.slice(0, 10 + traffic.below(whole.length - 10)), 50);
  traffic.tally.left('client leaves half a request');
}

export const STREAMS: readonly Scenario[] = [
  { kind: 'stream with progress', weight: 5, run: progressed },
  { kind: 'subscription', weight: 0.7, run: subscription },
  { kind: 'client leaves a subscription', weight: 0.7, run: leavesSubscription },
  { kind: 'client leaves while it waits', weight: 3, run: leavesWaiting },
  { kind: 'client leaves a stream', weight: 1, run: leavesStream },
  { kind: 'client leaves half a request', weight: 1, run: leavesHalfSent },
  { kind: 'client stops reading and leaves', weight: 0.05, run: leavesBigResult },
];
