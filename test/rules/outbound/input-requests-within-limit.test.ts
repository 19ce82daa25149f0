import { describe, expect, it } from 'vitest';
import { inputRequestsWithinLimit } from '../../../src/rules/outbound/input-requests-within-limit.js';
import { exchange, inputRequired, outbound, policy } from '../fixtures.js';

function asking(count: number) {
  const names = ['__proto__', ...Array.from({ length: count }, (_, index) => `q${index}`)].slice(0, count);
  return Object.fromEntries(names.map((name) => [name, { method: 'roots/list' }]));
}

describe('input-requests-within-limit', () => {
  it.each([
    ['spec', 17],
    ['ze', 2],
  ] as const)('profile %s refuses %i input requests', (profile, count) => {
    const judged = exchange({ policy: policy({ profile }) });
    expect(inputRequestsWithinLimit.check(inputRequired(asking(count), { exchange: judged }))).toEqual({
      at: '/result/inputRequests',
      message: 'a result asks for more inputs at once than this route allows',
    });
  });

  it.each([
    ['spec', 16],
    ['ze', 1],
    ['ze', 0],
  ] as const)('profile %s passes %i input requests', (profile, count) => {
    const judged = exchange({ policy: policy({ profile }) });
    expect(
      inputRequestsWithinLimit.check(inputRequired(asking(count), { exchange: judged })),
    ).toBeUndefined();
  });

  it('counts in a result that asks without saying so', () => {
    const result = { content: [], inputRequests: asking(17) };
    expect(inputRequestsWithinLimit.check(outbound({ result }))?.at).toBe('/result/inputRequests');
  });

  it('does not count what waits in a task', () => {
    const judged = exchange({ method: 'tasks/get' });
    const result = { taskId: 't', status: 'input_required', inputRequests: asking(17) };
    expect(inputRequestsWithinLimit.check(outbound({ exchange: judged, result }))).toBeUndefined();
  });

  it('counts the entries of a list like those of a map', () => {
    expect(inputRequestsWithinLimit.check(inputRequired(new Array(17).fill({})))?.at).toBe(
      '/result/inputRequests',
    );
  });

  it('passes what is neither map nor list: its shape is judged elsewhere', () => {
    expect(inputRequestsWithinLimit.check(inputRequired('seventeen requests'))).toBeUndefined();
  });
});
