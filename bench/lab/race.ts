/** The same exchanges through each subject in turn, round by round. */
import type { Exchange, LoadReport, Pace } from '../parts/protocol.js';
import type { Subject, SubjectKind } from '../subjects/subject.js';
import type { Lab } from './lab.js';
import { probe } from './probe.js';

/** A request, and what must hold for its answer. */
export interface Trial {
  readonly request: Uint8Array;
  readonly status: number;
  readonly slackBytes?: number;
  /** Throws when the body is not what it should be. */
  readonly check: (body: string) => void;
}

export interface Entrant {
  readonly kind: SubjectKind;
  readonly subject: Subject;
  readonly exchanges: readonly Exchange[];
}

/** Starts each and lets it answer every trial once. */
export async function enter(
  lab: Lab,
  kinds: readonly SubjectKind[],
  trialsFor: (kind: SubjectKind, port: number) => readonly Trial[] | Promise<readonly Trial[]>,
): Promise<Entrant[]> {
  const entrants: Entrant[] = [];
  for (const kind of kinds) {
    const subject = await kind.start(lab.site);
    try {
      const exchanges: Exchange[] = [];
      for (const trial of await trialsFor(kind, subject.port))
        exchanges.push(await expectation(subject.port, trial));
      entrants.push({ kind, subject, exchanges });
    } catch (error) {
      await subject.stop();
      await leave(entrants);
      throw new Error(`${kind.name} does not answer as it should`, { cause: error });
    }
  }
  return entrants;
}

export async function leave(entrants: readonly Entrant[]): Promise<void> {
  for (const { subject } of entrants) await subject.stop();
}

export async function expectation(port: number, trial: Trial): Promise<Exchange> {
  const { status, bodyBytes, body } = await probe(port, trial.request);
  if (status !== trial.status) throw new Error(`status ${status} instead of ${trial.status}: ${body}`);
  trial.check(body);
  return { request: trial.request, status, bodyBytes, slackBytes: trial.slackBytes ?? 0 };
}

export interface RaceOrder {
  readonly connections: number;
  readonly paceOf: (round: number) => Pace;
  /** What else is measured once a round. */
  readonly between?: () => Promise<void>;
}

/** Every entrant once a round, each round in another order. Reports come in the order of the entrants. */
export async function race(
  lab: Lab,
  entrants: readonly Entrant[],
  rounds: number,
  order: RaceOrder,
  progress: (text: string) => void,
): Promise<LoadReport[][]> {
  const laps: LoadReport[][] = entrants.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < entrants.length; turn += 1) {
      const at = (turn + round) % entrants.length;
      const entrant = entrants[at] as Entrant;
      progress(`round ${round + 1}/${rounds}: ${entrant.kind.name}`);
      laps[at]?.push(await lap(lab, entrant, order.connections, order.paceOf(round)));
    }
    await order.between?.();
  }
  return laps;
}

export async function lap(lab: Lab, entrant: Entrant, connections: number, pace: Pace): Promise<LoadReport> {
  const { exchanges, subject } = entrant;
  subject.prepare?.();
  return lab.load({ port: subject.port, exchanges, connections, pace, pids: subject.pids });
}
