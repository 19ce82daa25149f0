import type { Observer } from '../engine/observer.js';

/**
 * One observer out of several, each told in order. One that throws is reported to `failed` and never disturbs an
 * exchange or its neighbours.
 */
export function fanOut(
  observers: readonly Partial<Observer>[],
  failed: (error: unknown) => void = () => {},
): Observer {
  const tell = (what: (observer: Partial<Observer>) => void): void => {
    for (const observer of observers) {
      try {
        what(observer);
      } catch (error) {
        failed(error);
      }
    }
  };
  return {
    decided: (route, exchange, stage, decision) =>
      tell((observer) => observer.decided?.(route, exchange, stage, decision)),
    began: (route) => tell((observer) => observer.began?.(route)),
    ended: (summary) => tell((observer) => observer.ended?.(summary)),
    rewrote: (route, rewrite) => tell((observer) => observer.rewrote?.(route, rewrite)),
    inputRequested: (route, kind) => tell((observer) => observer.inputRequested?.(route, kind)),
    inputAnswered: (route, action) => tell((observer) => observer.inputAnswered?.(route, action)),
    stateIssued: (route) => tell((observer) => observer.stateIssued?.(route)),
    stateReceived: (route, verdict) => tell((observer) => observer.stateReceived?.(route, verdict)),
    answeredAfter: (route, kind, action, seconds) =>
      tell((observer) => observer.answeredAfter?.(route, kind, action, seconds)),
    operationEnded: (route, rounds) => tell((observer) => observer.operationEnded?.(route, rounds)),
    callerDenied: (route, reason) => tell((observer) => observer.callerDenied?.(route, reason)),
    streamOpened: (route) => tell((observer) => observer.streamOpened?.(route)),
    streamClosed: (route) => tell((observer) => observer.streamClosed?.(route)),
    upstreamFailed: (route, reason) => tell((observer) => observer.upstreamFailed?.(route, reason)),
    upstreamAnswered: (route) => tell((observer) => observer.upstreamAnswered?.(route)),
    limitRejected: (limit) => tell((observer) => observer.limitRejected?.(limit)),
    buffered: (delta) => tell((observer) => observer.buffered?.(delta)),
  };
}
