/** What docs/operations.md says of memory, for the files that set it. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

const MIB = 1_048_576;
const PAGE = readFileSync('docs/operations.md', 'utf8');
const BASE = Number(/memory = (\d+) MiB \+ FACTOR × limits\.bufferedBytes/.exec(PAGE)?.[1]);
const FACTORS = [...PAGE.matchAll(/^\| (\d+) \| /gm)].map((match) => Number(match[1]));
const [, HEAP, OUTSIDE] = (/with ([\d.]+) × .*?and ([\d.]+) × /s.exec(PAGE) ?? []).map(Number);

/** Expects memory and Node's options to be enough for the worst that the limit lets in, and the heap to fit in. */
export function expectEnough(
  memoryMiB: number,
  nodeOptions: string | undefined,
  bufferedBytes: number,
): void {
  const bufferedMiB = bufferedBytes / MIB;
  expect(BASE + Math.max(...FACTORS) * bufferedMiB).toBeLessThanOrEqual(memoryMiB);
  const heapMiB = Number(/^--max-old-space-size=(\d+)$/.exec(nodeOptions ?? '')?.[1]);
  expect(heapMiB).toBeGreaterThanOrEqual((HEAP ?? Number.NaN) * bufferedMiB);
  expect(BASE + (OUTSIDE ?? Number.NaN) * bufferedMiB + heapMiB).toBeLessThanOrEqual(memoryMiB);
}
