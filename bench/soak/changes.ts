/** Changes of the configuration while it is in use, in each way that is documented. */
import { renameSync, writeFileSync } from 'node:fs';
import { type Gateway, REFUSED_LINE, RELOADED_LINE } from './gateway.js';
import { configOf, INVALID, type Upstreams } from './generations.js';
import type { Generations } from './traffic.js';

/** In turn: a file in the place of the old one, as mounted ones come; the old one written anew; SIGHUP; and a mistake. */
const WAYS = ['replaced', 'signalled', 'mistaken', 'written', 'signalled', 'mistaken'] as const;

export class Changes {
  made = 0;
  refused = 0;
  #turn = 0;
  #generation = 1;
  readonly file: string;
  readonly #upstreams: Upstreams;
  readonly #tell: (generations: Generations) => Promise<unknown>;

  constructor(file: string, upstreams: Upstreams, tell: (generations: Generations) => Promise<unknown>) {
    this.file = file;
    this.#upstreams = upstreams;
    this.#tell = tell;
    writeFileSync(file, this.#text(1));
  }

  /** Resolves when the gateway has said what it made of the next one. */
  async next(gateway: Gateway): Promise<void> {
    const way = WAYS[this.#turn % WAYS.length];
    this.#turn += 1;
    if (way === 'mistaken') return this.#mistake(gateway);
    const newest = this.#generation + 1;
    await this.#tell({ oldest: this.#generation, newest });
    const reloaded = gateway.says(RELOADED_LINE);
    if (way === 'replaced') {
      writeFileSync(`${this.file}.new`, this.#text(newest));
      renameSync(`${this.file}.new`, this.file);
    } else {
      writeFileSync(this.file, this.#text(newest));
      if (way === 'signalled') gateway.signal('SIGHUP');
    }
    await reloaded;
    this.#generation = newest;
    this.made += 1;
    await this.#tell({ oldest: newest, newest });
  }

  async #mistake(gateway: Gateway): Promise<void> {
    const spoil = INVALID[this.refused % INVALID.length];
    const refused = gateway.says(REFUSED_LINE);
    writeFileSync(this.file, spoil?.(configOf(this.#generation + 1, this.#upstreams)) ?? '');
    await refused;
    this.refused += 1;
  }

  #text(generation: number): string {
    return JSON.stringify(configOf(generation, this.#upstreams), undefined, 2);
  }
}
