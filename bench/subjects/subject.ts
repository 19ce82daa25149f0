import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { end } from '../lab/processes.js';

/** Something that stands between the client and the upstream, and runs. */
export interface Subject {
  readonly port: number;
  /** Processes whose CPU time counts; none for what is no process of ours. */
  readonly pids: readonly number[];
  /** Before each lap. */
  readonly prepare?: () => void;
  /** Collects its garbage, where that can be asked for, and says what is left. */
  readonly collect?: () => Promise<NodeJS.MemoryUsage>;
  readonly stop: () => Promise<void>;
}

export interface Site {
  readonly upstreamPort: number;
  /** For files that a subject needs. */
  readonly folder: string;
  /** Bytes of the JSON that the upstream answers a tools/call with, for a subject that has no HTTP upstream. */
  readonly resultText: string;
  /** Where gateways leave a CPU profile when they end. */
  readonly profileFolder: string | undefined;
}

export interface SubjectKind {
  readonly name: string;
  /** As tables name it. */
  readonly title: string;
  readonly start: (site: Site) => Promise<Subject>;
}

export function subjectOf(
  child: ChildProcess,
  port: number,
  pids: readonly number[] = [child.pid ?? 0],
): Subject {
  return { port, pids, stop: () => end(child) };
}

/** Waits until something takes connections there. */
export async function untilListening(port: number, withinMs = 15_000): Promise<void> {
  const giveUp = Date.now() + withinMs;
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      async (response) => (await response.arrayBuffer()) !== undefined,
      () => false,
    );
    if (answered) return;
    if (Date.now() > giveUp) throw new Error(`nothing listens at port ${port}`);
    await delay(50);
  }
}
