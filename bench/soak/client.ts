/** The client process of a soak: begins scenarios at a steady rate, whatever becomes of those before. */
import { CALLS } from './calls.js';
import { FAULTY } from './faults.js';
import { JUDGED } from './judged.js';
import { answerFirst } from './peer.js';
import { ROUNDS } from './rounds.js';
import { STREAMS } from './streams.js';
import { type Account, Tally } from './tally.js';
import { type Generations, type Scenario, Traffic } from './traffic.js';
import { Wire } from './wire.js';

const TICK_MS = 10;
/** What a machine that was busy with something else has missed is made up for little by little. */
const MOST_A_TICK = 12;
/** More at once would only measure how the machine chokes. */
const MOST_RUNNING = 1_500;
const SCENARIOS: readonly Scenario[] = [...CALLS, ...ROUNDS, ...JUDGED, ...FAULTY, ...STREAMS];
const WEIGHT = SCENARIOS.reduce((sum, { weight }) => sum + weight, 0);

interface Start {
  readonly url: string;
  /** Exchanges a second. */
  readonly rate: number;
  readonly seed: number;
}

class Client {
  readonly #tally = new Tally();
  readonly #wire: Wire;
  readonly #traffic: Traffic;
  readonly #rate: number;
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;
  #settled: () => void = () => undefined;

  constructor({ url, rate, seed }: Start) {
    this.#wire = new Wire(url);
    this.#traffic = new Traffic(this.#wire, this.#tally, seed);
    this.#rate = rate;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  generations(generations: Generations): void {
    this.#traffic.generations = generations;
  }

  account(): Account {
    return this.#tally.account();
  }

  /** Begins nothing more; resolves when all that was begun has ended. */
  async end(): Promise<Account> {
    clearInterval(this.#timer);
    await new Promise<void>((resolve) => {
      this.#settled = resolve;
      if (this.#tally.running === 0) resolve();
    });
    this.#wire.close();
    return this.account();
  }

  /** Later exchanges of a scenario count against the rate like first ones. */
  #tick(): void {
    const due = ((performance.now() - this.#began) / 1_000) * this.#rate;
    for (let n = 0; n < MOST_A_TICK && this.#tally.begun + this.#tally.heldBack < due; n += 1) {
      if (this.#tally.running < MOST_RUNNING) void this.#run(this.#choose());
      else this.#tally.heldBack += 1;
    }
  }

  #choose(): Scenario {
    let left = this.#traffic.random() * WEIGHT;
    for (const scenario of SCENARIOS) {
      left -= scenario.weight;
      if (left < 0) return scenario;
    }
    return SCENARIOS[0] as Scenario;
  }

  async #run({ kind, run }: Scenario): Promise<void> {
    this.#tally.running += 1;
    try {
      await run(this.#traffic);
    } catch (error) {
      this.#tally.failed(kind, error as Error);
    }
    this.#tally.running -= 1;
    if (this.#tally.running === 0) this.#settled();
  }
}

let client: Client | undefined;

answerFirst({
  start: (start: Start) => {
    client = new Client(start);
  },
  generations: (generations: Generations) => client?.generations(generations),
  account: () => client?.account(),
  end: () => client?.end(),
});
