/** The client of every subject: sends what it is told by IPC, looks at each answer, and reports. */
import { cpuNanoseconds } from '../lab/cpu.js';
import { Connection } from './connection.js';
import { dueTimes, startMetronome } from './metronome.js';
import type { LoadOrder, LoadReport, Pace } from './protocol.js';

type PaceOf<K extends Pace['kind']> = Extract<Pace, { kind: K }>;

class Load {
  readonly #order: LoadOrder;
  readonly #report: (report: LoadReport) => void;
  readonly #connections: Connection[] = [];
  readonly #idle: Connection[] = [];
  readonly #waiting: number[] = [];
  readonly #latencies: number[] = [];
  readonly #faults: Record<string, number> = {};
  #next = 0;
  #answered = 0;
  #resent = 0;
  #answeredInAll = 0;
  #measuresFromMs = Number.POSITIVE_INFINITY;
  #begunCpu = 0;
  #result: Pick<LoadReport, 'exchanges' | 'seconds' | 'cpuNanoseconds'> | undefined;
  /** What an answer leads to. */
  #proceed: (connection: Connection) => void = () => {};

  constructor(order: LoadOrder, report: (report: LoadReport) => void) {
    this.#order = order;
    this.#report = report;
    const mayResend = () => {
      if (order.resends) this.#resent += 1;
      return order.resends === true;
    };
    const answered = (connection: Connection, fault: string | undefined) => this.#take(connection, fault);
    for (let n = 0; n < order.connections; n += 1)
      this.#connections.push(new Connection(order.port, { answered, mayResend }));
    this.#idle.push(...this.#connections);
  }

  run(): void {
    const { pace } = this.#order;
    if (pace.kind === 'saturate') this.#saturate(pace);
    else if (pace.kind === 'count') this.#count(pace);
    else this.#schedule(pace);
  }

  #saturate({ warmMs, measuredMs }: PaceOf<'saturate'>): void {
    this.#proceed = (connection) => this.#send(connection, performance.now());
    setTimeout(() => this.#begin(), warmMs);
    setTimeout(() => this.#finish(), warmMs + measuredMs);
    this.#sendOnAll();
  }

  #count({ warm, measured }: PaceOf<'count'>): void {
    let answers = 0;
    this.#proceed = (connection) => {
      answers += 1;
      if (answers === warm) this.#begin();
      if (answers < warm + measured) return this.#send(connection, performance.now());
      this.#idle.push(connection);
      if (answers === warm + measured) this.#finish();
    };
    if (warm === 0) this.#begin();
    this.#sendOnAll();
  }

  #schedule({ perSecond, warmMs, measuredMs, seed }: PaceOf<'schedule'>): void {
    const times = dueTimes({ perSecond, forMs: warmMs + measuredMs, seed }, performance.now() + 50);
    this.#proceed = (connection) => {
      const dueMs = this.#waiting.shift();
      if (dueMs === undefined) this.#idle.push(connection);
      else this.#send(connection, dueMs);
    };
    setTimeout(() => this.#begin(), 50 + warmMs);
    startMetronome(
      times,
      (dueMs) => {
        const connection = this.#idle.pop();
        if (connection === undefined) this.#waiting.push(dueMs);
        else this.#send(connection, dueMs);
      },
      () => this.#finish(),
    );
  }

  #sendOnAll(): void {
    for (const connection of this.#idle.splice(0)) this.#send(connection, performance.now());
  }

  #send(connection: Connection, dueMs: number): void {
    const { exchanges } = this.#order;
    const exchange = exchanges[this.#next++ % exchanges.length];
    if (exchange === undefined) throw new Error('nothing to send');
    connection.send(exchange, dueMs);
  }

  #take(connection: Connection, fault: string | undefined): void {
    this.#answered += 1;
    this.#answeredInAll += fault === undefined ? 1 : 0;
    if (fault !== undefined) this.#faults[fault] = (this.#faults[fault] ?? 0) + 1;
    if (connection.dueMs >= this.#measuresFromMs)
      this.#latencies.push((performance.now() - connection.dueMs) * 1_000);
    if (this.#result === undefined || this.#waiting.length > 0) this.#proceed(connection);
    else this.#idle.push(connection);
    this.#reportWhenQuiet();
  }

  #begin(): void {
    this.#begunCpu = cpuNanoseconds(this.#order.pids);
    this.#measuresFromMs = performance.now();
    this.#answered = 0;
  }

  #finish(): void {
    this.#result = {
      exchanges: this.#answered,
      seconds: (performance.now() - this.#measuresFromMs) / 1_000,
      cpuNanoseconds: cpuNanoseconds(this.#order.pids) - this.#begunCpu,
    };
    this.#reportWhenQuiet();
  }

  #reportWhenQuiet(): void {
    if (this.#result === undefined || this.#idle.length < this.#connections.length) return;
    for (const connection of this.#connections) connection.close();
    this.#idle.length = 0;
    const latencies = Float64Array.from(this.#latencies).sort();
    this.#report({
      ...this.#result,
      ...{ faults: this.#faults, latencies, answered: this.#answeredInAll, resent: this.#resent },
    });
  }
}

process.on('message', (order: LoadOrder) => {
  new Load(order, (report) => process.send?.(report)).run();
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
