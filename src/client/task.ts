/** Follows a task to its end (SEP-2663): polls, and answers what it asks with tasks/update, each key once. */
import { setTimeout as delay } from 'node:timers/promises';
import { METHOD_TASKS_GET, METHOD_TASKS_UPDATE } from '../protocol/constants.js';
import { readInputRequests } from '../protocol/input-requests.js';
import { type JsonObject, numberMember, stringMember } from '../protocol/messages.js';
import { awaitsInput } from '../protocol/results.js';
import { type Answerer, answers } from './call.js';
import type { Client, ExchangeOptions } from './client.js';
import { type Outcome, outcomeOf } from './outcome.js';
import type { RecordedExchange } from './record.js';
import type { RequestOptions } from './request.js';

export interface PollOptions extends RequestOptions, ExchangeOptions {
  readonly answer: Answerer;
  /** How long to follow the task. */
  readonly forMs?: number;
  /** Asked by the server's own `pollIntervalMs`, within these bounds. */
  readonly minPauseMs?: number;
  readonly maxPauseMs?: number;
  /** After each exchange, tasks/update among them. */
  readonly onPoll?: (record: RecordedExchange, outcome: Outcome) => void;
}

export interface TaskEnd {
  /** `gone`: an answer that holds no task. `unanswered`: it waits for an input that nobody gave. */
  readonly status: 'completed' | 'failed' | 'cancelled' | 'unanswered' | 'too-long' | 'gone';
  /** The last report; undefined when there was none. */
  readonly task: JsonObject | undefined;
  readonly outcome: Outcome;
}

const FOR_MS = 60_000;
const ENDS: ReadonlySet<string | undefined> = new Set(['completed', 'failed', 'cancelled']);

export async function pollTask(client: Client, taskId: string, options: PollOptions): Promise<TaskEnd> {
  const { answer, forMs = FOR_MS, minPauseMs = 50, maxPauseMs = 5_000, onPoll, ...request } = options;
  const until = performance.now() + forMs;
  const answered = new Set<string>();
  for (let round = 1; ; round += 1) {
    const record = await client.request(METHOD_TASKS_GET, { taskId }, request);
    const outcome = outcomeOf(record);
    onPoll?.(record, outcome);
    if (outcome.kind !== 'complete') return { status: 'gone', task: undefined, outcome };
    const task = outcome.result;
    const status = stringMember(task, 'status');
    if (ENDS.has(status)) return { status: status as 'completed', task, outcome };
    if (awaitsInput(task)) {
      const asked = readInputRequests(record.response).filter(({ key }) => !answered.has(key));
      const inputResponses = await answers(asked, answer, round);
      if (inputResponses === undefined) return { status: 'unanswered', task, outcome };
      for (const { key } of asked) answered.add(key);
      if (asked.length > 0) {
        const update = await client.request(METHOD_TASKS_UPDATE, { taskId, inputResponses }, request);
        const updated = outcomeOf(update);
        onPoll?.(update, updated);
        if (updated.kind !== 'complete') return { status: 'gone', task, outcome: updated };
      }
    }
    const asks = numberMember(task, 'pollIntervalMs') ?? 1_000;
    const pauseMs = Math.min(Math.max(asks, minPauseMs), maxPauseMs);
    if (performance.now() + pauseMs > until) return { status: 'too-long', task, outcome };
    await delay(pauseMs, undefined, { signal: request.signal }).catch(() => undefined);
  }
}
