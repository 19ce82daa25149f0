/**
 * Mixed traffic through the built binary for a long time, with an upstream that fails and a configuration that changes:
 * `npm run soak -- --minutes 20 [--rate 400] [--seed 1] [--write]`. Ends with 1 when anything was not as it must be;
 * `--write` puts the figures into docs/soak.md.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { positive, whole } from './flags.js';
import { Changes } from './soak/changes.js';
import { type Gateway, startGateway } from './soak/gateway.js';
import { type Peer, startPeer } from './soak/peer.js';
import { type Circumstances, lineOf, pageOf, textOf } from './soak/report.js';
import { descriptorsOf, type Metrics, type Sample, Sampler, scrape, sumOf } from './soak/samples.js';
import type { Account } from './soak/tally.js';
import type { Sightings } from './soak/upstream.js';
import { problemsOf, type Soaked } from './soak/verdict.js';
import { freePort } from './subjects/free-port.js';

const SAMPLE_MS = 5_000;
const CHANGE_MS = 10_000;
const QUIET_MS = 60_000;
const GAUGES = ['exchanges_in_flight', 'streams_open', 'buffered_bytes'];

type Flags = Pick<Circumstances, 'minutes' | 'rate' | 'seed'> & { readonly write?: boolean };

function readFlags(): Circumstances & Flags {
  const flags = new Command('npm run soak --')
    .description('Mixed traffic through the built binary, each exchange held against what has to come of it.')
    .option('--minutes <n>', 'how long', positive, 20)
    .option('--rate <n>', 'exchanges a second', positive, 400)
    .option('--seed <n>', 'the same traffic for the same seed', whole, 1)
    .option('--write', 'put the figures into docs/soak.md')
    .parse()
    .opts<Flags>();
  const warmUpSeconds = Math.round(Math.min(flags.minutes * 30, Math.max(60, flags.minutes * 12)));
  return { ...flags, warmUpSeconds };
}

/** Runs the traffic for its time; yields a sample every five seconds. */
async function run(
  { minutes }: Circumstances,
  { gateway, client, changes }: { gateway: Gateway; client: Peer; changes: Changes },
): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const sampler = new Sampler(gateway);
  const until = performance.now() + minutes * 60_000;
  const changing = (async () => {
    for (let at = performance.now() + CHANGE_MS; at < until; at += CHANGE_MS) {
      await delay(at - performance.now());
      await changes.next(gateway);
    }
  })();
  for (let at = performance.now() + SAMPLE_MS; at <= until; at += SAMPLE_MS) {
    await Promise.race([delay(at - performance.now()), changing.then(() => new Promise(() => undefined))]);
    const sample = await sampler.take(await client.ask<Account>('account'));
    samples.push(sample);
    console.log(lineOf(sample));
  }
  await changing;
  return samples;
}

/** Waits until nothing is open any more, at most for a minute, and says what is. */
async function quiet(gateway: Gateway, before: number): Promise<{ metrics: Metrics; after: number }> {
  const until = performance.now() + QUIET_MS;
  for (;;) {
    const metrics = await scrape(gateway);
    const held = GAUGES.reduce((sum, gauge) => sum + sumOf(metrics, gauge), 0);
    // The scrape's own connection takes its time to go.
    await delay(500);
    const after = descriptorsOf(gateway);
    if ((held === 0 && after <= before) || performance.now() > until) return { metrics, after };
  }
}

async function soak(circumstances: Circumstances, folder: string): Promise<Soaked> {
  const upstream = startPeer(new URL('./soak/upstream.ts', import.meta.url));
  const client = startPeer(new URL('./soak/client.ts', import.meta.url));
  const upstreams = { port: await upstream.ask<number>('start'), deadPort: await freePort() };
  const changes = new Changes(join(folder, 'gateway.json'), upstreams, (generations) =>
    client.ask('generations', generations),
  );
  const gateway = await startGateway(changes.file);
  await scrape(gateway);
  await delay(500);
  const before = descriptorsOf(gateway);
  const { rate, seed, warmUpSeconds } = circumstances;
  await client.ask('start', { url: gateway.url, rate, seed });
  const samples = await run(circumstances, { gateway, client, changes });
  const account = await client.ask<Account>('end');
  const { metrics, after } = await quiet(gateway, before);
  const sightings = await upstream.ask<Sightings>('sightings');
  const exitCode = await gateway.stop();
  await Promise.all([client.end(), upstream.end()]);
  return {
    samples,
    steady: samples.filter(({ at }) => at > warmUpSeconds),
    account,
    sightings,
    metrics,
    audited: gateway.audited(),
    complaints: gateway.complaints,
    descriptors: { before, after },
    changes: { made: changes.made, refused: changes.refused },
    exitCode,
  };
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
const flags = readFlags();
const folder = mkdtempSync(join(tmpdir(), 'mrtr-gateway-soak-'));
const soaked = await soak(flags, folder).finally(() => rmSync(folder, { recursive: true }));
console.log(`\n${textOf(soaked, flags)}`);
if (flags.write) writeFileSync('docs/soak.md', pageOf(soaked, flags));
process.exit(problemsOf(soaked).length === 0 ? 0 : 1);
