import type { Counter, Registry } from 'prom-client';

export interface CountSettings<L extends string> {
  readonly type: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly L[];
  readonly registers: readonly Registry[];
}

type Labels<L extends string> = Readonly<Record<L, string>>;

/** One series: a number that whoever counts holds on to. */
export interface Tally {
  value: number;
}

interface Series<L extends string> extends Tally {
  readonly labels: Labels<L>;
}

/**
 * A counter or gauge that a prom-client registry takes like its own and prints alike. prom-client's builds, sorts and
 * joins the label set anew at every change, which is more than the change itself costs by far.
 */
export class Count<L extends string> {
  readonly aggregator = 'sum';
  readonly type: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly #series = new Map<string, Series<L>>();
  readonly #labelNames: readonly L[];

  constructor({ type, name, help, labelNames, registers }: CountSettings<L>) {
    this.type = type;
    this.name = name;
    this.help = help;
    this.#labelNames = labelNames;
    // The registry asks a metric for its name, its help and get(), and the type describes prom-client's own classes.
    for (const registry of registers) registry.registerMetric(this as unknown as Counter);
  }

  /** The series of these labels; it is there, at 0, from now on. */
  series(labels: Labels<L>): Tally {
    const key = this.#key(labels);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const series: Series<L> = { value: 0, labels };
    this.#series.set(key, series);
    return series;
  }

  remove(labels: Labels<L>): void {
    this.#series.delete(this.#key(labels));
  }

  reset(): void {
    for (const series of this.#series.values()) series.value = 0;
  }

  get() {
    const { name, help, type, aggregator } = this;
    const values = [...this.#series.values()].map(({ value, labels }) => ({ value, labels }));
    return Promise.resolve({ name, help, type, aggregator, values });
  }

  #key(labels: Labels<L>): string {
    return this.#labelNames.map((name) => JSON.stringify(labels[name])).join();
  }
}
