import { addDecisions, listenToDecisions, showDecisions } from './decisions.js';
import { byId } from './dom.js';
import { showAbout, showGlance } from './glance.js';
import { showRoutes } from './routes.js';
import { listenToRules, showRuleCounts, showRules } from './rules.js';

/** @typedef {import('../snapshot.js').Snapshot} Snapshot */
/** @typedef {import('../snapshot.js').Update} Update */
/** @typedef {import('../snapshot.js').Live} Live */
/** @typedef {import('../snapshot.js').RouteFacts} RouteFacts */

const RETRY_MS = 5000;
const LINKS = { live: 'Live', lost: 'Reconnecting…', polling: 'Every 5 seconds' };

/** @type {readonly RouteFacts[]} */
let knownRoutes = [];
/** @type {Update[] | undefined} What arrives while the whole is being fetched. */
let arrived;

/** @param {keyof typeof LINKS} link */
function showLink(link) {
  const shown = byId('link');
  if (shown.dataset.link === link) return;
  shown.dataset.link = link;
  shown.textContent = LINKS[link];
}

/** @param {Live} live */
function showLive(live) {
  showGlance(live);
  showRoutes(knownRoutes, live.routes);
  showRuleCounts(live.counts);
}

/** @param {Update} update */
function apply(update) {
  if (arrived !== undefined) {
    arrived.push(update);
    return;
  }
  showLive(update.live);
  addDecisions(update.decisions);
}

/** Fetches and shows everything; resolves to whether that went well. */
async function refresh() {
  arrived = [];
  try {
    const response = await fetch('status.json');
    if (!response.ok) return false;
    /** @type {Snapshot} */
    const snapshot = await response.json();
    knownRoutes = snapshot.routes;
    showAbout(snapshot);
    showRules(snapshot.rules);
    showDecisions(snapshot);
    showLive(snapshot.live);
    return true;
  } catch {
    return false;
  } finally {
    const updates = arrived;
    arrived = undefined;
    for (const update of updates) apply(update);
  }
}

/** Follows the event stream; where there is no place left in it, asks again and again. */
function follow() {
  const events = new EventSource('events');
  events.addEventListener('open', async () => showLink((await refresh()) ? 'live' : 'lost'));
  events.addEventListener('update', ({ data }) => apply(JSON.parse(data)));
  events.addEventListener('plan', () => void refresh());
  events.addEventListener('error', async () => {
    if (events.readyState !== EventSource.CLOSED) {
      showLink('lost');
      return;
    }
    showLink((await refresh()) ? 'polling' : 'lost');
    setTimeout(follow, RETRY_MS);
  });
}

listenToDecisions();
listenToRules();
follow();
