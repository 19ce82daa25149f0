import { readFileSync } from 'node:fs';

interface PackageFacts {
  readonly version: string;
  /** Written into a published package. */
  readonly gitHead?: string;
}

const FACTS = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as PackageFacts;

/** What build_info and the first log line say. */
export const BUILD = { version: FACTS.version, revision: FACTS.gitHead ?? 'unknown' };
