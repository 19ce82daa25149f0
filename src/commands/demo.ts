/** `mrtr-gateway demo`: the gateway in profile ze, in front of the embedded stand-in for Ze. */

import { loadConfig } from '../config/load.js';
import { ConfigError, type Problem, type StartGateway } from '../config/loaded.js';
import { suggestion } from '../config/nearest.js';
import type { Environment } from '../config/resolve.js';
import { isMisbehaviour, MISBEHAVIOURS, type Misbehaviour } from '../demo/misbehave.js';
import { startDemoUpstream } from '../demo/upstream.js';

export interface DemoFlags {
  readonly listen?: string | undefined;
  readonly admin?: string | undefined;
  /** Each a comma separated list of ways to misbehave. */
  readonly misbehave?: readonly string[] | undefined;
}

/** Serves until it is told to stop; resolves to the exit code. Throws ConfigError with every problem. */
export async function runDemo(flags: DemoFlags, env: Environment, start: StartGateway): Promise<number> {
  const misbehave = readMisbehaviours(flags.misbehave ?? []);
  const ze = await startDemoUpstream({ host: '127.0.0.1', port: 0, misbehave });
  try {
    const { listen, admin } = flags;
    const elicits = ['ze_execute=command'];
    const loaded = loadConfig({ flags: { listen, admin, upstream: ze.url, profile: 'ze', elicits }, env });
    return await start({ loaded });
  } finally {
    await ze.close();
  }
}

/** The ways by name and what the stand-in then does, for the command's help. */
export function misbehaviourHelp(): string {
  const ways = Object.entries(MISBEHAVIOURS);
  const width = Math.max(...ways.map(([name]) => name.length));
  return ways.map(([name, { says }]) => `  ${name.padEnd(width)}  ${says}`).join('\n');
}

export function readMisbehaviours(texts: readonly string[]): ReadonlySet<Misbehaviour> {
  const chosen = new Set<Misbehaviour>();
  const problems: Problem[] = [];
  for (const text of texts) {
    for (const name of text.split(',').map((part) => part.trim())) {
      if (isMisbehaviour(name)) chosen.add(name);
      else problems.push({ path: '--misbehave', message: unknown(name) });
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return chosen;
}

function unknown(name: string): string {
  const names = Object.keys(MISBEHAVIOURS);
  return `${name} is unknown${suggestion(name, names) || `; known are ${names.join(', ')}`}`;
}
