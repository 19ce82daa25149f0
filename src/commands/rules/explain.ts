/** `mrtr-gateway rules explain ID`: one rule in full, with messages that break and keep it, and what the client then sees. */

import type { RoutePolicy } from '../../engine/policy.js';
import { clauseUrl } from '../../engine/refusal.js';
import type { RuleCard } from '../../engine/rule.js';
import type { Example, Explanation } from '../../explain/example.js';
import { EXPLANATIONS } from '../../explain/explanations.js';
import { answerText, type Judged, judge, planFor, requestOf } from '../../explain/judge.js';
import { createPaint, type Paint } from '../paint.js';
import { EXIT_OK, type World } from '../world.js';
import { clauseText, type RouteFlags, readRoutes, ruleOf, severityOn } from './effective.js';
import { answerLines, prettyLines, requestLines, settingLines, wrapped } from './example-lines.js';
import { described, paintSeverity } from './list.js';

export interface ExplainFlags extends RouteFlags {
  readonly json?: boolean | undefined;
}

export function explainRule(id: string, flags: ExplainFlags, { env, out, colours = false }: World): number {
  const rule = ruleOf(id);
  const routes = readRoutes(flags, env);
  const explanation = EXPLANATIONS.get(id) as Explanation;
  const judged = judge(explanation.bad, planFor(id, rule.locked !== undefined, explanation));
  if (flags.json === true) out(`${JSON.stringify(whole(rule, routes, explanation, judged), null, 2)}\n`);
  else
    for (const line of pageLines(rule, routes, explanation, judged, createPaint(colours))) out(`${line}\n`);
  return EXIT_OK;
}

function whole(
  rule: RuleCard,
  routes: readonly RoutePolicy[],
  { why, route, config, bad, good, tune }: Explanation,
  { refusal }: Judged,
): Record<string, unknown> {
  return {
    ...described(rule, routes),
    why,
    examples: { route: route ?? {}, config: config ?? {}, breaks: shown(bad), keeps: shown(good) },
    refusal: refusal === undefined ? null : { status: refusal.status, body: JSON.parse(refusal.body) },
    tuning: tuningOf(rule, tune).map(([yaml, says]) => ({ yaml, says })),
  };
}

function shown({ says, request, answer, sealedFor }: Example): Record<string, unknown> {
  const { headers, body } = requestOf(request);
  return {
    says,
    ...(sealedFor !== undefined && { sealedFor }),
    request: { headers: Object.fromEntries(headers), body: body.toString() },
    ...(answer !== undefined && { answer: answerText(answer) }),
  };
}

function pageLines(
  rule: RuleCard,
  routes: readonly RoutePolicy[],
  explanation: Explanation,
  judged: Judged,
  paint: Paint,
): readonly string[] {
  const { why, bad, good, tune } = explanation;
  const part = (title: string, lines: readonly string[]) => [
    '',
    paint.bold(title),
    ...lines.map((line) => `  ${line}`),
  ];
  return [
    `${paint.bold(rule.id)}  ${rule.stage}`,
    ...wrapped(rule.guarantees).map((line) => `  ${line}`),
    ...part('Why', wrapped(why)),
    ...part('Clause', [...wrapped(`“${rule.clause.quote}”`), clauseText(rule), clauseUrl(rule)]),
    ...part('Severity', severityLines(rule, routes, paint)),
    ...part(`Broken by ${bad.says}`, [...settingLines(explanation), ...exampleLines(rule, bad)]),
    ...part('What the client then sees', [...unlessEnforced(rule, explanation), ...clientLines(judged, bad)]),
    ...part(`Kept by ${good.says}`, exampleLines(rule, good)),
    ...part('Tuning', tuningLines(rule, tune)),
  ];
}

/** Rules on what servers send are about the answer. */
function exampleLines({ stage }: RuleCard, example: Example): readonly string[] {
  return stage === 'outbound' ? answerLines(example) : requestLines(example);
}

function severityLines(rule: RuleCard, routes: readonly RoutePolicy[], paint: Paint): readonly string[] {
  const { spec, ze } = rule.severity;
  return [
    `profile spec: ${paintSeverity(spec, paint)}, profile ze: ${paintSeverity(ze, paint)}`,
    ...routes.map((route) => `route ${route.name}: ${paintSeverity(severityOn(route, rule), paint)}`),
  ];
}

/** The examples are judged with the rule enforced, which it may not be. */
function unlessEnforced({ severity }: RuleCard, { route }: Explanation): readonly string[] {
  const standard = route?.profile === 'ze' ? severity.ze : severity.spec;
  if (standard === 'enforce') return [];
  return [`by default (${standard}) the message as it is; where the rule is set to enforce`];
}

function clientLines({ refusal }: Judged, { answer }: Example): readonly string[] {
  if (refusal === undefined) return ['nothing: the event is dropped, and the stream goes on'];
  const where =
    answer?.event === undefined
      ? `HTTP ${refusal.status}`
      : `the last event of the stream, or HTTP ${refusal.status} when it is the first`;
  return [where, ...prettyLines(refusal.body)];
}

function tuningLines(rule: RuleCard, tune: Explanation['tune']): readonly string[] {
  const locked = rule.locked === undefined ? [] : wrapped(`It cannot be softened: ${rule.locked}.`);
  return [...locked, ...tuningOf(rule, tune).flatMap(([yaml, says]) => [yaml, `    ${says}`])];
}

function tuningOf(
  { id, locked }: RuleCard,
  tune: Explanation['tune'] = [],
): readonly (readonly [string, string])[] {
  if (locked !== undefined) return tune;
  return [
    [
      `routes: [{ rules: { ${id}: report } }]`,
      'counts and logs what breaks it and lets it pass; also enforce, off',
    ],
    ...tune,
  ];
}
