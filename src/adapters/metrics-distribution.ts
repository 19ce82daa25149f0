import type { Histogram, Registry } from 'prom-client';

export interface DistributionSettings<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly L[];
  /** Ascending upper bounds. */
  readonly buckets: readonly number[];
  readonly registers: readonly Registry[];
}

type Labels<L extends string> = Readonly<Record<L, string>>;

interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/**
 * A histogram that a prom-client registry takes like its own and prints alike. prom-client's turns the bucket's bound
 * into an object key at every observation, which costs more than the rest of an exchange's bookkeeping together.
 */
export class Distribution<L extends string> {
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly name: string;
  readonly help: string;
  readonly #cells = new Map<string, Cell>();
  readonly #settings: DistributionSettings<L>;

  constructor(settings: DistributionSettings<L>) {
    this.#settings = settings;
    this.name = settings.name;
    this.help = settings.help;
    // The registry asks a metric for its name, its help and get(), and the type describes prom-client's own classes.
    for (const registry of settings.registers) registry.registerMetric(this as unknown as Histogram);
  }

  /** The series of these labels; it is there, at 0, from now on. */
  series(labels: Labels<L>): Cell {
    const key = this.#settings.labelNames.map((name) => JSON.stringify(labels[name])).join();
    const known = this.#cells.get(key);
    if (known !== undefined) return known;
    const cell = new Cell(labels, this.#settings.buckets);
    this.#cells.set(key, cell);
    return cell;
  }

  reset(): void {
    for (const cell of this.#cells.values()) cell.reset();
  }

  get() {
    const { name, help, type, aggregator } = this;
    const values = [...this.#cells.values()].flatMap((cell) => cell.samples(name));
    return Promise.resolve({ name, help, type, aggregator, values });
  }
}

export class Cell {
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(
    readonly labels: Readonly<Record<string, string>>,
    readonly bounds: readonly number[],
  ) {
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let index = 0;
    for (const bound of this.bounds) {
      if (value <= bound) break;
      index += 1;
    }
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
  }

  reset(): void {
    this.#counts.fill(0);
    this.#sum = 0;
  }

  samples(name: string): Sample[] {
    const { labels } = this;
    let total = 0;
    const buckets = [...this.bounds, '+Inf'].map((le, index): Sample => {
      total += this.#counts[index] ?? 0;
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: total };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: total },
    ];
  }
}
