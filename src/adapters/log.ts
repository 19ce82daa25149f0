import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { LineWriter } from './log-lines.js';

export interface LogOptions {
  /** pino's level names. */
  readonly level: string;
  /** For people at a terminal instead of JSON lines. */
  readonly pretty: boolean;
  /** Of `pretty`: on unless said otherwise. */
  readonly colours?: boolean;
  /** File descriptor; 1 is stdout. */
  readonly fd: number;
}

export interface Log {
  readonly logger: Logger;
  /** Takes whole lines, whatever the level is: `log.audit` alone decides about the audit log. */
  readonly audit: DestinationStream;
  setLevel(level: string): void;
  /** Before the process ends: resolves when every line is written, or after `withinMs` (5000). */
  flush(withinMs?: number): Promise<void>;
  /** In the process's `exit` event: what a crash or a `process.exit` left behind. */
  flushSync(): void;
}

const FLUSH_MS = 5000;
const OMITTED = '[omitted]';

export function createLog({ level, pretty, colours = true, fd }: LogOptions): Log {
  const lines = new LineWriter(fd);
  const destination = pretty ? readable(lines, colours) : lines;
  const logger = createLogger(level, destination);
  return {
    logger,
    audit: destination,
    setLevel: (next) => {
      logger.level = next;
    },
    flush: (withinMs = FLUSH_MS) => lines.flush(withinMs),
    flushSync: () => lines.flushSync(),
  };
}

/** The project's log format on any stream. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: {
        err: describeError,
        error: describeError,
        headers: () => OMITTED,
        req: () => OMITTED,
        res: () => OMITTED,
      },
    },
    destination,
  );
}

function readable(lines: DestinationStream, colorize: boolean): DestinationStream {
  const pretty = prettyFactory({ colorize, translateTime: 'SYS:HH:MM:ss.l', singleLine: true });
  return { write: (line) => lines.write(pretty(line)) };
}

interface ErrorRecord {
  readonly type: string;
  readonly code?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorRecord;
}

/** An error without its other members: they may hold headers and raw bytes. A SyntaxError's message quotes what was parsed. */
function describeError(error: unknown, depth = 0): ErrorRecord {
  if (!(error instanceof Error)) return { type: typeof error, message: OMITTED };
  const quotes = error instanceof SyntaxError;
  const { name, message, stack, cause } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: name,
    ...(code !== undefined && { code }),
    message: quotes ? OMITTED : message,
    ...(stack !== undefined && { stack: quotes ? framesOf(stack) : stack }),
    ...(cause !== undefined && depth < 4 && { cause: describeError(cause, depth + 1) }),
  };
}

function framesOf(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n');
}
