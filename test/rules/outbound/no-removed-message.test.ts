import { describe, expect, it } from 'vitest';
import { noRemovedMessage } from '../../../src/rules/outbound/no-removed-message.js';
import { event, exchange, inputRequired, outbound, policy } from '../fixtures.js';

const URL_PARAMS = { mode: 'url', message: 'Sign in', url: 'https://id.example/' };

describe('no-removed-message', () => {
  it.each(['-32042', '-32042.0', '-3.2042e4', '-32002', '-32023', '-32099', '-32050.0'])(
    'refuses the error code %s at any status',
    (code) => {
      const error = JSON.parse(`{"code":${code},"message":"x","data":{"elicitations":[]}}`);
      for (const status of [200, 400, 404]) {
        expect(noRemovedMessage.check(outbound({ status, error }))?.at).toBe('/error/code');
      }
      expect(noRemovedMessage.check(outbound({ position: 'final', error }))?.at).toBe('/error/code');
    },
  );

  it('never repeats the code', () => {
    const violation = noRemovedMessage.check(outbound({ error: { code: -32042, message: 'x' } }));
    expect(violation?.message).not.toMatch(/\d/);
  });

  it.each([-32020, -32021, -32022, -32019, -32000, -32100, -32700, -32603, -32601, 0, 42, 32042])(
    'passes the error code %i',
    (code) => {
      expect(noRemovedMessage.check(outbound({ error: { code, message: 'x' } }))).toBeUndefined();
    },
  );

  it.each(['-32042', null, {}, [-32042]])('leaves the code %j, which is no number, to others', (code) => {
    expect(noRemovedMessage.check(outbound({ status: 400, error: { code, message: 'x' } }))).toBeUndefined();
  });

  it('refuses a removed code in the error that a task stores, and drops its notification', () => {
    const task = { taskId: 't1', status: 'failed', error: { code: -32042, message: 'x' } };
    const poll = exchange({ method: 'tasks/get', params: { taskId: 't1' } });
    expect(noRemovedMessage.check(outbound({ exchange: poll, result: task }))?.at).toBe('/result/error/code');
    expect(noRemovedMessage.check(event('notifications/tasks', task))).toMatchObject({
      at: '/params/error/code',
      remedy: 'drop',
    });
    const usual = { ...task, error: { code: -32603, message: 'x' } };
    expect(noRemovedMessage.check(outbound({ exchange: poll, result: usual }))).toBeUndefined();
    expect(noRemovedMessage.check(outbound({ result: { resultType: 'complete', error: task.error } }))).toBe(
      undefined,
    );
  });

  it('drops notifications/elicitation/complete', () => {
    expect(
      noRemovedMessage.check(event('notifications/elicitation/complete', { elicitationId: 'e1' })),
    ).toMatchObject({ at: '/method', remedy: 'drop' });
  });

  it('refuses an elicitationId in an elicitation, whatever its value', () => {
    for (const elicitationId of ['e1', '', null]) {
      const input = inputRequired({
        ok: { method: 'elicitation/create', params: URL_PARAMS },
        'a/b': { method: 'elicitation/create', params: { ...URL_PARAMS, elicitationId } },
      });
      const violation = noRemovedMessage.check(input);
      expect(violation?.at).toBe('/result/inputRequests/a~1b/params/elicitationId');
      expect(violation?.remedy).toBeUndefined();
    }
  });

  it('refuses an elicitationId of the result', () => {
    const result = { resultType: 'input_required', elicitationId: 'e1' };
    expect(noRemovedMessage.check(outbound({ result }))?.at).toBe('/result/elicitationId');
  });

  it('drops a task notification with an elicitationId', () => {
    const inputRequests = {
      q: { method: 'elicitation/create', params: { ...URL_PARAMS, elicitationId: 'e1' } },
    };
    expect(noRemovedMessage.check(event('notifications/tasks', { inputRequests }))).toMatchObject({
      at: '/params/inputRequests/q/params/elicitationId',
      remedy: 'drop',
    });
  });

  it('passes an elicitationId that is free data', () => {
    const asked = {
      q: { method: 'sampling/createMessage', params: { elicitationId: 'x' } },
      r: { method: 'elicitation/create', params: { requestedSchema: { properties: { elicitationId: {} } } } },
      s: 'elicitationId',
      t: { method: 'elicitation/create', params: null },
    };
    expect(noRemovedMessage.check(inputRequired(asked))).toBeUndefined();
    const result = { resultType: 'complete', structuredContent: { elicitationId: 'x' } };
    expect(noRemovedMessage.check(outbound({ result }))).toBeUndefined();
  });

  it('passes other notifications, requests and text', () => {
    expect(noRemovedMessage.check(event('notifications/progress', { elicitationId: 'x' }))).toBeUndefined();
    const request = { jsonrpc: '2.0', id: 1, method: 'notifications/elicitation/complete' };
    expect(noRemovedMessage.check(outbound({ message: request }))).toBeUndefined();
    expect(noRemovedMessage.check(outbound({ status: 500, reading: { value: undefined } }))).toBeUndefined();
  });

  it('leaves legacy traffic what its revision had', () => {
    const legacy = exchange({ legacy: true, meta: null, policy: policy({ legacy: 'pass' }) });
    const error = { code: -32042, message: 'x' };
    expect(noRemovedMessage.check(outbound({ exchange: legacy, error }))).toBeUndefined();
    expect(
      noRemovedMessage.check(event('notifications/elicitation/complete', {}, { exchange: legacy })),
    ).toBeUndefined();
  });
});
