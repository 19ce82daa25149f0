/** Programs that are no npm packages: without one its tests are skipped, unless CI=true, where that is a failure. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it } from 'vitest';

/** In CI nothing is skipped because something is absent. */
export const IN_CI = process.env.CI === 'true';

/** Daemons are there, and not on everybody's PATH. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin'];

/** The first file of this name on PATH that can be run. */
export function findProgram(name: string, path = process.env.PATH ?? ''): string | undefined {
  return [...path.split(delimiter), ...SYSTEM_FOLDERS]
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** `describe` for tests that run this program, which is also looked for under its other names. */
export function describeWith(
  program: string | readonly string[],
  title: string,
  tests: (path: string) => void,
): void {
  const names = [program].flat();
  const path = names.map((name) => findProgram(name)).find((found) => found !== undefined);
  describeIf(path !== undefined, `${names.join(' or ')} is not installed`, title, () => tests(path ?? ''));
}

/** `describe` for tests that need what may be absent; `absence` says what is. */
export function describeIf(present: boolean, absence: string, title: string, tests: () => void): void {
  if (present) describe(title, tests);
  else if (!IN_CI) describe.skipIf(true)(`${title} (skipped: ${absence})`, tests);
  else
    describe(title, () => {
      it('finds what it needs', () => {
        throw new Error(absence);
      });
    });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
