import { byId, cell, clauseLink, control, count, make, prose, rowHeader } from './dom.js';

/** @typedef {import('../snapshot.js').RuleFacts} RuleFacts */
/** @typedef {import('../snapshot.js').Live} Live */

const NOTHING_FOUND = { refused: 0, dropped: 0, reported: 0 };
const COUNTED = /** @type {const} */ ({ refused: 'Refused', dropped: 'Dropped', reported: 'Reported' });

/** @type {Map<string, { row: HTMLElement, counts: Record<keyof typeof COUNTED, HTMLElement> }>} */
const shownRules = new Map();

/** @param {readonly RuleFacts[]} rules */
export function showRules(rules) {
  shownRules.clear();
  byId('rule-rows').replaceChildren(...rules.map(ruleRow));
}

/** @param {Live['counts']} counts */
export function showRuleCounts(counts) {
  const found = new Map(counts.map((one) => [one.rule, one]));
  for (const [id, shown] of shownRules) {
    const own = found.get(id) ?? NOTHING_FOUND;
    shown.row.dataset.found = String(found.has(id));
    for (const what of /** @type {(keyof typeof COUNTED)[]} */ (Object.keys(COUNTED))) {
      shown.counts[what].textContent = count(own[what]);
      shown.counts[what].dataset.zero = String(own[what] === 0);
    }
  }
}

export function listenToRules() {
  const only = control('input', 'found-only');
  only.addEventListener('change', () => byId('rules').toggleAttribute('data-found-only', only.checked));
}

/** @param {RuleFacts} rule */
function ruleRow({ id, stage, guarantees, clause, locked, severities }) {
  const counts = {
    refused: cell(COUNTED.refused, 'number'),
    dropped: cell(COUNTED.dropped, 'number'),
    reported: cell(COUNTED.reported, 'number'),
  };
  const row = make(
    'tr',
    { role: 'row', id: `rule-${id}`, tabindex: '-1' },
    rowHeader('name', make('code', {}, id), make('span', { class: 'quiet' }, ...prose(guarantees))),
    cell('Stage', '', stage),
    cell('Severity', 'severity', ...severityTags(severities), locked ? lock() : undefined),
    cell('Clause', 'source', clauseLink(clause), make('q', { class: 'quiet' }, ...prose(clause.quote))),
    ...Object.values(counts),
  );
  shownRules.set(id, { row, counts });
  return row;
}

/**
 * The severity that most routes give the rule, and each other one with its routes.
 * @param {RuleFacts['severities']} severities
 */
function severityTags(severities) {
  /** @type {Map<string, string[]>} */
  const routes = new Map();
  for (const { route, severity } of severities)
    routes.set(severity, [...(routes.get(severity) ?? []), route]);
  const [usual, ...others] = [...routes].sort(([, one], [, other]) => other.length - one.length);
  const exceptions = others.map(([severity, names]) =>
    make('span', { class: 'except' }, severityTag(severity), ` ${names.join(', ')}`),
  );
  return [usual && severityTag(usual[0]), ...exceptions];
}

/** @param {string} severity */
function severityTag(severity) {
  return make('span', { class: 'tag', 'data-severity': severity }, severity);
}

function lock() {
  return make('span', { class: 'quiet' }, 'locked');
}
