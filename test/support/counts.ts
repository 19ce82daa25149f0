/** What a gateway told its observer, added up. */
import type { Decision } from '../../src/engine/rule.js';
import type { Gateway } from './pair.js';

function argsOf(gateway: Gateway, event: string): readonly (readonly unknown[])[] {
  return gateway.told.filter((told) => told.event === event).map(({ args }) => args);
}

function times(gateway: Gateway, event: string): number {
  return argsOf(gateway, event).length;
}

export function inFlight(gateway: Gateway): number {
  return times(gateway, 'began') - times(gateway, 'ended');
}

export function openStreams(gateway: Gateway): number {
  return times(gateway, 'streamOpened') - times(gateway, 'streamClosed');
}

/** Bytes held for judging: now, and at most. */
export function buffered(gateway: Gateway): { readonly now: number; readonly most: number } {
  let now = 0;
  let most = 0;
  for (const [delta] of argsOf(gateway, 'buffered')) {
    now += Number(delta);
    most = Math.max(most, now);
  }
  return { now, most };
}

/** Ids of the rules that found something, in order. */
export function findings(gateway: Gateway): readonly string[] {
  return argsOf(gateway, 'decided').flatMap((args) =>
    (args[3] as Decision).findings.map(({ rule }) => rule.id),
  );
}

export function limitRejections(gateway: Gateway): readonly unknown[] {
  return argsOf(gateway, 'limitRejected').map(([limit]) => limit);
}

/** Why upstreams failed, in order. */
export function upstreamFailures(gateway: Gateway): readonly unknown[] {
  return argsOf(gateway, 'upstreamFailed').map(([, reason]) => reason);
}
