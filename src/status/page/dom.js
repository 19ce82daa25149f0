/** @typedef {import('../snapshot.js').Snapshot} Snapshot */
/** @typedef {import('../snapshot.js').Live} Live */
/** @typedef {import('../snapshot.js').Update} Update */
/** @typedef {import('../snapshot.js').DecisionRow} DecisionRow */
/** @typedef {import('../snapshot.js').RouteFacts} RouteFacts */
/** @typedef {import('../snapshot.js').RouteLive} RouteLive */
/** @typedef {import('../snapshot.js').RuleFacts} RuleFacts */
/** @typedef {import('../snapshot.js').ClauseFacts} ClauseFacts */
/** @typedef {Node | string | undefined} Child */

/** The elements of index.html, by what they are. */
const KINDS = {
  select: HTMLSelectElement,
  button: HTMLButtonElement,
  input: HTMLInputElement,
  form: HTMLFormElement,
};

/**
 * An element that index.html has.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * @template {keyof typeof KINDS} K
 * @param {K} kind
 * @param {string} id
 * @returns {InstanceType<typeof KINDS[K]>}
 */
export function control(kind, id) {
  const found = byId(id);
  if (!(found instanceof KINDS[kind])) throw new Error(`#${id} is no ${kind}`);
  return /** @type {InstanceType<typeof KINDS[K]>} */ (found);
}

/**
 * A new element. Children that are strings become text, never markup.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Readonly<Record<string, string | undefined>>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/**
 * Text that came from the wire: its letters stay together, whichever way they are written. It breaks where paths do.
 * @param {string} text
 */
export function wire(text) {
  const made = make('bdi', { class: 'wire', dir: 'ltr' });
  for (const part of text.split(/(?<=[^/])(?=\/[^/])/)) made.append(part, make('wbr'));
  return made;
}

/**
 * A sentence of the register: what stands between backticks is code.
 * @param {string} text
 * @returns {Child[]}
 */
export function prose(text) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? make('code', {}, part) : part));
}

/**
 * One cell; on a phone, where rows are stacked, its label stands before it.
 * @param {string} label
 * @param {string} kind
 * @param {...Child} children
 */
export function cell(label, kind, ...children) {
  return make('td', { role: 'cell', 'data-label': label, class: kind }, ...children);
}

/**
 * The cell that names its row.
 * @param {string} kind
 * @param {...Child} children
 */
export function rowHeader(kind, ...children) {
  return make('th', { role: 'rowheader', scope: 'row', class: kind }, ...children);
}

/**
 * @param {ClauseFacts} clause
 * @param {string} [more]
 */
export function clauseLink({ source, keyword, url }, more = '') {
  const text = `${source} ${keyword}${more}`;
  return url === undefined
    ? make('span', { class: 'clause' }, text)
    : make('a', { class: 'clause', href: url, rel: 'noreferrer' }, text);
}

const NUMBERS = new Intl.NumberFormat('en');

/** @param {number} value */
export function count(value) {
  return NUMBERS.format(value);
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** @param {string} iso */
export function moment(iso) {
  const date = new Date(iso);
  const today = date.toDateString() === new Date().toDateString();
  const text = today ? CLOCK.format(date) : `${DAY.format(date)}, ${CLOCK.format(date)}`;
  return make('time', { datetime: iso, title: iso }, text);
}
