/** One exchange after another: sends it, and holds the answer against what it must be. */
import type { OutgoingHttpHeaders } from 'node:http';
import { type CallOptions, requestHeaders, requestText } from '../../test/support/client.js';
import { GENERATION, isEven } from './generations.js';
import { ACT, type Id, type Message, SERIAL } from './messages.js';
import { type Tally, Wrong } from './tally.js';
import { eventsOf, type Reply, type Sent, type Wire } from './wire.js';

/** Configurations that may be in force: more than one while a change is under way. */
export interface Generations {
  readonly oldest: number;
  readonly newest: number;
}

export interface Expected {
  readonly status: number;
  /** What the gateway counts it as; undefined for what is no exchange in its books. */
  readonly outcome?: string;
  /** The whole body. */
  readonly text?: string;
  /** What the events of the stream say. */
  readonly events?: readonly string[];
  readonly error?: { readonly code: number; readonly message?: string; readonly rule?: string };
  readonly holds?: (message: Message, reply: Reply) => boolean;
}

export interface Asking extends Sent {
  readonly route: string;
}

export interface ToolCall extends CallOptions {
  readonly method?: string;
  readonly tool?: string;
  readonly args?: Record<string, unknown>;
}

/** A kind of traffic: how often it is begun beside the others, and what it does. */
export interface Scenario {
  readonly kind: string;
  readonly weight: number;
  readonly run: (traffic: Traffic) => Promise<unknown>;
}

export class Traffic {
  generations: Generations = { oldest: 1, newest: 1 };
  #serial = 0;
  #seed: number;

  constructor(
    readonly wire: Wire,
    readonly tally: Tally,
    seed: number,
  ) {
    this.#seed = seed;
  }

  /** From 0 to below 1, the same row of numbers for the same seed (mulberry32). */
  random(): number {
    this.#seed = (this.#seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#seed ^ (this.#seed >>> 15), 1 | this.#seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  pause(atMostMs: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.random() * atMostMs));
  }

  /** Numbers and texts in turn. */
  id(): Id {
    this.#serial += 1;
    return this.#serial % 3 === 0 ? `call-${this.#serial}` : this.#serial;
  }

  /** A conforming call that has the upstream do this. */
  call(
    route: string,
    id: Id,
    act: string,
    { method = 'tools/call', tool, args, ...more }: ToolCall = {},
  ): Asking {
    const own = method === 'tools/call' ? { name: tool ?? 'book_table', arguments: args ?? {} } : {};
    const options = { ...more, id, params: { ...own, ...more.params } };
    const headers = { ...requestHeaders(method, options), [ACT]: act };
    return { route, path: `/${route}`, headers, body: requestText(method, options) };
  }

  /** Throws Wrong or Lost. */
  async exchange(
    kind: string,
    asking: Asking,
    expected: Expected | ((even: boolean) => Expected),
  ): Promise<Reply> {
    const from = this.generations.oldest;
    const reply = await this.wire.send(this.sent(asking));
    const by = typeof expected === 'function' ? expected : () => expected;
    const faults: string[] = [];
    for (const even of this.#parities(from, reply)) {
      const one = by(even);
      const fault = faultOf(reply, one);
      if (fault === undefined) {
        this.tally.right(kind, asking.route, one.outcome);
        return reply;
      }
      faults.push(fault);
    }
    throw new Wrong(`${asking.route}: ${faults.join('; or ')}`);
  }

  /** Counts it as begun, and names it. */
  sent(asking: Asking): Asking {
    this.tally.begun += 1;
    this.#serial += 1;
    return {
      ...asking,
      headers: { ...asking.headers, [SERIAL]: String(this.#serial) } as OutgoingHttpHeaders,
    };
  }

  /** Of the generations that the exchange may have run under. */
  #parities(from: number, { headers }: Reply): ReadonlySet<boolean> {
    const to = this.generations.newest;
    const told = headers[GENERATION];
    if (told !== undefined) {
      const generation = Number(told);
      if (generation < from || generation > to)
        throw new Wrong(`ran under configuration ${told}, where ${from} to ${to} could be in force`);
      return new Set([isEven(generation)]);
    }
    return from === to ? new Set([isEven(to)]) : new Set([true, false]);
  }
}

export function messageOf(text: string): Message {
  try {
    return JSON.parse(text) as Message;
  } catch {
    throw new Wrong(`no JSON: ${short(text)}`);
  }
}

function faultOf(reply: Reply, { status, text, events, error, holds }: Expected): string | undefined {
  const was = `${reply.status} ${short(reply.text)}`;
  if (reply.status !== status) return `expected ${status}, was ${was}`;
  if (text !== undefined && reply.text !== text) return `expected ${short(text)}, was ${was}`;
  if (events !== undefined && !sameTexts(eventsOf(reply.text), events))
    return `expected events ${short(events.join(' | '))}, was ${short(eventsOf(reply.text).join(' | '))}`;
  if (error !== undefined && !isError(messageOf(reply.text), error))
    return `expected ${JSON.stringify(error)}, was ${was}`;
  if (holds !== undefined && !holds(reply.text === '' ? {} : messageOf(reply.text), reply))
    return `expected ${status} and something else, was ${was}`;
  return undefined;
}

function sameTexts(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}

function isError({ error }: Message, { code, message, rule }: NonNullable<Expected['error']>): boolean {
  if (error?.code !== code) return false;
  if (message !== undefined && error.message !== message) return false;
  return rule === undefined || error.data?.rule === rule;
}

function short(text: string): string {
  return text.length > 400 ? `${text.slice(0, 300)}…${text.slice(-80)} (${text.length} characters)` : text;
}
