import { describe, expect, it } from 'vitest';
import { Ledger } from '../../src/engine/ledger.js';
import type { Observer } from '../../src/engine/observer.js';
import { outbound } from '../../src/gateway.js';
import type { JsonValue } from '../../src/protocol/messages.js';
import { inputRequestDeclared } from '../../src/rules/outbound/input-request-declared.js';
import { exchange, policy, reading } from '../rules/fixtures.js';

const TASK = { taskId: 't', status: 'input_required', inputRequests: { q: { method: 'roots/list' } } };
const TOLD = { jsonrpc: '2.0', method: 'notifications/tasks', params: TASK };

function passage(message: JsonValue, stream: boolean) {
  const rules = { admit: [], parse: [], inbound: [], outbound: [active()] };
  const judged = exchange({ policy: policy({ rules }) });
  const found: string[] = [];
  const observer = new Proxy({} as Observer, {
    get: (_, event) => () => void found.push(String(event)),
  });
  const ledger = new Ledger(judged.policy, observer);
  const received = { reading: reading(message), status: 200, stream, acknowledged: false };
  const { kind } = outbound(ledger, judged, received);
  return { kind, found, outcome: ledger.outcome };
}

function active() {
  return { rule: inputRequestDeclared, severity: 'enforce' as const };
}

describe('a refused message', () => {
  it('is dropped when it is a notification in a stream, and recorded', () => {
    expect(passage(TOLD, true)).toMatchObject({ kind: 'drop', found: ['decided'], outcome: 'client_gone' });
  });

  it('ends the exchange when it is the response', () => {
    const response = { jsonrpc: '2.0', id: 1, result: { resultType: 'task', ...TASK } };
    expect(passage(response, true)).toMatchObject({ kind: 'refuse', outcome: 'refused_outbound' });
    expect(passage(response, false)).toMatchObject({ kind: 'refuse', outcome: 'refused_outbound' });
  });
});
