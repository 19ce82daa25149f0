import type { ExchangeSummary, Outcome } from '../engine/observer.js';
import type { RoutePolicy } from '../engine/policy.js';
import type { RuleCard } from '../engine/rule.js';
import { METHOD_LISTEN, METHOD_TOOLS_CALL, MRTR_METHODS } from '../protocol/constants.js';
import { methodLabel, OTHER_METHOD } from '../protocol/method-label.js';
import type { Count, Tally } from './metrics-count.js';
import type { Cell } from './metrics-distribution.js';
import type { Instruments } from './metrics-instruments.js';
import {
  ANSWERS,
  DENIALS,
  FAILURES,
  INPUT_KINDS,
  METHOD_LABELS,
  OUTCOMES,
  VERDICTS,
} from './metrics-labels.js';

/** A method's children, resolved once: prom-client builds and checks a label set anew on every other call. */
interface MethodSeries {
  readonly method: string;
  readonly outcomes: Map<Outcome, Tally>;
  readonly exchangeSeconds: Cell | undefined;
  readonly upstreamSeconds: Cell | undefined;
}

/** One route's series of what every exchange touches. */
export class RouteSeries {
  readonly #methods = new Map<string, MethodSeries>();
  readonly #policySeconds: Cell;
  readonly #inFlight: Presence;
  readonly #streams: Presence;

  constructor(
    readonly instruments: Instruments,
    readonly route: string,
  ) {
    this.#policySeconds = instruments.policyDuration.series({ route });
    this.#inFlight = new Presence(instruments.exchangesInFlight, route);
    this.#streams = new Presence(instruments.streamsOpen, route);
  }

  began(): void {
    this.#inFlight.add(1);
  }

  ended(summary: ExchangeSummary): void {
    this.#inFlight.add(-1);
    const series = this.#method(methodLabel(summary.exchange?.message.method));
    this.#outcome(series, summary.outcome).value += 1;
    this.#policySeconds.observe(summary.policyMs / 1000);
    series.exchangeSeconds?.observe(summary.durationMs / 1000);
    if (summary.upstreamMs !== undefined) series.upstreamSeconds?.observe(summary.upstreamMs / 1000);
  }

  streamOpened(): void {
    this.#streams.add(1);
  }

  streamClosed(): void {
    this.#streams.add(-1);
  }

  retire(): void {
    this.#inFlight.retire();
    this.#streams.retire();
  }

  /** Brings every series that an alert or a ratio reads into being at 0, so that its first increment is an increase. */
  initialise(policy: RoutePolicy): void {
    const { route, instruments } = this;
    this.#inFlight.employ();
    this.#streams.employ();
    for (const method of METHOD_LABELS) {
      for (const outcome of likelyOutcomes(method)) instruments.exchanges.series({ route, method, outcome });
    }
    // Peers can bring about these two with any name they invent; the other methods' histograms come with their first use.
    for (const method of [METHOD_TOOLS_CALL, OTHER_METHOD]) this.#method(method);
    initialiseFindings(instruments, policy);
    for (const rewrite of policy.rewrites) instruments.rewrites.inc({ route, rewrite }, 0);
    for (const kind of Object.keys(INPUT_KINDS)) instruments.inputRequests.inc({ route, kind }, 0);
    for (const action of Object.keys(ANSWERS)) instruments.inputResponses.inc({ route, action }, 0);
    instruments.statesIssued.inc({ route }, 0);
    for (const verdict of Object.keys(VERDICTS)) instruments.statesReceived.inc({ route, verdict }, 0);
    if (policy.seal !== undefined) instruments.operationRounds.series({ route });
    for (const denial of Object.keys(DENIALS)) instruments.callersDenied.inc({ route, denial }, 0);
    for (const reason of Object.keys(FAILURES)) instruments.upstreamErrors.inc({ route, reason }, 0);
  }

  #method(method: string): MethodSeries {
    const known = this.#methods.get(method);
    if (known !== undefined) return known;
    const { route } = this;
    const { exchangeDuration, upstreamDuration } = this.instruments;
    const timed = method !== METHOD_LISTEN;
    const series: MethodSeries = {
      method,
      outcomes: new Map(),
      exchangeSeconds: timed ? exchangeDuration.series({ route, method }) : undefined,
      upstreamSeconds: timed ? upstreamDuration.series({ route, method }) : undefined,
    };
    this.#methods.set(method, series);
    return series;
  }

  #outcome({ method, outcomes }: MethodSeries, outcome: Outcome): Tally {
    const known = outcomes.get(outcome);
    if (known !== undefined) return known;
    const tally = this.instruments.exchanges.series({ route: this.route, method, outcome });
    outcomes.set(outcome, tally);
    return tally;
  }
}

/** A gauge that stays after its route is gone until it has come back to 0, and then goes too. */
class Presence {
  #tally: Tally;
  #retired = false;

  constructor(
    readonly gauge: Count<'route'>,
    readonly route: string,
  ) {
    this.#tally = gauge.series({ route });
  }

  add(delta: number): void {
    this.#tally.value += delta;
    this.#leave();
  }

  /** A route that had left comes back with what still runs. */
  employ(): void {
    this.#retired = false;
    const { value } = this.#tally;
    this.#tally = this.gauge.series({ route: this.route });
    this.#tally.value = value;
  }

  retire(): void {
    this.#retired = true;
    this.#leave();
  }

  #leave(): void {
    if (this.#retired && this.#tally.value === 0) this.gauge.remove({ route: this.route });
  }
}

/** Outcomes that a method can have under this gateway's rules; another one gets its series when it occurs. */
function likelyOutcomes(method: string): readonly string[] {
  return Object.keys(OUTCOMES).filter((outcome) => {
    if (outcome === 'tool_error') return method === METHOD_TOOLS_CALL;
    if (outcome === 'input_required') return MRTR_METHODS.has(method);
    if (outcome === 'stream_closed') return method === METHOD_LISTEN;
    return true;
  });
}

function initialiseFindings({ findings }: Instruments, { name: route, rules }: RoutePolicy): void {
  const all: readonly { readonly rule: RuleCard; readonly severity: string }[] = [
    ...rules.admit,
    ...rules.parse,
    ...rules.inbound,
    ...rules.outbound,
  ];
  for (const { rule, severity } of all) {
    findings.inc({ route, stage: rule.stage, rule: rule.id, severity }, 0);
  }
}
