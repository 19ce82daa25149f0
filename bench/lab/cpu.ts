/** What the kernel says of processes. */
import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of all threads of these processes so far, in nanoseconds. */
export function cpuNanoseconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + processNanoseconds(pid), 0);
}

function processNanoseconds(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  return tasks.reduce((sum, task) => {
    const [onCpu = '0'] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'latin1').split(' ');
    return sum + Number(onCpu);
  }, 0);
}

export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
  return text.split(' ').filter(Boolean).map(Number);
}

export function residentBytes(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return sum + Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  }, 0);
}
