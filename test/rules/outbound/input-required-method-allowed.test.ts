import { describe, expect, it } from 'vitest';
import { inputRequiredMethodAllowed } from '../../../src/rules/outbound/input-required-method-allowed.js';
import { exchange, outbound } from '../fixtures.js';

const ASKED = { q: { method: 'elicitation/create', params: { mode: 'form', message: 'Which?' } } };
const OTHERS = [
  'tools/list',
  'server/discover',
  'completion/complete',
  'subscriptions/listen',
  'tasks/get',
  'tasks/update',
  'com.example/x',
  '__proto__',
];

describe('input-required-method-allowed', () => {
  it.each(OTHERS)('refuses a question that answers %s', (method) => {
    const result = { resultType: 'input_required', inputRequests: ASKED };
    const judged = exchange({ method });
    expect(inputRequiredMethodAllowed.check(outbound({ exchange: judged, result }))?.at).toBe(
      '/result/resultType',
    );
    expect(
      inputRequiredMethodAllowed.check(outbound({ exchange: judged, position: 'final', result }))?.at,
    ).toBe('/result/resultType');
  });

  it.each(['complete', 'task', undefined, null])(
    'refuses inputRequests of a tools/list result of type %j',
    (type) => {
      const result = { ...(type === undefined ? {} : { resultType: type }), inputRequests: ASKED };
      const input = outbound({ exchange: exchange({ method: 'tools/list' }), result });
      expect(inputRequiredMethodAllowed.check(input)?.at).toBe('/result/inputRequests');
    },
  );

  it.each(['tools/call', 'prompts/get', 'resources/read'])('passes a question that answers %s', (method) => {
    const result = { resultType: 'input_required', inputRequests: ASKED };
    expect(
      inputRequiredMethodAllowed.check(outbound({ exchange: exchange({ method }), result })),
    ).toBeUndefined();
  });

  it('passes the inputRequests of a task that tasks/get tells', () => {
    const result = { resultType: 'complete', status: 'input_required', inputRequests: ASKED };
    const input = outbound({ exchange: exchange({ method: 'tasks/get' }), result });
    expect(inputRequiredMethodAllowed.check(input)).toBeUndefined();
  });

  it('passes complete results and errors', () => {
    const judged = exchange({ method: 'tools/list' });
    expect(
      inputRequiredMethodAllowed.check(outbound({ exchange: judged, result: { tools: [] } })),
    ).toBeUndefined();
    expect(
      inputRequiredMethodAllowed.check(outbound({ exchange: judged, error: { code: 1, message: 'x' } })),
    ).toBeUndefined();
  });
});
