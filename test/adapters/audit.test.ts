import { describe, expect, it } from 'vitest';
import { createAudit } from '../../src/adapters/audit.js';
import type { ExchangeSummary, StagedDecision } from '../../src/engine/observer.js';
import type { RoutePolicy, ToolPolicy } from '../../src/engine/policy.js';
import type { Finding, Violation } from '../../src/engine/rule.js';
import { boundedText } from '../../src/protocol/bounded-text.js';
import { type JsonObject, readClientMessage } from '../../src/protocol/messages.js';
import { originAllowed } from '../../src/rules/admit/origin-allowed.js';
import { requestStateAccepted } from '../../src/rules/inbound/request-state-accepted.js';
import { noServerRequest } from '../../src/rules/outbound/no-server-request.js';
import { exchange, policy } from '../rules/fixtures.js';
import { summaryOf } from './plans.js';

type Line = Record<string, unknown>;

/** The audit lines of these exchanges, as written. */
function audited(summaries: readonly ExchangeSummary[], enabled = true): string[] {
  const lines: string[] = [];
  const audit = createAudit({
    audit: { write: (line) => void lines.push(line) },
    enabled: () => enabled,
  });
  for (const summary of summaries) audit.ended?.(summary);
  return lines;
}

function lineOf(summary: ExchangeSummary): Line {
  return JSON.parse(audited([summary])[0] ?? '{}') as Line;
}

function found(violation: Partial<Violation> = {}): StagedDecision {
  const finding: Finding = {
    rule: noServerRequest,
    severity: 'enforce',
    violation: { at: '/method', message: 'no', ...violation },
  };
  return { stage: 'outbound', decision: { findings: [finding], refusal: finding } };
}

function route(tool: Partial<ToolPolicy> = {}): RoutePolicy {
  const auditing: ToolPolicy = { elicits: [], auditArguments: [], toolError: true, ...tool };
  return policy({ name: 'ze', tools: new Map([['ze_execute', auditing]]) });
}

function call(args: JsonObject, tool: Partial<ToolPolicy> = {}, id: string | number = 7): ExchangeSummary {
  const ze = route(tool);
  return summaryOf(ze, exchange({ policy: ze, id, params: { name: 'ze_execute', arguments: args } }));
}

describe('the audit log', () => {
  it('has one line for an exchange', () => {
    const summary = call({ command: 'show bgp' });
    const line = lineOf({
      ...summary,
      outcome: 'refused_outbound',
      durationMs: 12.345678,
      upstreamMs: 11.1,
      policyMs: 0.0123456,
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      decisions: [found()],
    });
    expect(line).toEqual({
      level: 'info',
      time: expect.any(String),
      route: 'ze',
      'mcp.method.name': 'tools/call',
      name: 'ze_execute',
      id: 7,
      outcome: 'refused_outbound',
      status: 200,
      durationMs: 12.346,
      upstreamMs: 11.1,
      policyMs: 0.012,
      findings: [{ rule: 'no-server-request', stage: 'outbound', severity: 'enforce', at: '/method' }],
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      msg: 'exchange',
    });
  });

  it('tells why a state was not accepted, which the caller is not told', () => {
    const detail = { kind: 'state', verdict: 'moved' } as const;
    const violation = { at: '/params/requestState', message: 'no', detail };
    const refused = { rule: requestStateAccepted, severity: 'enforce', violation } as const;
    const decisions = [{ stage: 'inbound', decision: { findings: [refused], refusal: refused } }] as const;
    expect(lineOf({ ...call({}), decisions }).findings).toEqual([
      {
        rule: 'request-state-accepted',
        stage: 'inbound',
        severity: 'enforce',
        at: '/params/requestState',
        verdict: 'moved',
      },
    ]);
  });

  it('has a line for an exchange whose message could not be read', () => {
    const refused = {
      rule: originAllowed,
      severity: 'enforce',
      violation: { at: 'origin', message: 'no' },
    } as const;
    const line = lineOf(
      summaryOf(route(), undefined, {
        outcome: 'refused_inbound',
        status: 403,
        upstreamMs: undefined,
        decisions: [{ stage: 'admit', decision: { findings: [refused], refusal: refused } }],
      }),
    );
    expect(line).toEqual({
      level: 'info',
      time: expect.any(String),
      route: 'ze',
      outcome: 'refused_inbound',
      status: 403,
      durationMs: 40,
      policyMs: 0.2,
      findings: [{ rule: 'origin-allowed', stage: 'admit', severity: 'enforce', at: 'origin' }],
      msg: 'exchange',
    });
  });

  it('is silent when it is turned off', () => {
    expect(audited([call({})], false)).toEqual([]);
  });

  it('names the principal by its hash', () => {
    const ze = route();
    const asked = exchange({ policy: ze, facts: { principal: 'p-1f2e' } });
    expect(lineOf(summaryOf(ze, asked))).toMatchObject({ principal: 'p-1f2e' });
  });

  it.each([
    ['a tool', 'tools/call', { name: 'book' }, 'book'],
    ['a prompt', 'prompts/get', { name: 'review' }, 'review'],
    ['a resource', 'resources/read', { uri: 'file:///etc/motd' }, 'file:///etc/motd'],
    [
      'a resource, without user, query and fragment',
      'resources/read',
      { uri: 'https://user:canary@a.example/x?key=canary#canary' },
      'https://a.example/x',
    ],
    ['no task: its id is a key to it', 'tasks/get', { taskId: 'canary' }, undefined],
    ['nothing where the name is no string', 'tools/call', { name: { canary: 1 } }, undefined],
  ])('names %s', (_, method, params, name) => {
    const line = lineOf(summaryOf(route(), exchange({ method, params })));
    expect(line.name).toBe(name);
    expect(JSON.stringify(line)).not.toContain('canary');
  });

  it('bounds and escapes names, methods and ids', () => {
    const nasty = `\u001b[31m\u202e${'x'.repeat(300)}`;
    const summary = summaryOf(route(), exchange({ method: nasty, id: nasty }));
    const line = lineOf(summary);
    const shown = `\\u{1b}[31m\\u{202e}${'x'.repeat(122)}…`;
    expect(line).toMatchObject({ 'mcp.method.name': shown, id: shown });
    for (const raw of ['\u001b', '\u202e']) expect(audited([summary])[0]).not.toContain(raw);
  });

  it('keeps every digit of a long id', () => {
    const asked = exchange();
    const message = readClientMessage(
      { ...asked.message.envelope, id: 2 ** 60 },
      () => '1152921504606846977',
    );
    expect(lineOf(summaryOf(route(), { ...asked, message })).id).toBe('1152921504606846977');
  });

  it('bounds and escapes where a finding stands', () => {
    const decisions = [found({ at: `/a\u202e${'b'.repeat(400)}` })];
    const findings = lineOf({ ...call({}), decisions }).findings as readonly { at: string }[];
    expect(findings[0]?.at).toMatch(/^\/a\\u202eb+$/);
    expect(findings[0]?.at).toHaveLength(200);
  });

  it('counts the findings that it leaves out', () => {
    const line = lineOf({ ...call({}), decisions: Array.from({ length: 60 }, () => found()) });
    expect(line.findings).toHaveLength(50);
    expect(line.findingsOmitted).toBe(10);
    const more = lineOf({ ...call({}), decisions: [found()], findingsOmitted: 7 });
    expect([more.findings, more.findingsOmitted]).toMatchObject([[{}], 7]);
  });
});

