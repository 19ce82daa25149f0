import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FuzzSettings, fuzz, readSettings, Seen } from './fuzz.js';

const BRIEF = readSettings({});

async function failureOf(property: fc.IProperty<unknown>, settings: FuzzSettings): Promise<string> {
  const failure = await fuzz(property as fc.IProperty<[unknown]>, {}, settings).catch(
    (error: Error) => error,
  );
  return failure?.message ?? '';
}

describe('a property', () => {
  const small = fc.property(fc.nat(), (value) => value < 1_000);

  it('that fails tells the smallest case and how to run it again', async () => {
    const message = await failureOf(small, BRIEF);
    expect(message).toContain('Counterexample: [1000]');
    const [, seed, path] =
      /FUZZ_SEED=(\d+) FUZZ_PATH=([\d:]+) FUZZ_RUNS=1 npm run fuzz -- test\/support/.exec(
        message,
      ) as RegExpExecArray;
    const again = await failureOf(small, readSettings({ FUZZ_SEED: seed, FUZZ_PATH: path, FUZZ_RUNS: '1' }));
    expect(again).toContain('Counterexample: [1000]');
  });

  it('is tried on the same cases every time', async () => {
    const runs = [1, 2].map(async () => {
      const cases: number[] = [];
      await fuzz(
        fc.property(fc.nat(), (value) => {
          cases.push(value);
        }),
        { cases: 20 },
        BRIEF,
      );
      return cases;
    });
    const [one, other] = await Promise.all(runs);
    expect(one).toHaveLength(20);
    expect(other).toEqual(one);
  });

  it('that runs out of time is done, however few its cases were', async () => {
    const seen = new Seen(['never']);
    await fuzz(
      fc.property(fc.nat(), () => {}),
      { seen },
      { ...BRIEF, timeMs: -1 },
    );
  });

  it('that runs out of time in the middle of a case waits for its end', async () => {
    let running = 0;
    const property = fc.asyncProperty(fc.nat(), async () => {
      running += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
    });
    await fuzz(property, {}, { ...BRIEF, timeMs: 50 });
    expect(running).toBe(0);
  });

  it('whose cases are not what they are for fails', async () => {
    const seen = new Seen(['even', 'odd']);
    const property = fc.property(fc.nat(), () => seen.add('even'));
    await expect(fuzz(property, { cases: 20, seen }, BRIEF)).rejects.toThrow('hardly occur');
  });

  it('tried by hand goes on until its time is over, or its cases', () => {
    expect(readSettings({ FUZZ_SECONDS: '3' })).toMatchObject({
      timeMs: 3_000,
      runs: Number.MAX_SAFE_INTEGER,
    });
    expect(readSettings({ FUZZ_RUNS: '7', FUZZ_SEED: '5' })).toMatchObject({
      timeMs: undefined,
      runs: 7,
      seed: 5,
    });
    expect(readSettings({ FUZZ_SECONDS: '' })).toEqual(BRIEF);
  });
});
