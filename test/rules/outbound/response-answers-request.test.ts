import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/protocol/messages.js';
import { responseAnswersRequest } from '../../../src/rules/outbound/response-answers-request.js';
import { event, exchange, type OutboundOptions, outbound } from '../fixtures.js';

const ERROR = { code: -32603, message: 'no' };

function answer(
  requestId: string | number,
  envelope: Record<string, JsonValue>,
  options: OutboundOptions = {},
) {
  const message = { jsonrpc: '2.0', ...envelope };
  return responseAnswersRequest.check(
    outbound({ exchange: exchange({ id: requestId }), message, ...options }),
  );
}

describe('response-answers-request', () => {
  it.each<[string, string | number, JsonValue]>([
    ['a string for a number', 1, '1'],
    ['a number for a string', '1', 1],
    ['another number', 1, 2],
    ['null', 1, null],
    ['false for zero', 0, false],
    ['null for an empty string', '', null],
    ['a fraction', 1, 1.5],
    ['an object', 1, { id: 1 }],
    ['an array', 1, [1]],
    ['another case', 'a', 'A'],
  ])('refuses a result whose id is %s', (_, requestId, id) => {
    expect(answer(requestId, { id, result: {} })?.at).toBe('/id');
    expect(answer(requestId, { id, result: {} }, { position: 'final' })?.at).toBe('/id');
  });

  it('refuses a result without id', () => {
    expect(answer(1, { result: {} })?.at).toBe('/id');
  });

  it.each<[string, Record<string, JsonValue>]>([
    ['without id', { error: ERROR }],
    ['with a null id', { id: null, error: ERROR }],
    ['with another id', { id: 2, error: ERROR }],
  ])('refuses an error %s at status 200', (_, envelope) => {
    expect(answer(1, envelope)?.at).toBe('/id');
  });

  it.each([400, 404, 503])(
    'takes an error without id or with id null as the answer at status %i',
    (status) => {
      expect(answer(1, { error: ERROR }, { status })).toBeUndefined();
      expect(answer(1, { id: null, error: ERROR }, { status })).toBeUndefined();
    },
  );

  it.each<JsonValue>([2, '1', 'server-error', 1.5, true, {}])(
    'refuses a JSON-RPC error with the foreign id %j at status 400',
    (id) => {
      expect(answer(1, { id, error: ERROR }, { status: 400 })?.at).toBe('/id');
    },
  );

  it('leaves errors that are no JSON-RPC alone', () => {
    const message = { error: 'invalid_token', id: 'x' };
    expect(responseAnswersRequest.check(outbound({ status: 401, message }))).toBeUndefined();
  });

  it('refuses status 202, even with the right body', () => {
    expect(answer(1, { id: 1, result: {} }, { status: 202 })?.at).toBe('');
    expect(
      responseAnswersRequest.check(outbound({ status: 202, reading: { value: undefined, text: '' } }))?.at,
    ).toBe('');
  });

  it.each<[string, string | number]>([
    ['zero', 0],
    ['an empty string', ''],
    ['a number', 41],
    ['a negative number', -1],
    ['a string', 'a-1'],
    ['a string of digits', '1'],
  ])('passes a result and an error that repeat %s', (_, id) => {
    expect(answer(id, { id, result: {} })).toBeUndefined();
    expect(answer(id, { id, error: ERROR })).toBeUndefined();
    expect(answer(id, { id, result: {} }, { position: 'final' })).toBeUndefined();
  });

  it('tells integers past 2^53 apart by their digits', () => {
    const input = outbound({ exchange: exchange({ id: 1 }) });
    const asked = { value: 9007199254740992, text: '9007199254740993' };
    const given = { value: 9007199254740992, text: '9007199254740992' };
    const judged = { ...input.exchange, message: { ...input.exchange.message, id: asked } };
    const message = { ...(input.message as Extract<typeof input.message, { kind: 'response' }>), id: given };
    expect(responseAnswersRequest.check({ ...input, exchange: judged, message })?.at).toBe('/id');
    expect(
      responseAnswersRequest.check({ ...input, exchange: judged, message: { ...message, id: asked } }),
    ).toBeUndefined();
  });

  it('leaves requests and notifications to the next rules', () => {
    expect(answer(1, { id: 7, method: 'roots/list' })).toBeUndefined();
    expect(responseAnswersRequest.check(event('notifications/progress'))).toBeUndefined();
  });

  it('asks nothing of the answer to a notification', () => {
    const judged = exchange({ method: 'notifications/cancelled' });
    expect(
      responseAnswersRequest.check(outbound({ exchange: judged, status: 400, error: ERROR })),
    ).toBeUndefined();
  });
});
