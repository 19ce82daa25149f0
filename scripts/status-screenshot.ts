/** Takes docs/images/status-page.png: the status page after half an hour of invented traffic. Needs Chromium. */
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { Registry } from 'prom-client';
import { createAdmin } from '../src/adapters/admin.js';
import { createHealth } from '../src/adapters/health.js';
import { compile } from '../src/config/compile.js';
import { loadObject } from '../src/config/load.js';
import type { Exchange } from '../src/engine/exchange.js';
import type { Decision, RuleCard } from '../src/engine/rule.js';
import { NO_CAPABILITIES } from '../src/protocol/capabilities.js';
import { HeaderFields } from '../src/protocol/headers.js';
import { readClientMessage } from '../src/protocol/messages.js';
import { ADMIT, INBOUND, OUTBOUND, PARSE } from '../src/rules/index.js';
import { Status } from '../src/status/status.js';

const FILE = 'docs/images/status-page.png';
const MINUTES = 30;
const RULES: readonly RuleCard[] = [...ADMIT, ...PARSE, ...INBOUND, ...OUTBOUND];
const FORM = '/result/inputRequests/confirm/params/requestedSchema/properties';
const UPSTREAM = 'http://127.0.0.1:9718/mcp';

/** Route, method, target, rule, reported instead of enforced, where, why. */
const FOUND = [
  [
    'ze',
    'tools/call',
    'ze_execute',
    'request-state-accepted',
    false,
    '/params/requestState',
    'invalid params: params.requestState is not accepted; this server issues no requestState, so a retry must not carry one',
  ],
  [
    'books',
    'tools/call',
    'order',
    'form-asks-no-credential',
    true,
    `${FORM}/apiKey`,
    'a form asks for a credential',
  ],
  [
    'books',
    'tools/call',
    'order',
    'form-schema-flat',
    false,
    `${FORM}/address/type`,
    'a form field is not a primitive schema: string, number, integer, boolean or an enum',
  ],
  [
    'ze',
    'tools/call',
    'ze_execute',
    'log-level-requested',
    false,
    '/method',
    'the request asked for no log messages',
  ],
  [
    'ze',
    'tasks/get',
    '',
    'tasks-request-declared',
    false,
    '/method',
    'Missing required client capability: extensions["io.modelcontextprotocol/tasks"]',
  ],
  [
    'search',
    'tools/list',
    '',
    'cache-hints-present',
    true,
    '/result/ttlMs',
    'a cacheable result says for how long it may be kept',
  ],
  [
    'ze',
    'tools/call',
    'ze_show',
    'headers-match-body',
    false,
    'mcp-name',
    'Header mismatch: Mcp-Name does not match params.name',
  ],
] as const;

const config = {
  seal: { ephemeral: true },
  routes: [
    { name: 'ze', path: '/ze/mcp', upstream: UPSTREAM, profile: 'ze' },
    { name: 'books', path: '/books/mcp', upstream: 'https://books.example.com/mcp', mode: 'report' },
    { name: 'search', path: '/search/mcp', upstream: 'https://search.example.com/mcp' },
  ],
};
const plan = compile(loadObject(config).config);
const clock = { ms: Date.now() - MINUTES * 60_000 };
const health = createHealth();
const status = new Status({
  build: { version: '0.1.0', revision: 'unknown' },
  readiness: () => health.readiness(),
  now: () => clock.ms,
});
health.applyPlan(plan);
health.started();
status.applyPlan(plan);
for (let minute = 0; minute < MINUTES; minute += 1) liveThrough(minute);
await photograph();

function liveThrough(minute: number): void {
  for (const [index, { policy }] of plan.routes.entries()) {
    health.observer.upstreamAnswered?.(policy);
    for (let n = 0; n < 40 - 12 * index + ((minute * 7) % 11); n += 1) passOne(policy.name);
  }
  for (let n = 0; n <= (minute * minute + 3) % 5; n += 1) {
    clock.ms += 7_000;
    find(FOUND[(minute + 3 * n) % FOUND.length] ?? FOUND[0]);
  }
  clock.ms += 60_000 - 7_000 * (1 + ((minute * minute + 3) % 5));
}

function policyNamed(name: string) {
  const route = plan.routes.find(({ policy }) => policy.name === name);
  if (route === undefined) throw new Error(`no route ${name}`);
  return route.policy;
}

function passOne(route: string): void {
  const policy = policyNamed(route);
  status.observer.began?.(policy);
  status.observer.ended?.({
    ...{ route: policy, exchange: undefined, outcome: 'ok', status: 200, durationMs: 9, upstreamMs: 8 },
    ...{ policyMs: 0.1, traceparent: undefined, decisions: [], stream: false },
  });
}

function find([route, method, name, id, reported, at, message]: (typeof FOUND)[number]): void {
  const rule = RULES.find((one) => one.id === id);
  if (rule === undefined) throw new Error(`no rule ${id}`);
  const policy = policyNamed(route);
  const finding = { rule, severity: reported ? 'report' : 'enforce', violation: { at, message } } as const;
  const decision: Decision = { findings: [finding], refusal: reported ? undefined : finding };
  const exchange: Exchange = {
    ...{ policy, headers: new HeaderFields([]), legacy: false },
    message: readClientMessage({ jsonrpc: '2.0', id: 1, method, params: { name } }, () => '1'),
    capabilities: NO_CAPABILITIES,
    facts: { now: clock.ms, principal: undefined, state: undefined },
  };
  status.observer.decided?.(policy, exchange, rule.stage, decision);
}

async function photograph(): Promise<void> {
  const origins = { loopback: true, origins: new Set<string>(), hosts: new Set<string>(), checkHost: true };
  const admin = createAdmin({ registry: new Registry(), health, status, origins });
  await new Promise<void>((resolve) => admin.listen(0, '127.0.0.1', resolve));
  const args = ['--headless', '--no-sandbox', '--disable-gpu'];
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 }, colorScheme: 'light' });
  await page.goto(`http://127.0.0.1:${(admin.address() as AddressInfo).port}/`);
  await page.locator('#decision-rows tr').first().waitFor();
  mkdirSync('docs/images', { recursive: true });
  await page.screenshot({ path: FILE });
  await browser.close();
  admin.closeAllConnections();
  admin.close();
}
