import type { Readable, Writable } from 'node:stream';
import type { StartGateway } from '../config/loaded.js';
import type { Environment } from '../config/resolve.js';

/** What a command has of the world outside: tests give their own. */
export interface World {
  readonly env: Environment;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly start: StartGateway;
  /** Undefined: there is nothing to read. */
  readonly stdin?: () => Readable;
  /** Where to ask: undefined when nobody is there to answer. */
  readonly terminal?: Writable;
  /** What is printed may be coloured. */
  readonly colours?: boolean;
}

export const EXIT_OK = 0;
export const EXIT_FAILED = 1;
/** Wrong usage or configuration; nothing was started. */
export const EXIT_USAGE = 2;
