/** The status page in a real browser, fed by real traffic with hostile names in it. */
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createAdmin } from '../../src/adapters/admin.js';
import { createHealth } from '../../src/adapters/health.js';
import { Status } from '../../src/status/status.js';
import { planOf } from '../adapters/plans.js';
import { CHROMIUM, launchBrowser, type Visit, visit } from '../support/browser.js';
import { call, callTool, FORM } from '../support/client.js';
import { startPair } from '../support/pair.js';
import { describeWith } from '../support/programs.js';
import { resultReply } from '../support/upstream.js';

const HOSTILE = [
  '<script>document.title = "owned"</script>',
  '</script><script>document.title = "owned"</script>',
  '"><img src=x onerror="document.title=\'owned\'">',
  '\u202egnp.exe\u202c\u2066\u200f',
  'javascript:document.title="owned"',
  'שלום-עולם',
  'x'.repeat(5000),
];
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** In the page: what has the focus, and whether that can be seen. */
const FOCUSED = `(() => {
  const at = document.activeElement ?? document.body;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  return [at.id || at.textContent.trim(), outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2];
})()`;

/** In the page: by how much it is too wide, and what reaches out of the window. */
const OVERFLOWING = `(() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  const wide = [...document.querySelectorAll('main *, header *')].filter(
    (element) => element.getBoundingClientRect().right > clientWidth + 1 && !element.closest('.unseen, thead'),
  );
  return { beyond: scrollWidth - clientWidth, wide: wide.map(({ outerHTML }) => outerHTML.slice(0, 200)) };
})()`;

/** A form whose property has this name and asks for an object, which no form may. */
function nestedForm(name: string): object {
  const requestedSchema = { type: 'object', properties: { [name]: { type: 'object', properties: {} } } };
  const params = { mode: 'form', message: 'Which?', requestedSchema };
  return {
    resultType: 'input_required',
    inputRequests: { [name]: { method: 'elicitation/create', params } },
  };
}

interface Watched {
  /** The status page. */
  readonly url: string;
  /** A tool of this name is called with a requestState, which the route forbids. */
  readonly refuseInbound: (name: string) => Promise<unknown>;
  /** The server asks with a form that no form may be; the name stands in `at`. */
  readonly refuseOutbound: (name: string) => Promise<unknown>;
  readonly list: () => Promise<unknown>;
  readonly dropConnections: () => void;
}

