/** The stand-in's long work, kept in memory. A task's state is a function of the clock, so polling never changes it. */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../protocol/messages.js';

const TASK_RUNS_MS = 2_000;
const TASK_TTL_MS = 600_000;
const POLL_INTERVAL_MS = 1_000;
const MAX_TASKS = 1_000;

interface Task {
  readonly id: string;
  readonly createdAt: number;
  readonly result: JsonObject;
  /** Members that a misbehaving worker adds to every report of an unfinished task. */
  readonly working: JsonObject;
  cancelledAt: number | undefined;
}

export class DemoTasks {
  readonly #tasks = new Map<string, Task>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Begins a task that ends with this result, and reports its first state. */
  begin(result: JsonObject, working: JsonObject = {}): JsonObject {
    this.#forgetOld();
    const task: Task = { id: randomUUID(), createdAt: this.#now(), result, working, cancelledAt: undefined };
    this.#tasks.set(task.id, task);
    return this.#report(task);
  }

  /** The state of a task now; undefined when there is none of this id. */
  report(id: string): JsonObject | undefined {
    const task = this.#tasks.get(id);
    return task && this.#report(task);
  }

  /** Cancels unfinished work. False when no task has this id. */
  cancel(id: string): boolean {
    const task = this.#tasks.get(id);
    if (task === undefined) return false;
    if (this.#now() < task.createdAt + TASK_RUNS_MS) task.cancelledAt ??= this.#now();
    return true;
  }

  #report(task: Task): JsonObject {
    const endsAt = task.createdAt + TASK_RUNS_MS;
    const finished = this.#now() >= endsAt;
    const changedAt = task.cancelledAt ?? (finished ? endsAt : task.createdAt);
    const common = {
      taskId: task.id,
      status: 'working',
      createdAt: new Date(task.createdAt).toISOString(),
      lastUpdatedAt: new Date(changedAt).toISOString(),
      ttlMs: TASK_TTL_MS,
      pollIntervalMs: POLL_INTERVAL_MS,
    };
    if (task.cancelledAt !== undefined) return { ...common, status: 'cancelled' };
    return finished
      ? { ...common, status: 'completed', result: task.result }
      : { ...common, ...task.working };
  }

  #forgetOld(): void {
    for (const task of this.#tasks.values()) {
      const old = this.#now() >= task.createdAt + TASK_TTL_MS;
      if (!old && this.#tasks.size < MAX_TASKS) return;
      this.#tasks.delete(task.id);
    }
  }
}
