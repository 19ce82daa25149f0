/** What reading a body takes at least: decoding it, and JSON.parse. */
import { cpuNanoseconds } from '../lab/cpu.js';

export interface ParseOrder {
  readonly bytes: Uint8Array;
  readonly warm: number;
  readonly times: number;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parse(bytes: Uint8Array, times: number): void {
  for (let time = 0; time < times; time += 1) JSON.parse(decoder.decode(bytes));
}

/** Answers with the CPU nanoseconds of one. */
process.on('message', ({ bytes, warm, times }: ParseOrder) => {
  parse(bytes, warm);
  const before = cpuNanoseconds([process.pid]);
  parse(bytes, times);
  process.send?.((cpuNanoseconds([process.pid]) - before) / times);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
