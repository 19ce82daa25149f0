/** docs/operations.md says what the gateway does: its example is real, and its tables are whole. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OUTCOMES } from '../../src/adapters/metrics-labels.js';
import { startBinary } from '../support/binary.js';
import { callTool, FORM } from '../support/client.js';

const PAGE = readFileSync('docs/operations.md', 'utf8');
const [refusal = '', line = ''] = [...PAGE.matchAll(/^```json\n(.+)\n```$/gm)].map((match) => match[1]);

describe('docs/operations.md', () => {
  it('explains every outcome', () => {
    const rows = [...PAGE.matchAll(/^\| `([a-z_]+)` \|/gm)].map((match) => match[1]);
    expect(rows).toEqual(Object.keys(OUTCOMES));
  });

  it('shows a refusal and its audit line as they are', async () => {
    const free = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
    const demo = await startBinary(['demo', '--misbehave', 'credential-field', ...free]);
    onTestFinished(async () => void (await demo.stop()));
    const { trace_id, time, durationMs, upstreamMs, policyMs, ...told } = JSON.parse(line);
    const headers = { traceparent: `00-${trace_id}-00f067aa0ba902b7-01` };
    const { text } = await callTool(demo.url, 'ze_execute', {}, { id: 7, capabilities: FORM, headers });
    expect(text).toBe(refusal);
    const seen = await demo.line(({ msg }) => msg === 'exchange');
    expect(seen).toMatchObject({ ...told, trace_id });
    expect(Object.keys(seen)).toEqual(Object.keys(JSON.parse(line)));
  });
});
