import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { password, type TestServer } from '../support/server.ts';
import { consoleAt } from './console-caller.ts';

/** A page of somebody who has logged in; what goes wrong in it is gathered. */
export interface Visitor extends AsyncDisposable {
  readonly page: Page;
  /** Goes to an address below /console, and waits until the page shows its title. */
  visit(path: string): Promise<void>;
  /** Fails where a script failed, something was refused by the policy, or a hostile text was executed. */
  checkCalm(): Promise<void>;
}

/** Logs in through the form, as sa unless told otherwise. */
export async function visitor(
  browser: Browser,
  server: TestServer,
  { login = 'sa', word = password, ...options }: BrowserContextOptions & { login?: string; word?: string } = {},
): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en', ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    // The browser itself reports answers of 4xx, which tests of refusals bring about.
    if (!/status of 4\d\d/.test(message.text())) wrong.push(`console: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    wrong.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(`${consoleAt(server)}/console/`);
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Password', { exact: true }).fill(word);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  return {
    page,
    async visit(path) {
      await page.goto(`${consoleAt(server)}/console${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
    async checkCalm() {
      assert.deepEqual(wrong, []);
      assert.equal(await page.evaluate('window.hacked'), undefined);
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with a page: each rule with the elements that break it. */
export async function axeViolations(page: Page): Promise<string[]> {
  if ((await page.evaluate('typeof window.axe')) === 'undefined') await page.evaluate(axe);
  const found: { id: string; nodes: { html: string; failureSummary: string }[] }[] = await page.evaluate(
    'window.axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
