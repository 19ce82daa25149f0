import { describe, expect, it } from 'vitest';
import { FAULT_WORDS, type ReadFault } from '../../../src/protocol/reading.js';
import { responseReadable } from '../../../src/rules/outbound/response-readable.js';
import { event, type OutboundOptions, outbound } from '../fixtures.js';

const RESULT = { resultType: 'complete' };
const FAULTS = Object.keys(FAULT_WORDS) as ReadFault[];

function nested(levels: number): string[] {
  let value: unknown = 'leaf';
  for (let level = 0; level < levels; level += 1) value = [value];
  return value as string[];
}

describe('response-readable', () => {
  it.each(FAULTS)('refuses a successful answer with the fault %s and says it in fixed words', (fault) => {
    const violation = responseReadable.check(outbound({ reading: { fault, at: '/result/x' } }));
    expect(violation).toEqual({
      at: '/result/x',
      message: `the upstream's answer is not readable: ${FAULT_WORDS[fault]}`,
    });
  });

  it.each(FAULTS)('refuses a stream event with the fault %s', (fault) => {
    expect(responseReadable.check(event('notifications/tasks', {}, { reading: { fault } }))?.at).toBe('');
  });

  it.each(FAULTS)('refuses an error answer with the fault %s', (fault) => {
    expect(responseReadable.check(outbound({ status: 401, reading: { fault } }))).toBeDefined();
  });

  it.each<[string, OutboundOptions, string]>([
    ['a redirect, whatever its body', { status: 307 }, ''],
    ['a cached answer', { status: 304 }, ''],
    ['an array', { message: [{ jsonrpc: '2.0', id: 1, result: RESULT }] }, ''],
    ['an empty array', { message: [] }, ''],
    ['a string', { message: 'done' }, ''],
    ['a number', { message: 0 }, ''],
    ['null', { reading: { value: null } }, ''],
    ['an object that is no message', { message: { type: 'heartbeat' } }, ''],
    ['an envelope with an id alone', { message: { jsonrpc: '2.0', id: 1 } }, ''],
    ['a method that is no string', { message: { jsonrpc: '2.0', id: 1, method: 5 } }, ''],
    ['no jsonrpc member', { message: { id: 1, result: RESULT } }, '/jsonrpc'],
    ['another jsonrpc version', { message: { jsonrpc: '1.0', id: 1, result: RESULT } }, '/jsonrpc'],
    ['a jsonrpc that is a number', { message: { jsonrpc: 2, id: 1, result: RESULT } }, '/jsonrpc'],
    [
      'both result and error',
      { message: { jsonrpc: '2.0', id: 1, result: RESULT, error: { code: 1, message: 'x' } } },
      '',
    ],
    ['a result beside a null error', { message: { jsonrpc: '2.0', id: 1, result: RESULT, error: null } }, ''],
    [
      'both method and result',
      { message: { jsonrpc: '2.0', method: 'notifications/progress', result: RESULT } },
      '',
    ],
    [
      'a method that is no string beside a result',
      { message: { jsonrpc: '2.0', id: 1, method: null, result: RESULT } },
      '',
    ],
    ['a null result', { message: { jsonrpc: '2.0', id: 1, result: null } }, '/result'],
    ['an array as result', { message: { jsonrpc: '2.0', id: 1, result: [] } }, '/result'],
    ['a string as result', { message: { jsonrpc: '2.0', id: 1, result: 'ok' } }, '/result'],
    ['a null error', { message: { jsonrpc: '2.0', id: 1, error: null } }, '/error'],
    ['a string as error', { error: 'invalid_token' }, '/error'],
    ['an error without code', { error: { message: 'no' } }, '/error/code'],
    ['a code that is a string', { error: { code: '-32042', message: 'no' } }, '/error/code'],
    ['a code with a fraction', { error: { code: -32042.5, message: 'no' } }, '/error/code'],
    ['an error without message', { error: { code: -32603 } }, '/error/message'],
    [
      'a notification as the whole body',
      { message: { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } },
      '/method',
    ],
    ['nesting past the limit', { result: { content: nested(520) } }, ''],
  ])('refuses %s', (_, options, at) => {
    expect(responseReadable.check(outbound(options))?.at).toBe(at);
  });

  it.each<[string, OutboundOptions]>([
    ['a result', { result: RESULT }],
    ['an empty result', { result: {} }],
    ['a result with a member called __proto__', { result: JSON.parse('{"__proto__":{"a":1}}') }],
    ['a deep result within the limit', { result: { content: nested(200) } }],
    ['an error with data', { error: { code: -32602, message: 'no', data: { x: 1 } } }],
    ['a request, which the next rules judge', { message: { jsonrpc: '2.0', id: 7, method: 'roots/list' } }],
    ['text with an error status', { status: 502, reading: { value: undefined } }],
    ['an OAuth error', { status: 401, message: { error: 'invalid_token', error_description: 'expired' } }],
    ['an array with an error status', { status: 400, message: [] }],
    ['a JSON-RPC error without id', { status: 400, message: { jsonrpc: '2.0', error: { code: -32600 } } }],
  ])('passes %s', (_, options) => {
    expect(responseReadable.check(outbound(options))).toBeUndefined();
  });

  it('passes a notification in a stream', () => {
    expect(responseReadable.check(event('notifications/tools/list_changed'))).toBeUndefined();
  });

  it('passes the final response of a stream', () => {
    expect(responseReadable.check(outbound({ position: 'final' }))).toBeUndefined();
  });

  it('cannot be softened', () => {
    expect(responseReadable.locked).toBeDefined();
    expect(responseReadable.remedy).toEqual({ refuse: 'upstreamInvalid' });
  });
});
