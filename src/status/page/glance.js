import { byId, count, make, moment } from './dom.js';

/** @typedef {import('../snapshot.js').Snapshot} Snapshot */
/** @typedef {import('../snapshot.js').Live} Live */

const STATES = { ready: 'Ready', draining: 'Draining', starting: 'Starting' };
const RECENT_MINUTES = 5;
const SVG = 'http://www.w3.org/2000/svg';

/** @param {Live} live */
export function showGlance({ state, totals, minutes }) {
  const pill = byId('state');
  pill.dataset.state = state;
  pill.textContent = STATES[state];
  const { exchanges, inFlight, refused, dropped, reported } = totals;
  const recent = sum(minutes.refused.slice(-RECENT_MINUTES));
  const share = exchanges === 0 ? '' : `${percent(refused / exchanges)} of exchanges`;
  byId('tiles').replaceChildren(
    tile('Exchanges', count(exchanges), `${count(inFlight)} in flight`, ''),
    tile('Refused', count(refused), share, 'refused'),
    tile('Dropped', count(dropped), 'stream events', 'dropped'),
    tile('Reported', count(reported), 'let pass', 'reported'),
    tile(`Refused in the last ${RECENT_MINUTES} minutes`, count(recent), timeline(minutes), 'recent'),
  );
}

/** @param {Snapshot} snapshot */
export function showAbout({ build, startedAt }) {
  const revision = build.revision === 'unknown' ? '' : ` (${build.revision.slice(0, 12)})`;
  byId('about').replaceChildren(
    make('span', {}, `Version ${build.version}${revision}, started `, moment(startedAt)),
    make('span', {}, 'Also here: ', link('status.json'), ', ', link('metrics'), ', ', link('readyz')),
  );
}

/** @param {string} path */
function link(path) {
  return make('a', { href: path }, path);
}

/**
 * @param {string} label
 * @param {string} value
 * @param {string | Node} note
 * @param {string} kind
 */
function tile(label, value, note, kind) {
  return make(
    'div',
    { class: `tile ${kind}` },
    make('dt', {}, label),
    make('dd', {}, make('strong', {}, value), make('span', { class: 'quiet' }, note)),
  );
}

/** @param {Live['minutes']} minutes */
function timeline({ refused }) {
  const ends = make(
    'span',
    { class: 'ends' },
    make('span', {}, `${refused.length} minutes ago`),
    make('span', {}, 'now'),
  );
  return make('span', { class: 'timeline' }, chart(refused), ends);
}

/**
 * Refusals a minute, the current one at the right.
 * @param {readonly number[]} refused
 */
function chart(refused) {
  const most = Math.max(1, ...refused);
  const width = refused.length * 6;
  const drawn = document.createElementNS(SVG, 'svg');
  const spoken = `Refusals in each of the last ${refused.length} minutes, at most ${count(Math.max(...refused))}`;
  const attributes = { class: 'chart', role: 'img', 'aria-label': spoken, viewBox: `0 0 ${width} 28` };
  for (const [name, value] of Object.entries(attributes)) drawn.setAttribute(name, value);
  drawn.setAttribute('preserveAspectRatio', 'none');
  refused.forEach((value, index) => {
    const height = value === 0 ? 2 : 4 + (24 * value) / most;
    drawn.append(bar(index * 6, height, value === 0 ? 'empty' : 'full'));
  });
  return drawn;
}

/**
 * @param {number} x
 * @param {number} height
 * @param {string} kind
 */
function bar(x, height, kind) {
  const drawn = document.createElementNS(SVG, 'rect');
  const attributes = { x, y: 28 - height, width: 4, height, class: kind };
  for (const [name, value] of Object.entries(attributes)) drawn.setAttribute(name, String(value));
  return drawn;
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** @param {number} share */
function percent(share) {
  return share > 0 && share < 0.001 ? '< 0.1 %' : `${(100 * share).toFixed(1)} %`;
}
