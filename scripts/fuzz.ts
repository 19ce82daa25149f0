/** Runs the tests of test/fuzz, or those named, with a seed of their own: `npm run fuzz -- [NAME] [-t TITLE]`. */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

const SECONDS = '10';

const { env } = process;
const seed = env.FUZZ_SEED ?? String(randomInt(2 ** 31));
const time = env.FUZZ_SECONDS ?? (env.FUZZ_RUNS === undefined ? SECONDS : undefined);
const [first = '-', ...others] = process.argv.slice(2);
const named = first.startsWith('-') ? ['test/fuzz/', ...process.argv.slice(2)] : [pathOf(first), ...others];
console.log(`FUZZ_SEED=${seed}${time === undefined ? '' : ` FUZZ_SECONDS=${time}`}`);
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...named], {
  stdio: 'inherit',
  env: { ...env, FUZZ_SEED: seed, ...(time === undefined ? {} : { FUZZ_SECONDS: time }) },
});
process.exitCode = status ?? 1;

function pathOf(name: string): string {
  return name.includes('/') ? name : `test/fuzz/${name}`;
}