describe('arguments in the audit log', () => {
  it('are those that the operator named, and no others', () => {
    const named = call({ command: 'show bgp', peer: 'canary' }, { auditArguments: ['command', 'absent'] });
    expect(lineOf(named).arguments).toEqual({ command: 'show bgp' });
    expect(JSON.stringify(lineOf(named))).not.toContain('canary');
    expect(lineOf(call({ command: 'canary' }))).not.toHaveProperty('arguments');
  });

  it.each([
    ['a string as it is', 'show bgp', 'show bgp'],
    ['an empty string', '', ''],
    ['a number', 7, '7'],
    ['null', null, 'null'],
    ['a list as JSON', ['a', 1], '["a",1]'],
    ['an object as JSON', { a: '"' }, '{"a":"\\\\""}'],
    ['control characters escaped', 'a\nb\u009b', 'a\\u{a}b\\u{9b}'],
    ['at most 1024 characters', 'x'.repeat(2000), `${'x'.repeat(1024)}…`],
  ])('show %s', (_, value, shown) => {
    expect(lineOf(call({ command: value }, { auditArguments: ['command'] })).arguments).toEqual({
      command: shown,
    });
  });

  it('may be called what objects inherit', () => {
    const args = JSON.parse('{"__proto__":"a","constructor":"b"}') as JsonObject;
    const auditArguments = ['__proto__', 'constructor', 'toString'];
    const line = audited([call(args, { auditArguments })])[0];
    expect(line).toContain('"arguments":{"__proto__":"a","constructor":"b"}');
  });

  it('of other methods and tools stay out', () => {
    const ze = route({ auditArguments: ['command'] });
    for (const [method, name] of [
      ['prompts/get', 'ze_execute'],
      ['tools/call', 'other'],
    ] as const) {
      const asked = exchange({ policy: ze, method, params: { name, arguments: { command: 'canary' } } });
      expect(lineOf(summaryOf(ze, asked))).not.toHaveProperty('arguments');
    }
  });
});

describe('values', () => {
  it('of states, answers, arguments and header fields are in no line', () => {
    const ze = route();
    const asked = exchange({
      policy: ze,
      params: {
        name: 'ze_execute',
        arguments: { command: 'canary' },
        requestState: 'canary',
        inputResponses: { ask: { action: 'accept', content: { command: 'canary' } } },
      },
      headers: { authorization: 'Bearer canary', cookie: 'canary' },
      capabilities: { experimental: { canary: {} } },
    });
    expect(audited([summaryOf(ze, asked, { decisions: [found()] })]).join('')).not.toContain('canary');
  });
});

describe('bounded text', () => {
  it.each([
    ['plain', 'plain'],
    ['ünï 日本', 'ünï 日本'],
    ['back\\slash', 'back\\\\slash'],
    ['\u0000\t\r\n\u007f', '\\u{0}\\u{9}\\u{d}\\u{a}\\u{7f}'],
    ['\u200b\u2028\ufeff', '\\u{200b}\\u{2028}\\u{feff}'],
    ['\ud800', '\\u{d800}'],
    ['\u{e0041}', '\\u{e0041}'],
  ])('shows %j as %j', (text, shown) => {
    expect(boundedText(text, 20)).toBe(shown);
  });

  it('that is cut inside a character pair shows what is left of it', () => {
    expect(boundedText('ab😀', 3)).toBe('ab\\u{d83d}…');
  });
});
