/** A real Chromium without a window, for pages that people look at. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** Names under which systems install it. */
export const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome'];

const ALONE = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

export function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ALONE });
}

export interface Visit {
  readonly page: Page;
  /** Console errors (violations of the page's policy among them), uncaught exceptions and dialogs. */
  readonly troubles: readonly string[];
  /** Every address that was asked for. */
  readonly addresses: readonly string[];
}

/** Opens the page in a context of its own, which ends with the test. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const troubles: string[] = [];
  const addresses: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('dialog', (dialog) => {
    troubles.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined);
  });
  page.on('request', (request) => addresses.push(request.url()));
  await page.goto(url);
  return { page, troubles, addresses };
}
