/** The built binary under test, as an operator runs it: a file, signals, lines on stdout, the admin listener. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const AUDIT_END = '"msg":"exchange"}';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly url?: string;
  readonly adminUrl?: string;
}

export interface Gateway {
  readonly pid: number;
  readonly url: string;
  readonly adminUrl: string;
  readonly audited: () => number;
  /** Lines of level error and above, and warnings, but for refused configurations. */
  readonly complaints: readonly string[];
  /** The next line that says so. */
  readonly says: (msg: string) => Promise<void>;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Resolves to the exit code. */
  readonly stop: () => Promise<unknown>;
}

export async function startGateway(file: string): Promise<Gateway> {
  const child = spawn(process.execPath, ['dist/cli.js', 'serve', '--config', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'close');
  process.once('exit', () => child.kill('SIGKILL'));
  const log = new Log(child);
  const gone = exited.then(([code]) => {
    throw new Error(`the gateway ended with ${code}`);
  });
  gone.catch(() => undefined);
  const { url = '', adminUrl = '' } = await Promise.race([log.next('listening'), gone]);
  return {
    pid: child.pid ?? 0,
    url,
    adminUrl,
    audited: () => log.audited,
    complaints: log.complaints,
    says: async (msg) => void (await Promise.race([log.next(msg), gone])),
    signal: (name) => void child.kill(name),
    stop: async () => {
      child.kill('SIGTERM');
      const [code] = await exited;
      return code;
    },
  };
}

class Log {
  audited = 0;
  readonly complaints: string[] = [];
  readonly #waiting = new Map<string, (line: Line) => void>();

  constructor({ stdout }: ChildProcess) {
    if (stdout !== null) createInterface({ input: stdout }).on('line', (text) => this.#take(text));
  }

  next(msg: string): Promise<Line> {
    return new Promise((resolve) => this.#waiting.set(msg, resolve));
  }

  #take(text: string): void {
    if (text.endsWith(AUDIT_END)) {
      this.audited += 1;
      return;
    }
    const line = JSON.parse(text) as Line;
    if (line.level !== 'info' && line.msg !== REFUSED_LINE) this.complaints.push(text);
    this.#waiting.get(line.msg)?.(line);
    this.#waiting.delete(line.msg);
  }
}

export const RELOADED_LINE = 'configuration reloaded';
export const REFUSED_LINE = 'configuration refused, the old one stays';
