/** `mrtr-gateway demo`: the gateway in profile ze, in front of the embedded stand-in for Ze. */

import { loadConfig } from '../config/load.js';
import { ConfigError, type Problem, type StartGateway } from '../config/loaded.js';
import { suggestion } from '../config/nearest.js';
import type { Environment } from '../config/resolve.js';
import { isMisbehaviour, MISBEHAVIOURS, type Misbehaviour } from '../demo/misbehave.js';
import { startDemoUpstream } from '../demo/upstream.js';
import { CAPTURE_FULL_SAYS, CAPTURE_SAYS, type CaptureFlags, readCapture } from './capture-flags.js';
import { type Declaration, gather } from './declaration.js';
import { describe } from './help.js';

export interface DemoFlags extends CaptureFlags {
  readonly listen?: string | undefined;
  readonly admin?: string | undefined;
  /** Each a comma separated list of ways to misbehave. */
  readonly misbehave?: readonly string[] | undefined;
}

/** Serves until it is told to stop; resolves to the exit code. Throws ConfigError with every problem. */
export async function runDemo(flags: DemoFlags, env: Environment, start: StartGateway): Promise<number> {
  const misbehave = readMisbehaviours(flags.misbehave ?? []);
  const capture = readCapture(flags);
  const ze = await startDemoUpstream({ host: '127.0.0.1', port: 0, misbehave });
  try {
    const { listen, admin } = flags;
    const elicits = ['ze_execute=command'];
    const loaded = loadConfig({ flags: { listen, admin, upstream: ze.url, profile: 'ze', elicits }, env });
    return await start({ loaded, capture });
  } finally {
    await ze.close();
  }
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

export const declareDemo: Declaration = (program, act) =>
  describe(
    program
      .command('demo')
      .description('stand in front of an embedded stand-in for Ze')
      .option('--misbehave <WAY[,WAY]>', 'how the stand-in breaks the rules; repeatable', gather)
      .option('--listen <HOST:PORT>', 'where clients connect (127.0.0.1:9719)')
      .option('--admin <HOST:PORT>', 'where /metrics, /healthz and /readyz are (127.0.0.1:9720)')
      .option('--capture <FILE>', CAPTURE_SAYS)
      .option('--capture-full', CAPTURE_FULL_SAYS)
      .action((flags) => act(({ env, start }) => runDemo(flags, env, start))),
    {
      sections: [
        {
          title: 'Ways to misbehave',
          rows: Object.entries(MISBEHAVIOURS).map(([name, { says }]) => [name, says]),
        },
      ],
      values: { '--misbehave': Object.keys(MISBEHAVIOURS), '--capture': 'file' },
      examples: [
        ['demo', 'the gateway in front of the stand-in, on the default ports'],
        ['demo --misbehave url-mode,sampling', 'the stand-in asks for what profile ze does not allow'],
      ],
    },
  );
