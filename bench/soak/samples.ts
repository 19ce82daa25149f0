/** What the gateway uses, as the kernel and its own metrics say. */
import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import type { Gateway } from './gateway.js';
import type { Account } from './tally.js';

const MIB = 1_048_576;
const PREFIX = 'mrtr_gateway_';

export interface Sample {
  /** Seconds since the traffic began. */
  readonly at: number;
  readonly rssMib: number;
  readonly heapMib: number;
  readonly descriptors: number;
  /** Of the event loop since the sample before; 10 ms is none, since that is how often it is looked at. */
  readonly lagP50Ms: number;
  readonly lagP99Ms: number;
  readonly inFlight: number;
  readonly streams: number;
  readonly bufferedBytes: number;
  /** Exchanges since the sample before, by second, and what the client measured of small ones. */
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of one core, since the sample before. */
  readonly cpuShare: number;
}

/** Samples of /metrics by name and labels as written, without the prefix. */
export type Metrics = ReadonlyMap<string, number>;

export async function scrape({ adminUrl }: Gateway): Promise<Metrics> {
  const text = await new Promise<string>((resolve, reject) => {
    get(`${adminUrl}metrics`, { agent: false }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      resolve(Buffer.concat(chunks).toString());
    }).on('error', reject);
  });
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space).replace(PREFIX, ''), Number(line.slice(space + 1))];
    }),
  );
}

/** Over all series of this name. */
export function sumOf(metrics: Metrics, name: string): number {
  let sum = 0;
  for (const [series, value] of metrics) if (series === name || series.startsWith(`${name}{`)) sum += value;
  return sum;
}

export function descriptorsOf({ pid }: Gateway): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function residentMib({ pid }: Gateway): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}

export class Sampler {
  readonly #gateway: Gateway;
  readonly #began = performance.now();
  #lastAt = 0;
  #lastCpu = 0;
  #lastBegun = 0;

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  async take({ begun, p50Ms, p99Ms }: Account): Promise<Sample> {
    const descriptors = descriptorsOf(this.#gateway);
    const rssMib = residentMib(this.#gateway);
    const metrics = await scrape(this.#gateway);
    const one = (name: string) => metrics.get(name) ?? 0;
    const at = (performance.now() - this.#began) / 1_000;
    const passed = at - this.#lastAt;
    const cpu = one('process_cpu_seconds_total');
    const sample = {
      at,
      rssMib,
      heapMib: one('nodejs_heap_size_used_bytes') / MIB,
      descriptors,
      lagP50Ms: one('nodejs_eventloop_lag_p50_seconds') * 1_000,
      lagP99Ms: one('nodejs_eventloop_lag_p99_seconds') * 1_000,
      inFlight: sumOf(metrics, 'exchanges_in_flight'),
      streams: sumOf(metrics, 'streams_open'),
      bufferedBytes: one('buffered_bytes'),
      rate: (begun - this.#lastBegun) / passed,
      p50Ms,
      p99Ms,
      cpuShare: (cpu - this.#lastCpu) / passed,
    };
    this.#lastAt = at;
    this.#lastCpu = cpu;
    this.#lastBegun = begun;
    return sample;
  }
}
