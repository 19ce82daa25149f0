/** Processes of Node that collect their garbage when asked. */
import type { ChildProcess } from 'node:child_process';
import { nextMessage } from './processes.js';

/** With a channel to this process, for `collected`. */
export const COLLECTING_FLAGS = [
  '--expose-gc',
  ...['--import', new URL('../parts/heap-probe.js', import.meta.url).href],
];

/** What is left when all garbage has been collected. */
export async function collected(child: ChildProcess): Promise<NodeJS.MemoryUsage> {
  const answer = nextMessage<NodeJS.MemoryUsage>(child);
  child.send('collect');
  return answer;
}
