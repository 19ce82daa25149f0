/** Tells when requests are due, more exactly than timers do: a thread of its own sleeps until each is. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export interface Schedule {
  readonly perSecond: number;
  readonly forMs: number;
  readonly seed: number;
}

/** Arrivals that know nothing of each other (Poisson), the same for the same seed. */
export function dueTimes({ perSecond, forMs, seed }: Schedule, fromMs: number): Float64Array {
  const random = randomNumbers(seed);
  const times: number[] = [];
  for (let at = 0; at < forMs; at += (-Math.log(1 - random()) * 1_000) / perSecond) times.push(fromMs + at);
  const shared = new Float64Array(new SharedArrayBuffer(times.length * Float64Array.BYTES_PER_ELEMENT));
  shared.set(times);
  return shared;
}

/** Calls `due` with each of these times when it has come, and `over` after the last. */
export function startMetronome(times: Float64Array, due: (dueMs: number) => void, over: () => void): void {
  const passed = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { times, passed, origin: performance.timeOrigin },
  });
  let told = 0;
  worker.on('message', () => {
    const upTo = Atomics.load(passed, 0);
    for (; told < upTo; told += 1) due(times[told] ?? 0);
    if (told === times.length) over();
  });
}

/** mulberry32: small, and the same everywhere. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function beat(): void {
  const { times, passed, origin } = workerData as { times: Float64Array; passed: Int32Array; origin: number };
  const never = new Int32Array(new SharedArrayBuffer(4));
  const now = () => performance.timeOrigin + performance.now() - origin;
  let count = 0;
  while (count < times.length) {
    const waitMs = (times[count] ?? 0) - now();
    if (waitMs > 0) Atomics.wait(never, 0, 0, waitMs);
    while (count < times.length && (times[count] ?? 0) <= now()) count += 1;
    if (count === Atomics.load(passed, 0)) continue;
    Atomics.store(passed, 0, count);
    parentPort?.postMessage(0);
  }
}

if (!isMainThread) beat();
