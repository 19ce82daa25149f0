/** The built binary in a real pseudo-terminal, which Python's pty module makes. */
import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { CLI } from './binary.js';

/** Runs its arguments in a terminal, passes bytes both ways, ends as they end; they end with it. */
const RELAY = `
import os, pty, select, signal, sys
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[1], sys.argv[1:])
end = lambda *_: os.kill(child, signal.SIGKILL)
signal.signal(signal.SIGTERM, end)
sources = [terminal, 0]
while True:
    ready = select.select(sources, [], [])[0]
    if 0 in ready:
        typed = os.read(0, 65536)
        if typed:
            os.write(terminal, typed)
        else:
            sources.remove(0)
            end()
    if terminal in ready:
        try:
            shown = os.read(terminal, 65536)
        except OSError:
            break
        if not shown:
            break
        os.write(1, shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255)
`;

/** Sequences that a line editor moves its cursor by. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CURSOR = /\u001b\[[0-9;?]*[A-HJKfhl]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const COLOUR = /\u001b\[[0-9;]*m/g;

export interface Terminal {
  readonly type: (keys: string) => void;
  /** Resolves when the text has come after what the call before waited for; rejects when the program ends first. */
  readonly until: (text: string) => Promise<void>;
  /** What came, without what moves the cursor or colours it. */
  readonly screen: () => string;
  /** What came, byte for byte. */
  readonly bytes: () => string;
  readonly code: Promise<number>;
}

export function startTerminal(
  python: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Terminal {
  const child = spawn(python, ['-c', RELAY, process.execPath, CLI, ...args], {
    env: { ...process.env, TERM: 'xterm', NO_COLOR: '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGTERM'));
  let bytes = '';
  let seen = 0;
  const screen = () => bytes.replace(CURSOR, '').replace(COLOUR, '').replaceAll('\r', '');
  const looking = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    bytes += text;
    for (const look of looking) look();
  });
  const code = new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? -1)));
  return {
    type: (keys) => void child.stdin.write(keys),
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const at = screen().indexOf(text, seen);
          if (at < 0) return;
          seen = at + text.length;
          looking.delete(look);
          resolve();
        };
        looking.add(look);
        look();
        void code.then((status) => reject(new Error(`ended with ${status} before ${text}:\n${screen()}`)));
      }),
    screen,
    bytes: () => bytes,
    code,
  };
}
