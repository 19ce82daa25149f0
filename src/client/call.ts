/** The loop of Multi Round-Trip Requests, from the client's side (basic/patterns/mrtr#client-requirements-basic-workflow). */
import { setTimeout as delay } from 'node:timers/promises';
import type { InputRequest } from '../protocol/input-requests.js';
import type { JsonObject, JsonValue } from '../protocol/messages.js';
import type { Client, ExchangeOptions } from './client.js';
import { type Outcome, outcomeOf } from './outcome.js';
import type { RecordedExchange } from './record.js';
import type { RequestOptions } from './request.js';

/** `omit`: the retry goes without an answer to this one. `stop`: there is no retry. */
export type Answer = { readonly result: JsonObject } | 'omit' | 'stop';

/** Asked for each input request of a round, in the server's order. `round` counts from 1. */
export type Answerer = (request: InputRequest, round: number) => Promise<Answer>;

export interface CallOptions extends RequestOptions, ExchangeOptions {
  readonly answer: Answerer;
  /** Most requests of the loop, the first among them. */
  readonly maxRounds?: number;
  /** Members of `params` that only the first request carries. */
  readonly first?: JsonObject | undefined;
  /** After each exchange. */
  readonly onRound?: (record: RecordedExchange, outcome: Outcome) => void;
}

export interface CallEnd {
  /** Of the last round. `input_required` when nobody answered, or the rounds were used up. */
  readonly outcome: Outcome;
  readonly usedUp: boolean;
  readonly rounds: readonly RecordedExchange[];
}

const MAX_ROUNDS = 20;
/** Between retries of a server that asks for nothing but time. */
const PAUSE_MS = [100, 200, 400, 800, 1_600] as const;

export async function call(
  client: Client,
  method: string,
  params: JsonObject,
  options: CallOptions,
): Promise<CallEnd> {
  const { answer, maxRounds = MAX_ROUNDS, first = {}, onRound, ...request } = options;
  const rounds: RecordedExchange[] = [];
  let more: JsonObject = first;
  for (let round = 1; ; round += 1) {
    const record = await client.request(method, { ...params, ...more }, withoutId(request, round));
    const outcome = outcomeOf(record);
    rounds.push(record);
    onRound?.(record, outcome);
    if (outcome.kind !== 'input_required') return { outcome, usedUp: false, rounds };
    if (round >= maxRounds) return { outcome, usedUp: true, rounds };
    const { asked, requestState } = outcome;
    const inputResponses = await answers(asked, answer, round);
    if (inputResponses === undefined) return { outcome, usedUp: false, rounds };
    if (asked.length === 0) {
      if (requestState === undefined) return { outcome, usedUp: false, rounds };
      await pause(round, request.signal);
    }
    more = {
      ...(asked.length > 0 && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
    };
  }
}

/** The answers of one round by key; undefined when one of them is `stop`. */
export async function answers(
  asked: readonly InputRequest[],
  answer: Answerer,
  round: number,
): Promise<JsonObject | undefined> {
  const given: [string, JsonValue][] = [];
  for (const request of asked) {
    const said = await answer(request, round);
    if (said === 'stop') return undefined;
    if (said !== 'omit') given.push([request.key, said.result]);
  }
  return Object.fromEntries(given);
}

/** A retry is a request of its own (basic/patterns/mrtr: the id MUST differ). */
function withoutId<T extends RequestOptions>(options: T, round: number): T {
  return round === 1 ? options : { ...options, id: undefined };
}

async function pause(round: number, signal: AbortSignal | undefined): Promise<void> {
  const ms = PAUSE_MS[Math.min(round, PAUSE_MS.length) - 1];
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
