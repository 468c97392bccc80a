import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { Client } from '../../src/client/client.ts';
import { sql } from '../../src/engine/sql.ts';
import { config } from '../../src/protocols/config/kind.ts';
import { searchAdmin } from '../../src/protocols/search/kinds/search-admin.ts';
import { searchCrawl } from '../../src/protocols/search/kinds/search-crawl.ts';
import { searchProperty } from '../../src/protocols/search/kinds/search-property.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { Administration } from '../../src/workers/crawl/administration.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Visitor, visitor } from './browser.ts';
import { launchBrowser, noBrowser } from './chromium.ts';
import { addConfiguration, addSearch, asSa, guid } from './sample-data.ts';
import { configuration, jobs, search } from './shown-pages.ts';

/** As long as a name of SQL Server may be. */
const longName = 'n'.repeat(128);

/** What reaches beyond the right edge of the window or of what it scrolls in, by its text. */
const beyond = (selector: string) => `[...document.querySelectorAll('${selector}')]
  .filter((each) => each.getBoundingClientRect().right > (each.closest('.scroll') ?? document.body).getBoundingClientRect().right)
  .map((each) => each.textContent)`;

describe('addresses that lead nowhere, and names that are as long as they may be', { skip: noBrowser ?? false }, () => {
  let browser: Browser;
  let server: TestServer;
  let sa: Visitor;
  let page: Page;
  before(async () => {
    browser = await launchBrowser();
    const kinds = [translation, config, searchAdmin, searchCrawl, searchProperty];
    server = await startServer({ kinds, settings: { httpPort: 0 } });
    await using client = asSa(server, config.firstDatabase);
    await addConfiguration(client);
    await addSearch(server);
    sa = await visitor(browser, server);
    page = sa.page;
  });
  after(async () => {
    await sa?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await browser?.close();
  });

  const currentTab = (label: string) => page.getByRole('navigation', { name: label }).locator('[aria-current]');

  test('a part that nobody knows is the first one, whatever it is called', async () => {
    for (const part of ['nothing', 'constructor', '__proto__']) {
      await sa.visit(`${configuration}/${part}`);
      await page.getByRole('link', { name: 'SharePoint Farm' }).waitFor();
      assert.equal(await currentTab('Parts of the configuration').textContent(), 'Objects');
    }
    await sa.checkCalm();
  });

  test('a database in other letters is the same one', async () => {
    await sa.visit(jobs.toLowerCase());
    await page.getByText('No jobs yet').waitFor();
    assert.equal(await currentTab('Job databases').textContent(), translation.firstDatabase);
    await sa.checkCalm();
  });

  test('where there are no sites, the page says so', async () => {
    await sa.visit(`${configuration}/sites/${guid(1)}/${guid(2)}`);
    await page.getByText('No site collections here').waitFor();
    assert.equal(await page.getByRole('heading', { name: /^$/ }).count(), 0);
    await page.getByRole('link', { name: 'All databases' }).click();
    await page.getByText('WSS_Content').waitFor();
    await sa.checkCalm();
  });

  test('a choice shows what the address says, also what it does not offer', async () => {
    await sa.visit('/query?rows=77&database=nowhere');
    await page.getByText(config.firstDatabase).waitFor({ state: 'attached' });
    assert.equal(await page.getByLabel('Row limit').inputValue(), '77');
    assert.equal(await page.getByLabel('Database').inputValue(), 'nowhere');
    await sa.checkCalm();
  });

  test('long names keep no action out of sight, and nothing of a badge is cut off on a phone', async () => {
    await server.granary.accounts.create(longName, 'Battery-Staple-9', {
      database: searchProperty.firstDatabase,
      role: 'reader',
    });
    await using client = Client.create({
      server: server.granary,
      database: 'master',
      login: longName,
      appName: longName,
    });
    await client.query('select 1');
    await using admin = asSa(server, searchAdmin.firstDatabase);
    await new Administration(admin).start(1, 'full');
    const store = await server.granary.engine.open(searchAdmin.firstDatabase);
    await store?.write((db) => db.run(sql`update crawls set status = 13, sub_status = 1, request = 0`));
    // On a phone rows are cards, whose titles stand in each.
    for (const [width, height, wanted] of [
      [1280, 900, 'th, td button, td .badge'],
      [360, 740, 'td button, td .badge'],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const [path, text] of [
        ['/sessions', longName],
        ['/sessions/logins', longName],
        [`${search}/crawls`, 'Stopping, waiting for crawl components'],
      ] as const) {
        await sa.visit(path);
        await page.getByText(text).first().waitFor();
        assert.deepEqual([width, path, await page.evaluate(beyond(wanted))], [width, path, []]);
      }
    }
    // Who looks at the list sees that nobody works, too.
    await page.getByText('No crawl component is running').waitFor();
    assert.equal(await page.locator('td .badge.ok').count(), 0);
    await sa.checkCalm();
  });
});
