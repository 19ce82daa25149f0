/** Runs `mrtr-gateway probe` in this process, driven by a script. */
import { Readable } from 'node:stream';
import { run } from '../../src/cli.js';

export interface Probed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** With --json: what was printed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read freely into what they assert
  readonly events: readonly any[];
}

export async function probe(
  args: readonly string[],
  script: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Probed> {
  let [out, err] = ['', ''];
  const code = await run(['probe', ...args], {
    env,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    start: async () => 1,
    stdin: () => Readable.from(script.map((line) => `${line}\n`)),
  });
  const events = args.includes('--json')
    ? out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];
  return { code, out, err, events };
}
