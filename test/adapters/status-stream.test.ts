import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StatusStream } from '../../src/adapters/status-stream.js';
import type { Decision, Finding } from '../../src/engine/rule.js';
import { headersMatchBody } from '../../src/rules/inbound/headers-match-body.js';
import type { Update } from '../../src/status/snapshot.js';
import { Status } from '../../src/status/status.js';
import { planOf, policyOf, summaryOf } from './plans.js';

const PLAN = planOf('ze');
const ze = policyOf(PLAN, 'ze');
const FOUND: Finding = {
  rule: headersMatchBody,
  severity: 'enforce',
  violation: { at: 'mcp-name', message: 'no' },
};
const REFUSED: Decision = { findings: [FOUND], refusal: FOUND };

/** Takes down what is written; `writableLength` is what a client has not taken yet. */
class Listener extends EventEmitter {
  readonly written: string[] = [];
  status = 0;
  destroyed = false;
  writableLength = 0;

  writeHead(status: number): void {
    this.status = status;
  }

  write(text: string): void {
    this.written.push(text);
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }

  get updates(): Update[] {
    return this.written
      .filter((text) => text.startsWith('event: update\n'))
      .map((text) => JSON.parse(text.slice('event: update\ndata: '.length)) as Update);
  }
}

function start() {
  const readiness = () => ({ ready: true, draining: false, upstreams: {} });
  const status = new Status({ build: { version: '1', revision: '' }, readiness });
  status.applyPlan(PLAN);
  const stream = new StatusStream(status);
  const decide = () => status.observer.decided?.(ze, undefined, 'inbound', REFUSED);
  const listen = () => {
    const listener = new Listener();
    return stream.add(listener as unknown as ServerResponse) ? listener : undefined;
  };
  return { status, decide, listen };
}

function listening({ listen }: ReturnType<typeof start>): Listener {
  const listener = listen();
  if (listener === undefined) throw new Error('there is no place left');
  return listener;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the status stream', () => {
  it('gathers what happens within a moment into one update', () => {
    const started = start();
    const listener = listening(started);
    for (let n = 0; n < 3; n += 1) started.decide();
    expect(listener.updates).toEqual([]);
    vi.advanceTimersByTime(250);
    expect(listener.updates.map(({ decisions }) => decisions.map(({ seq }) => seq))).toEqual([[3, 2, 1]]);
    started.decide();
    vi.advanceTimersByTime(250);
    expect(listener.updates[1]?.decisions.map(({ seq }) => seq)).toEqual([4]);
    expect(listener.updates[1]?.live.totals.refused).toBe(4);
  });

  it('costs a listener no more than the newest part of a flood', () => {
    const started = start();
    const listener = listening(started);
    for (let n = 0; n < 5000; n += 1) started.decide();
    vi.advanceTimersByTime(250);
    expect(listener.updates).toHaveLength(1);
    expect(listener.updates[0]?.decisions).toHaveLength(200);
  });

  it('tells of exchanges that found nothing too', () => {
    const started = start();
    const listener = listening(started);
    started.status.observer.began?.(ze);
    started.status.observer.ended?.(summaryOf(ze, undefined));
    vi.advanceTimersByTime(250);
    expect(listener.updates.map(({ live }) => live.totals.exchanges)).toEqual([1]);
  });

  it('repeats the counts when nothing happens, since minutes pass', () => {
    const started = start();
    const listener = listening(started);
    vi.advanceTimersByTime(14_999);
    expect(listener.updates).toEqual([]);
    vi.advanceTimersByTime(30_001);
    expect(listener.updates.map(({ decisions }) => decisions)).toEqual([[], [], []]);
  });

  it('tells at once that the configuration is another', () => {
    const started = start();
    const listener = listening(started);
    started.status.applyPlan(PLAN);
    expect(listener.written.at(-1)).toBe('event: plan\ndata: {}\n\n');
  });

  it('sets no timer while nobody listens', () => {
    const started = start();
    started.decide();
    expect(vi.getTimerCount()).toBe(0);
    const listener = listening(started);
    started.decide();
    expect(vi.getTimerCount()).toBe(1);
    listener.destroy();
    started.decide();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('says nothing of what happened before anybody listened', () => {
    const started = start();
    started.decide();
    const listener = listening(started);
    started.decide();
    vi.advanceTimersByTime(250);
    expect(listener.updates[0]?.decisions.map(({ seq }) => seq)).toEqual([2]);
  });

  it('has a bounded number of places, and gives one back when a listener leaves', () => {
    const started = start();
    const listeners = Array.from({ length: 32 }, () => listening(started));
    expect(started.listen()).toBeUndefined();
    listeners[5]?.destroy();
    expect(started.listen()).toBeDefined();
    expect(started.listen()).toBeUndefined();
  });

  it('drops a listener that does not keep up, and goes on for the others', () => {
    const started = start();
    const [slow, quick] = [listening(started), listening(started)];
    slow.writableLength = 2_000_000;
    started.decide();
    vi.advanceTimersByTime(250);
    expect([slow.destroyed, slow.updates.length]).toEqual([true, 0]);
    expect([quick.destroyed, quick.updates.length]).toEqual([false, 1]);
  });
});
