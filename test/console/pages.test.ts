import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { Client } from '../../src/client/client.ts';
import { sql } from '../../src/engine/sql.ts';
import { config } from '../../src/protocols/config/kind.ts';
import { searchAdmin } from '../../src/protocols/search/kinds/search-admin.ts';
import { searchCrawl } from '../../src/protocols/search/kinds/search-crawl.ts';
import { searchProperty } from '../../src/protocols/search/kinds/search-property.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { int } from '../../src/tds/types/index.ts';
import { settingNames, writeSetting } from '../../src/workers/crawl/store/settings.ts';
import { until } from '../robustness/support/until.ts';
import { forEachEngine } from '../support/engines.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { axeViolations, type Visitor, visitor } from './browser.ts';
import { launchBrowser, noBrowser } from './chromium.ts';
import { consoleAt } from './console-caller.ts';
import { addConfiguration, addJobs, addSearch, asSa, hostile } from './sample-data.ts';
import { configuration, jobs, search, shown } from './shown-pages.ts';

/** Whether a page is wider than its window. */
const wide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

describe('jobs, configuration and search in a browser', { skip: noBrowser ?? false }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  forEachEngine((engine) => {
    let server: TestServer;
    let client: Client;
    let sa: Visitor;
    let page: Page;
    before(async () => {
      const kinds = [translation, config, searchAdmin, searchCrawl, searchProperty];
      server = await startServer({ engine, kinds, settings: { httpPort: 0 } });
      client = asSa(server, translation.firstDatabase);
      await addJobs(client);
      await addConfiguration(client.database(config.firstDatabase));
      await addSearch(server);
      await server.granary.accounts.create('looker', 'Battery-Staple-9', {
        database: translation.firstDatabase,
        role: 'reader',
      });
      sa = await visitor(browser, server);
      page = sa.page;
    });
    after(async () => {
      await sa?.[Symbol.asyncDispose]();
      await client?.close();
      await server?.[Symbol.asyncDispose]();
    });

    /** Presses the button of an action, and the same one in the dialog that asks. */
    const act = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).first().click();
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    };
    const number = async (from: Client, text: string) => (await from.select({ n: int }, text))[0]?.n;

    test('every page shows what is there, texts as texts, and axe-core finds nothing wrong', async () => {
      for (const [at, [path, text]] of Object.entries(shown).entries()) {
        // The pages are the same on both engines, and what they ask is tested on both without a browser.
        if (engine === 'postgres' && at % 4 !== 0) continue;
        await sa.visit(path);
        await page.getByText(text).first().waitFor();
        if (engine === 'sqlite') assert.deepEqual([path, ...(await axeViolations(page))], [path]);
        assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
        assert.equal(await page.locator('main img, main script').count(), 0);
      }
      await sa.checkCalm();
    });

    test('filters go into the address, and the address alone brings the page back', async () => {
      await sa.visit(jobs);
      await page.getByLabel('State').selectOption('not submitted');
      await page.getByText(hostile.scripts).first().waitFor();
      await page.getByText(hostile.markup).waitFor({ state: 'detached' });
      const address = page.url();
      assert.match(address, /\?state=not\+submitted$/);
      await page.goto(address);
      await page.getByText(hostile.scripts).first().waitFor();
      assert.equal(await page.getByText(hostile.markup).count(), 0);
    });

    test('one gets about as in pages that are loaded: by the skip link, to the top of what a link leads to, and back', async () => {
      await sa.visit(`${jobs}/%E0`);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate('document.activeElement.id'), 'main');
      await page.goto(`${consoleAt(server)}/console/`);
      await page.waitForURL(/\/overview$/);
      await page.getByRole('link', { name: 'Jobs', exact: true }).press('Enter');
      await page.waitForURL(/\/jobs/);
      assert.equal(await page.evaluate('document.activeElement.id'), 'main');
      await page.goBack();
      await until('the overview is there', async () => (await page.title()) === 'Overview · Granary');
      await page.goBack();
      const first = `%E0 · ${translation.firstDatabase} · Jobs · Granary`;
      await until('where one began is there', async () => (await page.title()) === first);
      await sa.checkCalm();
    });

    test('an item is tried again, a job submitted and cancelled, and the protocol sees it', async () => {
      await sa.visit(`${jobs}/1/groups/1`);
      await page.getByRole('button', { name: 'Retry' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      assert.deepEqual(await axeViolations(page), []);
      for (const key of ['Escape', 'Enter']) {
        if (key === 'Enter') await page.keyboard.press('Enter');
        await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).press(key);
        // It is hidden before the page has heard of that, and given the focus back.
        await page.locator('dialog').waitFor({ state: 'detached' });
        // Who goes by keyboard goes on from where the question came from.
        await page.locator('button:focus', { hasText: /^Retry$/ }).waitFor();
      }
      await act('Retry');
      await page.getByText('Item 2 is waiting again.').waitFor();
      assert.equal(
        await number(client, 'select count(*) as n from Items where JobId = 1 and ItemId = 2 and StopTime is null'),
        1,
      );
      await sa.visit(`${jobs}/2`);
      await act('Submit');
      await page.getByText('Job 2 is submitted.').waitFor();
      assert.equal(await number(client, 'select count(*) as n from Jobs where JobId = 2 and Submitted = 1'), 1);
      await act('Cancel job');
      await page.getByText('Job 2 is cancelled.').waitFor();
      assert.equal(
        await number(client, 'select count(*) as n from Jobs where JobId = 2 and CancelTime is not null'),
        1,
      );
      const progress = page.getByRole('region', { name: 'Progress' });
      await progress.getByText(/^Cancelled1$/).waitFor();
      assert.equal(await progress.getByText(/^(Waiting|Why it waits)$/).count(), 0);
      await sa.checkCalm();
    });

    test('times are in UTC, in sentences too, with the local time on hover; how old something is grows while one looks', async () => {
      await using reader = await visitor(browser, server);
      const { page } = reader;
      await page.clock.install();
      await reader.visit(`${jobs}/1/groups/1`);
      const since = page.getByRole('cell', { name: /In progress since/ }).locator('time');
      const shown = (await since.textContent()) ?? '';
      assert.match(shown, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      assert.equal(
        new Date((await since.getAttribute('datetime')) ?? '').toISOString().slice(0, 19),
        shown.replace(' ', 'T'),
      );
      assert.match((await since.getAttribute('title')) ?? '', new RegExp(`^${shown} UTC, local time .*\\d`));
      await page.getByRole('contentinfo').getByText('Times are in UTC').waitFor();
      await reader.visit(jobs);
      const age = page.getByRole('row').filter({ hasText: 'is done' }).getByRole('cell').nth(6);
      assert.match((await age.textContent()) ?? '', /^\d+ (s|min \d+ s)$/);
      await page.clock.fastForward('26:00:00');
      await until('it is a day older', async () => /^1 d 2 h$/.test((await age.textContent()) ?? ''));
      await reader.checkCalm();
    });

    test('groups of a job have pages with addresses, and ways back', async () => {
      const store = await server.granary.engine.open(translation.firstDatabase);
      await store?.write(async (db) => {
        for (let group = 2; group <= 203; group++) {
          await db.run(sql`
            insert into groups (job_key, group_id, input_root, output_root)
            select job_key, ${group}, ${`in ${group}`}, ${'out'} from jobs where job_id = 3`);
        }
      });
      await sa.visit(`${jobs}/3`);
      await page.getByRole('link', { name: 'Next' }).click();
      await page.getByText('in 203', { exact: true }).waitFor();
      assert.match(page.url(), /\/3\?after=200$/);
      await page.getByRole('link', { name: 'First page' }).click();
      await page.getByText('in 2', { exact: true }).waitFor();
      await sa.checkCalm();
    });

    test('what has not come yet is said to be awaited', async () => {
      const asked = Promise.withResolvers<void>();
      await page.route(/\/files$/, async (route) => {
        if (route.request().resourceType() === 'fetch') await asked.promise;
        await route.continue();
      });
      await sa.visit(`${configuration}/files`);
      await page.getByRole('status').filter({ hasText: 'Loading…' }).waitFor();
      asked.resolve();
      await page.getByText(hostile.markup).first().waitFor();
      assert.equal(await page.getByText('Loading…').count(), 0);
      await page.unrouteAll();
      await sa.checkCalm();
    });

    test('the tree opens by keyboard alone, down to what an object said before', async () => {
      await sa.visit(`${configuration}/objects`);
      await page.getByRole('button', { name: 'Children of SharePoint Farm' }).focus();
      await page.keyboard.press('Enter');
      const link = page.getByRole('link', { name: hostile.markup });
      await link.waitFor();
      // Names and classes stand apart, and a name that turns its direction turns nothing behind it.
      assert.match(
        (await page.getByRole('main').getByRole('listitem').first().textContent()) ?? '',
        /SharePoint Farm Contoso\.Farm/,
      );
      assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.tree a')).unicodeBidi"), 'isolate');
      await link.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: hostile.markup }).waitFor();
      await page.getByLabel('Show').selectOption({ index: 1 });
      await page.getByRole('region', { name: 'Properties' }).getByText('<fld name="a">1</fld>').waitFor();
      await page.getByLabel('Compare with').selectOption({ index: 1 });
      await page.getByText('No differences.').waitFor();
      await page.getByLabel('Show').selectOption({ index: 0 });
      await page.getByText('2 lines differ.').waitFor();
      const { width = 0, height = 0 } = page.viewportSize() ?? {};
      await page.setViewportSize({ width: 360, height: 740 });
      assert.equal(await page.evaluate(wide), false);
      await page.setViewportSize({ width, height });
      const compared = await page.getByRole('region', { name: 'Properties compared' }).textContent();
      assert.match(compared ?? '', /removed: .*<fld name="a">1<\/fld>/);
      assert.match(compared ?? '', /added: .*<fld name="a">2<\/fld>/);
      assert.deepEqual(await axeViolations(page), []);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: /^Download/ }).click(),
      ]);
      assert.equal((await download.failure()) ?? 'whole', 'whole');
      // On a phone the tabs do not fit beside one another: the current one is in sight.
      await page.setViewportSize({ width: 360, height: 740 });
      await sa.visit(`${configuration}/products`);
      await page.getByText('Contoso Server').waitFor();
      const right = "document.querySelector('.tabs [aria-current]').getBoundingClientRect().right <= innerWidth";
      assert.equal(await page.evaluate(right), true);
      await page.setViewportSize({ width, height });
      await sa.checkCalm();
    });

    test('a crawl is started, paused, resumed and stopped, and deletes much only once somebody allows it', async () => {
      const admin = client.database(searchAdmin.firstDatabase);
      const store = await server.granary.engine.open(searchAdmin.firstDatabase);
      assert.ok(store);
      const stand = (status: number) =>
        store.write((db) => db.run(sql`update crawls set status = ${status}, sub_status = 1, request = 0`));
      const request = () => number(admin, 'select max(Request) as n from CrawlStatus');
      await sa.visit(`${search}/sources`);
      await act('Start full crawl');
      await page.getByText('the master to begin it').waitFor();
      const crawl = await number(admin, 'select max(CrawlID) as n from CrawlStatus');
      await stand(4);
      await sa.visit(`${search}/sources`);
      await page.getByText('Crawling', { exact: true }).waitFor();
      await act('Pause');
      assert.equal(await request(), 3);
      await stand(9);
      await sa.visit(`${search}/sources`);
      await page.getByText('Paused', { exact: true }).waitFor();
      await act('Resume');
      assert.equal(await request(), 4);
      await stand(4);
      const held = { documents: 10, unvisited: 9, urls: [hostile.link, hostile.markup], isHeld: true };
      await writeSetting(admin, settingNames.unvisited(crawl ?? 0), JSON.stringify(held));
      await sa.visit(`${search}/sources`);
      await page.getByText(hostile.link).first().waitFor();
      await act('Allow deletion');
      await page.getByText('may delete the documents that it did not reach').waitFor();
      const { sets } = await admin.query(
        `declare @v sql_variant; exec proc_MSS_GetConfigurationProperty @Name = '${settingNames.force(crawl ?? 0)}', @Value = @v output; select cast(@v as nvarchar(9)) as v`,
      );
      assert.equal(sets[0]?.[0]?.['v'], 'yes');
      await sa.visit(`${search}/crawls/${crawl}`);
      await page
        .getByText('components to run out of items')
        .or(page.getByText('the master to notice'))
        .first()
        .waitFor();
      await act('Stop');
      assert.equal(await request(), 2);
      const [started, ended] = [new Date('2026-01-01T10:00:00Z'), new Date('2026-01-01T10:01:30Z')];
      await store.write((db) =>
        db.run(sql`update crawls set status = 11, start_time = ${started}, end_time = ${ended}`),
      );
      await sa.visit(`${search}/crawls/${crawl}`);
      await page.getByText('after 1 min 30 s').waitFor();
      await sa.visit(`${search}/crawls`);
      await page.getByText('1 min 30 s', { exact: true }).first().waitFor();
      await sa.checkCalm();
    });

    test('who may only read sees no actions, and nothing of databases without a role; on a phone nothing is cut off', async () => {
      await using looker = await visitor(browser, server, {
        login: 'looker',
        word: 'Battery-Staple-9',
        viewport: { width: 360, height: 740 },
        colorScheme: 'dark',
      });
      await looker.visit(`${jobs}/1`);
      await looker.page.getByText('Succeeded').first().waitFor();
      assert.equal(await looker.page.getByRole('button', { name: /Cancel|Submit|Retry/ }).count(), 0);
      for (const path of [jobs, `${jobs}/1`, `${jobs}/1/groups/1`]) {
        await looker.visit(path);
        await looker.page.getByRole('table').first().waitFor();
        assert.deepEqual([path, await looker.page.evaluate(wide)], [path, false]);
        // A card has no line for what is not there.
        assert.equal(await looker.page.locator('td:visible').filter({ hasText: /^\s*$/ }).count(), 0, path);
        assert.deepEqual(await axeViolations(looker.page), []);
      }
      await looker.visit('/configuration');
      await looker.page.getByText('No configuration database').waitFor();
      await looker.visit(`${configuration}/objects`);
      await looker.page.getByText(/looker.+ An admin can give you a role on it/).waitFor();
      await looker.checkCalm();
    });

    test('a page that had no answer asks again by itself; an action that had none is not done again, and says so', async () => {
      await page.route(/\/files$|\/cancel$/, (route) =>
        route.request().resourceType() === 'fetch' ? route.abort() : route.continue(),
      );
      await sa.visit(`${configuration}/files`);
      await page.getByRole('alert').getByText('The server does not answer; trying again…').waitFor();
      await page.goto(`${consoleAt(server)}/console${jobs}/3`);
      await page.getByRole('button', { name: 'Cancel job' }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Cancel job' }).press('Enter');
      await dialog.getByRole('alert').getByText('so this may not have been done').waitFor();
      await page.goto(`${consoleAt(server)}/console${configuration}/files`);
      await page.getByRole('alert').getByText('The server does not answer; trying again…').waitFor();
      await page.unrouteAll();
      await page.getByText(hostile.markup).first().waitFor();
      assert.equal(await page.getByRole('alert').count(), 0);
    });

    test('a page whose server is gone says so, and still shows what was known', async () => {
      await sa.visit(`${configuration}/timer-jobs`);
      await page.getByText('Runs now').waitFor();
      await server.granary.stop();
      await page.getByRole('alert').getByText('The server does not answer').waitFor();
      assert.equal(await page.getByText('Runs now').count(), 1);
    });
  });
});
