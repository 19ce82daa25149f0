/** Lines of a script, or of a person at a terminal. */
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** `end`: the input is over, or Ctrl-D; `escape`: Esc; `interrupt`: Ctrl-C. */
export type Line = { readonly text: string } | 'end' | 'escape' | 'interrupt';

interface Key {
  readonly name?: string;
}

/** With `terminal` there is a person: lines are edited there and prompts shown. */
export class Lines {
  readonly #input: Readable;
  readonly #terminal: Writable | undefined;
  readonly #queue: string[] = [];
  #interface: Interface | undefined;
  #waiting: ((line: Line) => void) | undefined;
  #over = false;
  /** Told of Ctrl-C, and whether a line was waited for. */
  interrupted: (waiting: boolean) => void = () => undefined;

  constructor(input: Readable, terminal: Writable | undefined) {
    this.#input = input;
    this.#terminal = terminal;
    if (terminal !== undefined)
      input.on('keypress', (_: unknown, key: Key | undefined) => this.#pressed(key));
  }

  get interactive(): boolean {
    return this.#terminal !== undefined;
  }

  next(prompt = ''): Promise<Line> {
    const queued = this.#queue.shift();
    if (queued !== undefined) return Promise.resolve({ text: queued });
    if (this.#over) return Promise.resolve('end');
    return new Promise((resolve) => {
      this.#waiting = resolve;
      const reader = this.#open();
      if (!this.interactive) return;
      reader.setPrompt(prompt);
      reader.prompt();
    });
  }

  /** Prints while a line may be half typed: the prompt is moved below. */
  aside(print: () => void): void {
    if (this.#waiting === undefined || this.#terminal === undefined) return print();
    this.#terminal.write('\r\u001b[K');
    print();
    this.#interface?.prompt(true);
  }

  close(): void {
    this.#over = true;
    this.#interface?.close();
  }

  #open(): Interface {
    if (this.#interface !== undefined) return this.#interface;
    const reader =
      this.#terminal === undefined
        ? createInterface({ input: this.#input, crlfDelay: Number.POSITIVE_INFINITY })
        : createInterface({ input: this.#input, output: this.#terminal, terminal: true });
    reader.on('line', (text) => {
      if (this.#waiting === undefined) this.#queue.push(text);
      else this.#settle({ text });
    });
    reader.on('SIGINT', () => this.#interrupt());
    reader.on('close', () => this.#closed());
    this.#interface = reader;
    return reader;
  }

  /** On a terminal Ctrl-D ends what was asked, not the terminal: the next line is read by a new reader. */
  #closed(): void {
    this.#interface = undefined;
    if (!this.interactive) this.#over = true;
    else if (!this.#over) this.#terminal?.write('\n');
    this.#settle('end');
  }

  #pressed(key: Key | undefined): void {
    if (key?.name !== 'escape' || this.#waiting === undefined) return;
    this.#interface?.write(null, { ctrl: true, name: 'e' });
    this.#interface?.write(null, { ctrl: true, name: 'u' });
    this.#terminal?.write('\n');
    this.#settle('escape');
  }

  #interrupt(): void {
    const waiting = this.#waiting !== undefined;
    if (waiting) this.#terminal?.write('\n');
    this.interrupted(waiting);
    this.#settle('interrupt');
  }

  #settle(line: Line): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(line);
  }
}
