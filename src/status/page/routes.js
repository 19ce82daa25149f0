import { byId, cell, count, make, moment, rowHeader, wire } from './dom.js';

/** @typedef {import('../snapshot.js').RouteFacts} RouteFacts */
/** @typedef {import('../snapshot.js').RouteLive} RouteLive */

const HEALTH = { up: 'Up', down: 'Down', unknown: 'Not called yet' };

/**
 * @param {readonly RouteFacts[]} routes
 * @param {readonly RouteLive[]} live
 */
export function showRoutes(routes, live) {
  const states = new Map(live.map((route) => [route.name, route]));
  byId('route-rows').replaceChildren(...routes.map((route) => routeRow(route, states.get(route.name))));
}

/**
 * @param {RouteFacts} facts
 * @param {RouteLive | undefined} live
 */
function routeRow({ name, path, upstream, profile, mode, requestState }, live) {
  const health = live?.upstream ?? 'unknown';
  return make(
    'tr',
    { role: 'row' },
    rowHeader('name', wire(name), make('span', { class: 'quiet' }, wire(path))),
    cell(
      'Upstream',
      'health',
      make('span', { class: 'pill', 'data-state': health }, HEALTH[health]),
      make('span', { class: 'quiet' }, wire(upstream)),
    ),
    cell('Profile', '', profile),
    cell('Mode', '', make('span', { class: 'tag', 'data-severity': mode }, mode)),
    cell('Request state', '', requestState),
    cell('Exchanges', 'number', count(live?.exchanges ?? 0)),
    cell('In flight', 'number', inFlight(live)),
    cell('Refused', 'number', count(live?.refused ?? 0)),
    cell('Upstream errors', 'number failures', count(live?.failures ?? 0), lastFailure(live)),
  );
}

/** @param {RouteLive | undefined} live */
function inFlight(live) {
  const { inFlight: running, streams } = live ?? { inFlight: 0, streams: 0 };
  return streams === 0 ? count(running) : `${count(running)}, ${count(streams)} of them streams`;
}

/** @param {RouteLive | undefined} live */
function lastFailure(live) {
  const last = live?.lastFailure;
  if (last === undefined) return undefined;
  return make('span', { class: 'quiet' }, `last: ${last.reason}, `, moment(last.at));
}