async function startWatched(): Promise<Watched> {
  const keys = { name: 'ze', path: '/mcp', requestState: 'forbid' };
  const health = createHealth();
  const status = new Status({
    build: { version: '1.2.3', revision: 'unknown' },
    readiness: () => health.readiness(),
  });
  const { url } = await startPair(
    (request) => {
      const { method, params = {} } = request.json();
      if (method !== 'tools/call')
        return resultReply(request, { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' });
      return resultReply(request, nestedForm(String(params.name)));
    },
    { route: keys },
    { observer: status.observer },
  );
  const plan = planOf(keys);
  health.applyPlan(plan);
  health.started();
  status.applyPlan(plan);
  const origins = { loopback: true, origins: new Set<string>(), hosts: new Set<string>(), checkHost: true };
  const admin = createAdmin({ registry: new Registry(), health, status, origins });
  await new Promise<void>((resolve) => admin.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    admin.closeAllConnections();
    await new Promise((resolve) => admin.close(resolve));
  });
  const encoded = (name: string) => `=?base64?${Buffer.from(name).toString('base64')}?=`;
  return {
    url: `http://127.0.0.1:${(admin.address() as AddressInfo).port}/`,
    refuseInbound: (name) =>
      callTool(url, name, {}, { params: { requestState: 'x' }, headers: { 'mcp-name': encoded(name) } }),
    refuseOutbound: (name) =>
      callTool(url, name, {}, { capabilities: FORM, headers: { 'mcp-name': encoded(name) } }),
    list: () => call(url, 'tools/list'),
    dropConnections: () => admin.closeAllConnections(),
  };
}

describeWith(CHROMIUM, 'the status page in Chromium', (chromium) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser(chromium);
  });
  afterAll(() => browser.close());

  const rows = (page: Page) => page.locator('#decision-rows > tr:visible');
  const live = (page: Page) => page.locator('#link[data-link="live"]').waitFor();

  async function look(url: string, options: BrowserContextOptions = {}): Promise<Visit> {
    const seen = await visit(browser, url, options);
    await live(seen.page);
    return seen;
  }

  async function lookAtHostile(options: BrowserContextOptions = {}): Promise<Visit> {
    const watched = await startWatched();
    for (const name of HOSTILE) {
      await watched.refuseInbound(name);
      await watched.refuseOutbound(name);
    }
    const seen = await look(watched.url, options);
    await rows(seen.page)
      .nth(2 * HOSTILE.length - 1)
      .waitFor();
    return seen;
  }

  it('shows what is hostile as text, and asks nobody else for anything', async () => {
    const { page, troubles, addresses } = await lookAtHostile();
    expect(troubles).toEqual([]);
    expect(await page.title()).toBe('mrtr-gateway status');
    expect(await page.locator('script, img, iframe, object').count()).toBe(1);
    const text = await textOf(page.locator('#decisions'));
    expect(text).toContain('<script>document.title = "owned"</script>');
    expect(text).toContain('\\u{202e}gnp.exe\\u{202c}\\u{2066}');
    expect(text).not.toMatch(BIDI);
    const where = await page.locator('#decision-rows .where').allInnerTexts();
    expect(where.filter((at) => at.includes('onerror'))).toHaveLength(1);
    expect(Math.max(...where.map((at) => at.length))).toBeLessThanOrEqual(200);
    const links = await page
      .locator('a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(links.filter((link) => !/^(#|https:\/\/modelcontextprotocol\.io\/|[a-z.]+$)/.test(link))).toEqual(
      [],
    );
    const { origin } = new URL(page.url());
    expect(
      addresses.filter((address) => !address.startsWith(`${origin}/`) && !address.startsWith('data:')),
    ).toEqual([]);
  });

  it('shows routes, rules and each decision with when, what, where and why', async () => {
    const { url, refuseInbound } = await startWatched();
    await refuseInbound('ze_execute');
    const { page, troubles } = await look(url);
    await expectText(page.locator('#state'), 'Ready');
    await expectText(page.locator('#route-rows tr'), /ze\s+\/mcp.*spec.*enforce.*forbid/s);
    await rows(page).first().waitFor();
    expect(await rows(page).first().locator('th, td').allInnerTexts()).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d$/),
      'Refused',
      'request-state-accepted',
      expect.stringMatching(/^tools\/call ze_execute\s+inbound, route ze$/),
      '/params/requestState',
      expect.stringMatching(/^invalid params: .*\s+basic\/patterns\/mrtr MUST NOT$/),
    ]);
    const why = rows(page).first().getByRole('link', { name: 'basic/patterns/mrtr MUST NOT' });
    expect(await why.getAttribute('href')).toMatch(
      /^https:\/\/modelcontextprotocol\.io\/.*#client-requirements/,
    );
    const rule = page.locator('#rule-request-state-accepted');
    expect(await rule.locator('th, td').allInnerTexts()).toEqual([
      expect.stringMatching(/^request-state-accepted\s+A requestState comes in only/),
      'inbound',
      'enforce',
      expect.stringMatching(/^basic\/patterns\/mrtr MUST NOT\s/),
      ...['1', '0', '0'],
    ]);
    await page.locator('#found-only').check();
    expect(await page.locator('#rule-rows > tr:visible').count()).toBe(1);
    expect(troubles).toEqual([]);
  });

  it('shows a new decision at once, and says so to those who hear it', async () => {
    const { url, refuseInbound, refuseOutbound, list } = await startWatched();
    const { page, troubles } = await look(url);
    await expectText(page.locator('#none'), /^Nothing has been found so far/);
    await list();
    await refuseInbound('one');
    await page.getByText('Refused by request-state-accepted, inbound').waitFor({ state: 'attached' });
    expect(await page.locator('#news').getAttribute('aria-live')).toBe('polite');
    await rows(page).first().waitFor();
    await refuseOutbound('two');
    await rows(page).nth(1).waitFor();
    expect(await page.locator('#decision-rows .rule').allInnerTexts()).toEqual([
      'form-schema-flat',
      'request-state-accepted',
    ]);
    const tile = (name: string) =>
      page.locator('.tile', { has: page.getByText(name, { exact: true }) }).locator('strong');
    await expectText(tile('Exchanges'), '3');
    await expectText(tile('Refused in the last 5 minutes'), '2');
    await expectText(page.locator('#rule-form-schema-flat .number').first(), '1');
    expect(troubles).toEqual([]);
  });

  it('filters by rule, stage and method, and tells how many are left', async () => {
    const { url, refuseInbound, refuseOutbound } = await startWatched();
    await refuseInbound('a');
    await refuseInbound('b');
    await refuseOutbound('c');
    const { page } = await look(url);
    const shown = async () => [await rows(page).count(), await textOf(page.locator('#shown'))];
    expect(await shown()).toEqual([3, 'The last 3']);
    await page.getByRole('combobox', { name: 'Rule' }).selectOption('form-schema-flat');
    expect(await shown()).toEqual([1, '1 of the last 3']);
    await page.getByRole('combobox', { name: 'Stage' }).selectOption('inbound');
    expect(await shown()).toEqual([0, '0 of the last 3']);
    await expectText(page.locator('#none'), 'None of these matches the filters.');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    expect(await shown()).toEqual([3, 'The last 3']);
    await page.getByRole('combobox', { name: 'Stage' }).selectOption('inbound');
    await refuseInbound('d');
    await refuseOutbound('e');
    await page.getByText('3 of the last 5').waitFor();
    expect(await shown()).toEqual([3, '3 of the last 5']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('combobox', { name: 'Method' }).selectOption('tools/list');
    expect(await shown()).toEqual([0, '0 of the last 5']);
    await page.getByRole('combobox', { name: 'Method' }).selectOption('tools/call');
    expect(await shown()).toEqual([5, '5 of the last 5']);
  });

  it('holds still when it is told to, and then shows what it missed', async () => {
    const { url, refuseInbound } = await startWatched();
    await refuseInbound('a');
    const { page } = await look(url);
    await page.getByRole('button', { name: 'Pause' }).click();
    await refuseInbound('b');
    const resume = page.getByRole('button', { name: 'Resume (1 new)' });
    await resume.waitFor();
    expect([await rows(page).count(), await resume.getAttribute('aria-pressed')]).toEqual([1, 'true']);
    await resume.click();
    expect(await rows(page).count()).toBe(2);
  });

  it('keeps the last 200', async () => {
    const { url, refuseInbound } = await startWatched();
    const { page } = await look(url);
    for (let n = 0; n < 21; n += 1) await Promise.all(Array.from({ length: 10 }, () => refuseInbound('a')));
    await page.getByText('The last 200').waitFor();
    expect(await rows(page).count()).toBe(200);
    await expectText(page.locator('.tile', { hasText: 'Reported' }).locator('strong'), '0');
  });

  it('can be used with the keyboard alone, and shows where one is', async () => {
    const { url, refuseInbound, refuseOutbound } = await startWatched();
    await refuseInbound('a');
    await refuseOutbound('b');
    const { page } = await look(url);
    const focused = () => page.evaluate<readonly [string, boolean]>(FOCUSED);
    await page.keyboard.press('Tab');
    expect(await focused()).toEqual(['Skip to the decisions', true]);
    await page.keyboard.press('Enter');
    const stops: (readonly [string, boolean])[] = [];
    for (let n = 0; n < 7; n += 1) {
      await page.keyboard.press('Tab');
      stops.push(await focused());
    }
    const order = ['pause', 'by-what', 'by-rule', 'by-stage', 'by-method', 'by-route', 'form-schema-flat'];
    expect(stops).toEqual(order.map((name) => [name, true]));
    await page.locator('#by-stage').focus();
    await page.keyboard.type('inb');
    await page.getByText('1 of the last 2').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect((await focused())[0]).toBe('clear');
    await page.keyboard.press('Enter');
    await page.getByText('The last 2').waitFor();
    await page.locator('#pause').focus();
    await page.keyboard.press('Space');
    expect(await page.locator('#pause').getAttribute('aria-pressed')).toBe('true');
  });

  it.each([
    ['a desk', 1280],
    ['a phone', 360],
  ])('has landmarks, names and table roles for those who hear it, on %s', async (_, width) => {
    const { page } = await lookAtHostile({ viewport: { width, height: 740 } });
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const heard = nodes
      .filter(({ ignored }) => !ignored)
      .map(({ role, name }) => [String(role?.value), String(name?.value ?? '')] as const);
    const named = (role: string) => heard.filter(([one]) => one === role).map(([, name]) => name);
    for (const landmark of ['banner', 'main', 'contentinfo']) expect(named(landmark)).toHaveLength(1);
    expect(named('navigation')).toEqual(['Sections']);
    expect(named('region')).toEqual(['At a glance', 'Routes', 'Decisions', 'Rules']);
    expect(named('table').sort()).toEqual(['Decisions', 'Routes', 'Rules']);
    expect(named('columnheader')).toEqual(
      expect.arrayContaining(['When', 'Decision', 'Rule', 'Where', 'Why']),
    );
    expect(named('rowheader')).toContain('form-schema-flat');
    expect(named('row').length).toBeGreaterThan(2 * HOSTILE.length);
    expect(named('combobox')).toEqual(['Decision', 'Rule', 'Stage', 'Method', 'Route']);
    expect(named('heading')).toEqual(['mrtr-gateway status', 'Routes', 'Decisions', 'Rules']);
    for (const role of ['button', 'link', 'checkbox', 'image']) expect(named(role)).not.toContain('');
  });

  it.each([320, 360, 700, 900, 1160, 1280, 1920])('fits a window %i pixels wide', async (width) => {
    const { page } = await lookAtHostile({ viewport: { width, height: 740 } });
    const overflowing = await page.evaluate<object>(OVERFLOWING);
    expect(overflowing).toEqual({ beyond: 0, wide: [] });
  });

  it('is dark where that is preferred', async () => {
    const { url } = await startWatched();
    const ground = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await ground((await look(url, { colorScheme: 'light' })).page);
    const dark = await ground((await look(url, { colorScheme: 'dark' })).page);
    expect([light, dark]).toEqual(['rgb(244, 245, 248)', 'rgb(13, 16, 22)']);
  });

  it('comes back by itself after a lost connection', async () => {
    const { url, refuseInbound, dropConnections } = await startWatched();
    const { page } = await look(url);
    dropConnections();
    await page.locator('#link[data-link="lost"]').waitFor();
    await refuseInbound('a');
    await live(page);
    await rows(page).first().waitFor();
  });

  it('asks now and then where no place is left in the stream', async () => {
    const { url, refuseInbound } = await startWatched();
    await refuseInbound('a');
    const leave = new AbortController();
    onTestFinished(() => leave.abort());
    const taking = Array.from({ length: 32 }, () => fetch(`${url}events`, { signal: leave.signal }));
    await Promise.all(taking);
    const { page } = await visit(browser, url);
    await page.locator('#link[data-link="polling"]').waitFor();
    expect(await rows(page).count()).toBe(1);
  });
});

/** As it is read on the screen. */
async function textOf(element: Locator): Promise<string> {
  return (await element.allInnerTexts()).join('\n');
}

/** Waits until the element says this. */
async function expectText(element: Locator, text: string | RegExp): Promise<void> {
  await expect.poll(() => textOf(element)).toMatch(typeof text === 'string' ? exactly(text) : text);
}

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}
