import { describe, expect, it } from 'vitest';
import { fanOut } from '../../src/adapters/observers.js';
import type { Observer } from '../../src/engine/observer.js';
import { exchange, policy } from '../rules/fixtures.js';
import { summaryOf } from './plans.js';

const ROUTE = policy();
const CALLS: { readonly [Call in keyof Observer]: Parameters<Observer[Call]> } = {
  decided: [ROUTE, undefined, 'inbound', { findings: [], refusal: undefined }],
  began: [ROUTE],
  ended: [summaryOf(ROUTE, exchange())],
  rewrote: [ROUTE, 'tools-list-required'],
  inputRequested: [ROUTE, 'roots'],
  inputAnswered: [ROUTE, 'accept'],
  stateIssued: [ROUTE],
  stateReceived: [ROUTE, 'relayed'],
  answeredAfter: [ROUTE, 'roots', 'other', 1.5],
  operationEnded: [ROUTE, 3],
  callerDenied: [ROUTE, 'missing'],
  streamOpened: [ROUTE],
  streamClosed: [ROUTE],
  upstreamFailed: [ROUTE, 'reset'],
  upstreamAnswered: [ROUTE],
  limitRejected: ['streams'],
  buffered: [7],
};

type Told = [who: string, event: string, args: readonly unknown[]];

/** Hears everything. */
function listener(who: string, told: Told[]): Partial<Observer> {
  return new Proxy(
    {},
    {
      get:
        (_, event) =>
        (...args: unknown[]) =>
          told.push([who, String(event), args]),
    },
  );
}

describe('several observers', () => {
  it.each(Object.entries(CALLS))(
    'are each told of %s, in order and with the same arguments',
    (event, args) => {
      const told: Told[] = [];
      const observer = fanOut([listener('first', told), listener('second', told)]);
      (observer[event as keyof Observer] as (...args: readonly unknown[]) => void)(...args);
      expect(told).toEqual([
        ['first', event, args],
        ['second', event, args],
      ]);
    },
  );

  it('may leave calls out', () => {
    expect(() => fanOut([{}]).began(ROUTE)).not.toThrow();
  });

  it('do not disturb each other or the exchange when one throws', () => {
    const told: Told[] = [];
    const failures: unknown[] = [];
    const fault = new Error('a broken observer');
    const broken: Partial<Observer> = {
      began: () => {
        throw fault;
      },
    };
    const observer = fanOut([broken, listener('next', told)], (error) => failures.push(error));
    observer.began(ROUTE);
    expect(told).toEqual([['next', 'began', [ROUTE]]]);
    expect(failures).toEqual([fault]);
  });
});
