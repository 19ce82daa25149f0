import type { JsonValue } from '../protocol/messages.js';
import type { Config } from './schema.js';

/** Where an effective value comes from, least to most preferred. */
export type Origin = 'default' | 'file' | 'env' | 'flag';

/** What is wrong and where: a key's path, a variable's name, or a place in the file. Neither ever holds a secret. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** Everything that is wrong with a configuration. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(lineOf).join('\n'));
    this.problems = problems;
  }
}

export function lineOf({ path, message }: Problem): string {
  return path === '' ? message : `${path}: ${message}`;
}

/** A checked configuration, frozen, and where it came from. */
export interface LoadedConfig {
  readonly config: Config;
  /** Origins other than default, by the value's path (`routes[0].path`); list values as a whole. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** What stands for a value when the configuration is shown, by path: `${NAME}` and `{ file: … }` as written. */
  readonly written: ReadonlyMap<string, JsonValue>;
  /** Files that were read, the configuration file first: a change to any is a change of configuration. */
  readonly files: readonly string[];
}

export interface StartOptions {
  readonly loaded: LoadedConfig;
  /** Write exchanges down. */
  readonly capture?: CaptureRequest | undefined;
  /** Reads the configuration anew, for SIGHUP and changed files; throws ConfigError. Undefined: there is no file. */
  readonly reload?: (() => LoadedConfig) | undefined;
}

export interface CaptureRequest {
  readonly file: string;
  /** Every byte, credentials and all. */
  readonly full: boolean;
}

/** Serves until it is told to stop; resolves to the process's exit code: 0 after a drain, 1 when it could not serve. */
export type StartGateway = (options: StartOptions) => Promise<number>;

/** Keys whose change takes a restart to have effect. */
export function restartKeys(before: Config, after: Config): readonly string[] {
  return (['listen', 'admin'] as const).filter((key) => before[key] !== after[key]);
}

/** What it means to seal without a configured key. */
export const OWN_KEY_WARNING =
  'no seal.keys: request states are sealed with a key of this process alone. ' +
  'A restart ends every operation that waits for an answer, and other replicas refuse its states. ' +
  'Make a key with `mrtr-gateway keygen` and give it to all of them';
