/** What an inspection comes to, counted as it goes. */
import type { RuleCard, Stage } from '../engine/rule.js';
import type { Inspected, Unjudged } from './inspect.js';
import type { Effect, JudgedFinding, Judgement } from './judge.js';

export interface RuleCount {
  readonly rule: RuleCard;
  readonly stage: Stage;
  /** Findings by effect, all exchanges together. */
  readonly counts: Readonly<Record<Effect, number>>;
}

export class Summary {
  judged = 0;
  redacted = 0;
  refused = 0;
  /** Not all of the answer was in the file. */
  incomplete = 0;
  statesUnknown = 0;
  dropped = 0;
  changed = 0;
  readonly unjudged = new Map<Unjudged, number>();
  readonly #rules = new Map<string, { rule: RuleCard; stage: Stage; counts: Record<Effect, number> }>();

  take(inspected: Inspected): void {
    if (inspected.kind === 'gap') this.dropped += inspected.count;
    else if (inspected.kind === 'unjudged')
      this.unjudged.set(inspected.why, (this.unjudged.get(inspected.why) ?? 0) + 1);
    else {
      const { recording, judgements } = inspected;
      const [first] = judgements;
      this.judged += 1;
      if (recording.redacted) this.redacted += 1;
      if (recording.answer?.incomplete === true) this.incomplete += 1;
      if (judgements.some((judgement) => judgement?.stateUnknown === true)) this.statesUnknown += 1;
      if (isRefused(first)) this.refused += 1;
      if (changes(judgements)) this.changed += 1;
      for (const finding of first?.findings ?? []) this.#count(finding);
    }
  }

  get rules(): readonly RuleCount[] {
    return [...this.#rules.values()];
  }

  #count({ rule, stage, effect }: JudgedFinding): void {
    const row = this.#rules.get(rule.id) ?? { rule, stage, counts: { refused: 0, dropped: 0, reported: 0 } };
    row.counts[effect] += 1;
    this.#rules.set(rule.id, row);
  }
}

export function isRefused(judgement: Judgement | undefined): boolean {
  return judgement?.findings.some(({ effect }) => effect === 'refused') ?? false;
}

/** Would the exchange be judged otherwise on the other side? The sentences do not matter, nor how often a rule reports. */
export function changes(judgements: readonly (Judgement | undefined)[]): boolean {
  const [before, ...after] = judgements.map(signature);
  return after.some((other) => other !== before);
}

function signature(judgement: Judgement | undefined): string {
  if (judgement === undefined) return 'no route';
  return [...new Set(judgement.findings.map(({ rule, effect }) => `${effect} ${rule.id}`))].sort().join();
}
