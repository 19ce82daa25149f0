import { describe, expect, it, onTestFinished } from 'vitest';
import type { Misbehaviour } from '../../src/demo/misbehave.js';
import { startDemoUpstream } from '../../src/demo/upstream.js';
import { startFixture } from '../conformance/fixture.js';
import { startGateway } from '../support/pair.js';
import { foundIn, reportOn } from './audits.js';

async function behindGateway(...misbehave: Misbehaviour[]): Promise<string> {
  const ze = await startDemoUpstream({ host: '127.0.0.1', port: 0, misbehave: new Set(misbehave) });
  onTestFinished(ze.close);
  const route = { profile: 'ze', tools: { ze_execute: { elicits: ['command'] } } };
  return (await startGateway(ze.url, { route })).url;
}

/** Ways that show at once, beside each other. */
const TOGETHER: readonly (readonly Misbehaviour[])[] = [
  ['list-required-missing', 'public-list', 'old-version', 'ignore-capabilities', 'credential-field'],
  ['nested-form', 'two-requests', 'request-state', 'server-request', 'unasked-log'],
  ['task-input-required'],
  ['wrong-id'],
  ['unknown-result-type'],
  ['removed-code'],
  ['url-mode'],
  ['sampling'],
];

describe('an audit of a gateway', () => {
  it.each(TOGETHER.map((ways) => [ways.join(', '), ways] as const))(
    'finds nothing of what the server behind it breaks: %s',
    async (_, ways) => {
      const report = await reportOn(await behindGateway(...ways), { profile: 'ze', callAll: true });
      expect(foundIn(report)).toEqual([]);
    },
  );

  it('finds that states are verified, which the server behind it does not do', async () => {
    const credulous = await startFixture({ credulous: true });
    onTestFinished(credulous.close);
    const gateway = await startGateway(credulous.url, { route: { requestState: 'seal' } });
    const report = await reportOn(gateway.url, { callAll: true });
    expect(foundIn(report)).toEqual([]);
    expect(report.rows.find(({ rule }) => rule === 'request-state-verified')?.verdict).toBe('pass');
  });
});
