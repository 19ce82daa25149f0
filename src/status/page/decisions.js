import { byId, cell, clauseLink, control, count, make, moment, rowHeader, wire } from './dom.js';

/** @typedef {import('../snapshot.js').Snapshot} Snapshot */
/** @typedef {import('../snapshot.js').DecisionRow} DecisionRow */
/** @typedef {import('../snapshot.js').RuleFacts} RuleFacts */

const KEPT = 200;
const NO_MESSAGE = 'none read';
const WHATS = { refused: 'Refused', dropped: 'Dropped', reported: 'Reported' };
const FILTERS = /** @type {const} */ (['what', 'rule', 'stage', 'method', 'route']);

/** @type {{ decision: DecisionRow, row: HTMLElement }[]} Newest first. */
let shownDecisions = [];
/** @type {DecisionRow[]} What came while the list was held, newest first. */
let heldDecisions = [];
let held = false;
/** @type {ReadonlyMap<string, RuleFacts>} */
let rulesById = new Map();

/** @param {Snapshot} snapshot */
export function showDecisions({ rules, routes, methods, decisions }) {
  rulesById = new Map(rules.map((rule) => [rule.id, rule]));
  const stages = [...new Set(rules.map(({ stage }) => stage))];
  offer('what', Object.keys(WHATS));
  offer(
    'rule',
    rules.map(({ id }) => id),
  );
  offer('stage', stages);
  offer('method', [...methods, NO_MESSAGE]);
  offer(
    'route',
    routes.map(({ name }) => name),
  );
  heldDecisions = [];
  shownDecisions = decisions.map((decision) => ({ decision, row: decisionRow(decision) }));
  byId('decision-rows').replaceChildren(...shownDecisions.map(({ row }) => row));
  filterDecisions();
  showHeld();
}

/** @param {readonly DecisionRow[]} decisions */
export function addDecisions(decisions) {
  const newest = heldDecisions[0] ?? shownDecisions[0]?.decision;
  const fresh = decisions.filter(({ seq }) => seq > (newest?.seq ?? 0));
  if (fresh.length === 0) return;
  if (held) {
    heldDecisions = [...fresh, ...heldDecisions].slice(0, KEPT);
    showHeld();
    return;
  }
  const added = fresh.map((decision) => ({ decision, row: decisionRow(decision) }));
  for (const { row } of added) row.classList.add('fresh');
  byId('decision-rows').prepend(...added.map(({ row }) => row));
  for (const { row } of [...added, ...shownDecisions].slice(KEPT)) row.remove();
  shownDecisions = [...added, ...shownDecisions].slice(0, KEPT);
  filterDecisions();
  announce(added.filter(({ row }) => !row.hidden).map(({ decision }) => decision));
}

export function listenToDecisions() {
  const form = control('form', 'filters');
  form.addEventListener('change', filterDecisions);
  control('button', 'clear').addEventListener('click', () => {
    form.reset();
    filterDecisions();
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  const pause = control('button', 'pause');
  pause.addEventListener('click', () => {
    held = !held;
    pause.setAttribute('aria-pressed', String(held));
    const waiting = heldDecisions;
    if (!held) heldDecisions = [];
    showHeld();
    if (!held) addDecisions(waiting);
  });
}

/**
 * Fills a filter, keeping what is chosen.
 * @param {typeof FILTERS[number]} by
 * @param {readonly string[]} values
 */
function offer(by, values) {
  const select = control('select', `by-${by}`);
  const chosen = select.value;
  const options = values.map((value) => make('option', { value }, value));
  select.replaceChildren(make('option', { value: '' }, 'All'), ...options);
  select.value = values.includes(chosen) ? chosen : '';
}

function filterDecisions() {
  const chosen = FILTERS.map((by) => /** @type {const} */ ([by, control('select', `by-${by}`).value]));
  const active = chosen.filter(([, value]) => value !== '');
  let shown = 0;
  for (const { decision, row } of shownDecisions) {
    row.hidden = !active.every(([by, value]) => (decision[by] || NO_MESSAGE) === value);
    if (!row.hidden) shown += 1;
  }
  const all = shownDecisions.length;
  control('button', 'clear').disabled = active.length === 0;
  byId('shown').textContent =
    active.length === 0 ? `The last ${count(all)}` : `${count(shown)} of the last ${count(all)}`;
  const none = byId('none');
  none.hidden = shown > 0;
  none.textContent =
    all === 0
      ? 'Nothing has been found so far. Decisions appear here as they are made.'
      : 'None of these matches the filters.';
}

function showHeld() {
  const waiting = heldDecisions.length;
  control('button', 'pause').textContent = held
    ? `Resume${waiting > 0 ? ` (${count(waiting)} new)` : ''}`
    : 'Pause';
}

/** @param {DecisionRow} decision */
function decisionRow({ at, what, rule, stage, route, method, target, where, why }) {
  const clause = rulesById.get(rule)?.clause;
  return make(
    'tr',
    { role: 'row', 'data-what': what },
    cell('When', 'when', moment(at)),
    cell('Decision', 'what', make('span', { class: 'tag', 'data-what': what }, WHATS[what])),
    rowHeader('rule', make('a', { href: `#rule-${rule}` }, make('code', {}, rule))),
    cell(
      'Message',
      'message',
      make(
        'span',
        {},
        method === '' ? 'no message was read' : method,
        target === '' ? '' : ' ',
        target === '' ? '' : wire(target),
      ),
      make('span', { class: 'quiet' }, `${stage}, route `, wire(route)),
    ),
    cell(
      'Where',
      'where',
      where === '' ? make('span', { class: 'quiet' }, 'the message as a whole') : wire(where),
    ),
    cell('Why', 'why', make('span', {}, why), clause && clauseLink(clause)),
  );
}

/**
 * For those who hear the page: one sentence for all that came together.
 * @param {readonly DecisionRow[]} decisions
 */
function announce(decisions) {
  const [first] = decisions;
  if (first === undefined) return;
  const news = byId('news');
  if (decisions.length === 1) news.textContent = `${WHATS[first.what]} by ${first.rule}, ${first.stage}`;
  else news.textContent = `${count(decisions.length)} new decisions, the last by ${first.rule}`;
}
