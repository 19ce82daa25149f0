/** Judges every exchange of a file, under one configuration or under two. */
import type { RoutePolicy } from '../engine/policy.js';
import { HEADER_METHOD, HEADER_NAME, HEADER_PROTOCOL_VERSION } from '../protocol/constants.js';
import { has, isObject } from '../protocol/messages.js';
import { entriesOf } from './entries.js';
import { readCaptureLine } from './from-capture.js';
import { readHarEntry } from './from-har.js';
import { type Judgement, judgeRecording } from './judge.js';
import { linesOf } from './lines.js';
import type { Item, Recording } from './recording.js';
import { SeenStates } from './states.js';

/** The routes of one configuration. */
export interface Side {
  readonly policies: readonly RoutePolicy[];
}

/** Why something in the file was not judged. */
export type Unjudged = 'unreadable' | 'other' | 'no-route' | 'no-body';

export type Inspected =
  | {
      readonly kind: 'judged';
      readonly recording: Recording;
      /** One a side; undefined where that side has no route for it. */
      readonly judgements: readonly (Judgement | undefined)[];
    }
  | { readonly kind: 'unjudged'; readonly why: Unjudged; readonly place: string }
  | { readonly kind: 'gap'; readonly count: number };

/** Of one line or entry; what is longer is passed over. */
const MOST_BYTES = 67_108_864;
/** To tell which kind of file it is. */
const ENOUGH_BYTES = 512;
const CAPTURE_LINE = /^\s*\{\s*"capture"\s*:/;
const OWN_FIELDS = [HEADER_PROTOCOL_VERSION, HEADER_METHOD, HEADER_NAME];

/** Rejects with NoRecording when the file is none, and as the chunks' source does. */
export async function* inspect(
  chunks: AsyncIterable<Buffer>,
  sides: readonly Side[],
): AsyncGenerator<Inspected> {
  const judging = sides.map(({ policies }) => ({ policies, states: new SeenStates() }));
  for await (const item of itemsOf(chunks)) {
    if (item.kind === 'gap') yield item;
    else if (item.kind === 'unreadable') yield { kind: 'unjudged', why: 'unreadable', place: item.place };
    else {
      const { recording } = item;
      const routes = judging.map(({ policies }) => routeOf(policies, recording));
      const why = whyNot(recording, routes);
      if (why !== undefined) yield { kind: 'unjudged', why, place: recording.place };
      else {
        const judgements = judging.map(({ states }, index) => {
          const policy = routes[index];
          return policy && judgeRecording(recording, policy, states);
        });
        yield { kind: 'judged', recording, judgements };
      }
    }
  }
}

async function* itemsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Item> {
  const [begun, all] = await peek(chunks);
  let count = 0;
  if (CAPTURE_LINE.test(begun)) {
    for await (const line of linesOf(all, MOST_BYTES)) {
      count += 1;
      const place = `line ${count}`;
      const item =
        line === undefined ? ({ kind: 'unreadable', place } as const) : readCaptureLine(line, place);
      if (item !== undefined) yield item;
    }
    return;
  }
  for await (const entry of entriesOf(all, MOST_BYTES)) {
    count += 1;
    const place = `entry ${count}`;
    yield entry === undefined ? { kind: 'unreadable', place } : readHarEntry(entry, place);
  }
}

/** How the file begins, and the file. */
async function peek(chunks: AsyncIterable<Buffer>): Promise<readonly [string, AsyncIterable<Buffer>]> {
  const iterator = chunks[Symbol.asyncIterator]();
  let begun: Buffer = Buffer.alloc(0);
  let next = await iterator.next();
  while (next.done !== true && begun.length + next.value.length < ENOUGH_BYTES) {
    begun = Buffer.concat([begun, next.value]);
    next = await iterator.next();
  }
  if (next.done !== true) begun = Buffer.concat([begun, next.value]);
  async function* all(): AsyncGenerator<Buffer> {
    yield begun;
    for (next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  return [begun.subarray(0, ENOUGH_BYTES).toString('utf8'), all()];
}

/** A gateway's route by its name; else the one at the path; else the only one that there is. */
function routeOf(policies: readonly RoutePolicy[], { route, path }: Recording): RoutePolicy | undefined {
  const [only, ...others] = policies;
  if (others.length === 0) return only;
  return policies.find(({ name }) => name === route) ?? policies.find((policy) => policy.path === path);
}

function whyNot(recording: Recording, routes: readonly (RoutePolicy | undefined)[]): Unjudged | undefined {
  if (recording.route === undefined && !looksMcp(recording, routes)) return 'other';
  if (routes.every((route) => route === undefined)) return 'no-route';
  return recording.asked === undefined ? 'no-body' : undefined;
}

/** An archive holds whatever else a browser has fetched. */
function looksMcp(recording: Recording, routes: readonly (RoutePolicy | undefined)[]): boolean {
  const { httpMethod, headers, path, asked } = recording;
  if (httpMethod !== 'POST') return false;
  if (OWN_FIELDS.some((name) => headers.has(name))) return true;
  const [first] = Array.isArray(asked?.value) ? asked.value : [asked?.value];
  if (isObject(first) && has(first, 'jsonrpc')) return true;
  return routes.some((route) => route?.path === path);
}
