import type { Observer } from '../engine/observer.js';

/**
 * One observer out of several, each told in order. One that throws is reported to `failed` and never disturbs an
 * exchange or its neighbours.
 */
export function fanOut(
  observers: readonly Partial<Observer>[],
  failed: (error: unknown) => void = () => {},
): Observer {
  /** Tells those that want to know of it; who they are does not change. */
  const tell = <N extends keyof Observer>(news: N): Observer[N] => {
    const bound = observers.flatMap((observer) => observer[news]?.bind(observer) ?? []);
    const listeners = bound as readonly ((...what: unknown[]) => void)[];
    return (...what: unknown[]) => {
      for (const listener of listeners) {
        try {
          listener(...what);
        } catch (error) {
          failed(error);
        }
      }
    };
  };
  return {
    decided: tell('decided'),
    began: tell('began'),
    ended: tell('ended'),
    rewrote: tell('rewrote'),
    inputRequested: tell('inputRequested'),
    inputAnswered: tell('inputAnswered'),
    stateIssued: tell('stateIssued'),
    stateReceived: tell('stateReceived'),
    answeredAfter: tell('answeredAfter'),
    operationEnded: tell('operationEnded'),
    callerDenied: tell('callerDenied'),
    streamOpened: tell('streamOpened'),
    streamClosed: tell('streamClosed'),
    upstreamFailed: tell('upstreamFailed'),
    upstreamAnswered: tell('upstreamAnswered'),
    limitRejected: tell('limitRejected'),
    buffered: tell('buffered'),
  };
}
