import type { Lab } from '../lab/lab.js';
import type { Measured } from '../report/targets.js';

export interface Run {
  readonly lab: Lab;
  readonly rounds: number;
  readonly quick: boolean;
  /** Subjects by name; without any, all. */
  readonly subjects: readonly string[];
  readonly progress: (text: string) => void;
}

export interface Table {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Findings {
  readonly tables: readonly Table[];
  readonly measured: readonly Measured[];
  readonly notes: readonly string[];
}

export interface Workload {
  readonly name: string;
  readonly title: string;
  /** What is sent and answered, for the reader. */
  readonly says: string;
  readonly run: (run: Run) => Promise<Findings>;
}
