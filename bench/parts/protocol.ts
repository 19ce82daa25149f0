/** What the command and its processes tell each other. */

/** A prepared request and what its answer has to be. */
export interface Exchange {
  readonly request: Uint8Array;
  readonly status: number;
  readonly bodyBytes: number;
  /** By how many bytes the body may differ: tokens and times are not always as long. */
  readonly slackBytes: number;
}

/** How much is sent, and when. */
export type Pace =
  /** As many at once as there are connections, each as soon as the one before is answered. */
  | { readonly kind: 'saturate'; readonly warmMs: number; readonly measuredMs: number }
  /** So many in all, as fast as they are answered. */
  | { readonly kind: 'count'; readonly warm: number; readonly measured: number }
  /** At times that nothing can delay; a late answer does not put off the next request. */
  | {
      readonly kind: 'schedule';
      readonly perSecond: number;
      readonly warmMs: number;
      readonly measuredMs: number;
      readonly seed: number;
    };

export interface LoadOrder {
  readonly port: number;
  readonly exchanges: readonly Exchange[];
  readonly connections: number;
  readonly pace: Pace;
  /** A request on a kept connection that ends without a byte of an answer goes out once more, on a new one. */
  readonly resends?: boolean;
  /** Processes whose CPU time is read when measuring begins and ends. */
  readonly pids: readonly number[];
}

export interface LoadReport {
  readonly exchanges: number;
  readonly seconds: number;
  readonly cpuNanoseconds: number;
  /** What went wrong, and how often. */
  readonly faults: Readonly<Record<string, number>>;
  /** All that were answered, those before and after measuring too. */
  readonly answered: number;
  readonly resent: number;
  /** Microseconds from when each was due to the end of its answer, sorted. */
  readonly latencies: Float64Array;
}

/** What the upstream answers: its writes, each on a turn of its own. A request's field `x-answer` says which. It says how many requests there were since it was last told. */
export interface UpstreamOrder {
  readonly answers: readonly (readonly Uint8Array[])[];
}
