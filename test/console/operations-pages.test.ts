import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { Client } from '../../src/client/client.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { until } from '../robustness/support/until.ts';
import { forEachEngine } from '../support/engines.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { axeViolations, type Visitor, visitor } from './browser.ts';
import { launchBrowser, noBrowser } from './chromium.ts';
import { consoleAt } from './console-caller.ts';
import { firstView } from './first-view.ts';

const markup = '<img src=x onerror="window.hacked=1"> \'"Ж𝄞';
const database = translation.firstDatabase;

/** What makes a page take itself for one in the background, or in front again. */
const seenAs = (isSeen: boolean): string =>
  `Object.defineProperty(document, 'hidden', { value: ${!isSeen}, configurable: true });
   document.dispatchEvent(new Event('visibilitychange'))`;

/** Whether a word of an element is written from left to right, as the page has it. */
const leadsToTheRight = (element: string, word: string): string => `(() => {
  const texts = document.createTreeWalker(document.querySelector('${element}'), NodeFilter.SHOW_TEXT);
  while (!texts.nextNode()?.data.includes('${word}'));
  const from = texts.currentNode.data.indexOf('${word}');
  const leftOf = (at) => {
    const range = document.createRange();
    range.setStart(texts.currentNode, at);
    range.setEnd(texts.currentNode, at + 1);
    return range.getBoundingClientRect().left;
  };
  return leftOf(from) < leftOf(from + ${word.length - 1});
})()`;

describe('overview, wire, sessions and queries in a browser', { skip: noBrowser ?? false }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  forEachEngine((engine) => {
    let server: TestServer;
    let sa: Visitor;
    let page: Page;
    before(async () => {
      server = await startServer({ engine, kinds: [translation], settings: { httpPort: 0 } });
      await server.granary.accounts.create('looker', 'Battery-Staple-9', { database: '*', role: 'reader' });
      sa = await visitor(browser, server);
      page = sa.page;
    });
    after(async () => {
      await sa?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    });

    test('the overview says how the server is, with figures and the last refused calls as text', async () => {
      const client = await server.connect(database);
      const refused = `exec proc_GetJobs @ActiveOnly = N'${markup.replaceAll("'", "''")}'`;
      for (const text of [refused, refused]) await client.batch(text).catch(() => {});
      await sa.visit('/overview');
      await page.getByRole('status').filter({ hasText: /\w/ }).first().waitFor();
      // What is refused again and again takes one row.
      const alike = page.getByRole('region', { name: 'Last refused calls' }).getByRole('row', { name: 'proc_GetJobs' });
      await alike.getByRole('cell', { name: '2', exact: true }).waitFor();
      assert.equal(await alike.count(), 1);
      assert.equal(await page.getByRole('article').count(), 8);
      await page.getByRole('cell', { name: database, exact: true }).first().waitFor();
      assert.deepEqual(await axeViolations(page), []);
      await sa.checkCalm();
    });

    test('the first view is all there with less than 200 kB, and asks no other host', async (t) => {
      await using fresh = await visitor(browser, server);
      const asked: string[] = [];
      fresh.page.on('request', (request) => asked.push(new URL(request.url()).host));
      const { bytes, files, milliseconds } = await firstView(fresh.page, consoleAt(server));
      t.diagnostic(`${bytes} bytes in ${files} files, shown after ${milliseconds} ms on ${engine}`);
      assert.ok(bytes < 200_000, `${bytes} bytes`);
      assert.deepEqual(new Set(asked), new Set([new URL(consoleAt(server)).host]));
    });

    test('a call appears on the wire as it is made, opens by keyboard, and none of its texts is executed', async () => {
      await sa.visit('/wire');
      await page.getByText('Live', { exact: true }).waitFor();
      const client = await server.connect(database, { appName: markup.slice(0, 120) });
      await client.batch(`exec proc_GetJobs @ActiveOnly = 0, @SubmittedOnly = 0`);
      const call = page.getByRole('button', { name: 'proc_GetJobs' }).first();
      await call.waitFor();
      await call.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: /^MS-TSSPROC/ }).waitFor();
      await page.getByRole('cell', { name: '@ActiveOnly' }).waitFor();
      await page.getByText(markup.slice(0, 120)).first().waitFor();
      assert.deepEqual(await axeViolations(page), []);
      // Who reads one call is not run away from, and misses nothing.
      await client.batch(`exec proc_GetJobs @ActiveOnly = 1, @SubmittedOnly = 0`);
      const newer = page.getByRole('button', { name: /^Close it and show \d+ newer calls?$/ });
      await newer.waitFor();
      assert.equal(await page.getByRole('button', { name: 'proc_GetJobs' }).count(), 1);
      await newer.press('Enter');
      await page.getByRole('button', { name: 'proc_GetJobs' }).nth(1).waitFor();
      assert.equal(await page.getByRole('link', { name: /^MS-TSSPROC/ }).count(), 0);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByText('Live', { exact: true }).waitFor();
      await client.batch('exec proc_CancelJob @JobId = 7').catch(() => {});
      await page.getByRole('button', { name: 'proc_CancelJob' }).first().waitFor();
      assert.equal(await page.getByRole('button', { name: 'proc_GetJobs' }).count(), 2);
      // In the background it follows nothing; seen again it goes on behind what it has.
      const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/wire/events'));
      await page.evaluate(seenAs(false));
      await ended;
      const again = page.waitForRequest((request) => /\/wire\/events\?.*lastEventId=/.test(request.url()));
      await page.evaluate(seenAs(true));
      await again;
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByLabel('Result').selectOption('failed');
      assert.match(page.url(), /\/console\/wire\?ended=failed$/);
      await page.goBack();
      assert.match(page.url(), /\/console\/wire$/);
      assert.equal(await page.getByLabel('Result').inputValue(), '');
      // Calls that come do not take away what one is typing.
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByLabel('Procedure').pressSequentially('none called');
      await client.batch('exec proc_CancelJob @JobId = 1').catch(() => {});
      await page.getByRole('button', { name: 'proc_CancelJob' }).first().waitFor();
      assert.equal(await page.getByLabel('Procedure').inputValue(), 'none called');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/wire\?procedure=none\+called$/);
      await page.getByText('No matching calls yet').waitFor();
      assert.equal(await page.getByLabel('Procedure').inputValue(), 'none called');
      await sa.checkCalm();
    });

    test('an admin ends a session after a question, whose words no name turns around; the client over TDS is cut off', async () => {
      const client = await server.connect(database, { appName: 'to be ended \u202e(\u2069\u202e' });
      const waiting = client.batch("waitfor delay '01:00:00'").catch(() => 'cut off');
      await sa.visit('/sessions?find=to+be+ended');
      await page.getByRole('button', { name: /^End session/ }).click();
      const dialog = page.getByRole('dialog');
      assert.deepEqual(await axeViolations(page), []);
      assert.equal(await page.evaluate(leadsToTheRight('dialog p', 'disconnected')), true);
      await dialog.getByRole('button', { name: 'End session' }).click();
      assert.equal(await waiting, 'cut off');
      await page.getByText('No session matches the filter').waitFor();
      await page.getByText(/^Session \d+ is ended\.$/).waitFor();
      await sa.checkCalm();
    });

    test('a login that is made in the console, by keyboard alone, is one over TDS', async () => {
      await sa.visit('/sessions/logins');
      await page.getByRole('button', { name: 'New login' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').focus();
      await page.keyboard.type(`made <i>${engine}</i>`);
      await page.keyboard.press('Tab');
      await page.keyboard.type('Made-Horse-7');
      await page.keyboard.press('Enter');
      await page.getByRole('cell', { name: `made <i>${engine}</i>`, exact: true }).waitFor();
      assert.ok(await server.granary.accounts.verify(`made <i>${engine}</i>`, 'Made-Horse-7', ''));
      assert.deepEqual(await axeViolations(page), []);
      await page.getByText(`Login made <i>${engine}</i> is created. It has no role yet.`).waitFor();
      await page.getByRole('button', { name: `Password of made <i>${engine}</i>` }).press('Enter');
      await dialog.getByLabel('New password', { exact: true }).fill('Made-Horse-8');
      await page.keyboard.press('Enter');
      await page.getByText(`The password of made <i>${engine}</i> is set.`).waitFor();
      // Who is logged in is told before it is dropped, with the way there.
      await using client = await Client.connect({
        server: server.granary,
        database: 'master',
        login: `made <i>${engine}</i>`,
      });
      const ended = client.query("waitfor delay '01:00:00'").catch(() => 'cut off');
      await page.getByRole('button', { name: `Drop made <i>${engine}</i>` }).press('Enter');
      await dialog.getByRole('link', { name: '1 open session' }).waitFor();
      await dialog.getByRole('button', { name: 'Drop login' }).click();
      await dialog.getByRole('alert').getByText('currently logged in').waitFor();
      // A refusal says what to do, also where nobody was logged in when the question was asked.
      const href = await dialog.getByRole('link', { name: 'its sessions' }).getAttribute('href');
      assert.equal(href, `/console/sessions?find=${encodeURIComponent(`made <i>${engine}</i>`)}`);
      assert.deepEqual(await axeViolations(page), []);
      await dialog.getByLabel('End its sessions first').press('Space');
      await dialog.getByRole('button', { name: 'Drop login' }).click();
      assert.equal(await ended, 'cut off');
      await page.getByRole('cell', { name: `made <i>${engine}</i>`, exact: true }).waitFor({ state: 'detached' });
      await sa.checkCalm();
    });

    test('the roles of a login are asked for as they are: who only looks at them changes none', async () => {
      const login = `writes ${engine}`;
      const { accounts } = server.granary;
      await accounts.create(login, 'Battery-Staple-9', { database, role: 'writer' });
      await sa.visit('/sessions/logins');
      await page.getByRole('button', { name: `Roles of ${login}` }).press('Enter');
      const dialog = page.getByRole('dialog');
      const role = dialog.getByRole('combobox', { name: 'Role' });
      await dialog.getByText(`Role on ${database} now: writer.`).waitFor();
      assert.equal(await role.inputValue(), 'writer');
      assert.deepEqual(await axeViolations(page), []);
      await dialog.getByRole('button', { name: 'Set role' }).click();
      await page.getByText(`${login} has the role writer on ${database}.`).waitFor();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: `Roles of ${login}` }).press('Enter');
      await role.selectOption('admin');
      await dialog.getByRole('combobox', { name: 'Database' }).selectOption('*');
      await dialog.getByText('Role on all databases now: none.').waitFor();
      assert.equal(await role.inputValue(), 'reader');
      await dialog.getByRole('combobox', { name: 'Database' }).selectOption(database);
      await role.selectOption('none');
      await dialog.getByRole('button', { name: 'Set role' }).click();
      await page.getByText(`The role of ${login} on ${database} is removed.`).waitFor();
      assert.equal((await accounts.standing([login]))?.strongest, undefined);
      await sa.checkCalm();
    });

    test('a query shows its rows as text and its error with the line; it does not write; the address keeps it', async () => {
      await sa.visit(`/query?database=${database}`);
      const box = page.getByRole('textbox', { name: 'T-SQL' });
      await box.fill(`select N'${markup.replaceAll("'", "''")}' as hostile\nselect 1 / 0\nselect * from nowhere`);
      await box.press('Control+Enter');
      await page.getByRole('cell', { name: markup }).waitFor();
      await page.getByText('Error 8134, line 2').waitFor();
      await page.getByText('Error 208, line 3').waitFor();
      assert.match(page.url(), /text=select/);
      assert.deepEqual(await axeViolations(page), []);
      await box.fill(
        "select top 600 row_number() over (order by number) as n from master..spt_values where type = 'P'",
      );
      await box.press('Control+Enter');
      await page.getByText('600 rows', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Show 250 more rows' }).press('Enter');
      await page.getByRole('button', { name: 'Show 100 more rows' }).press('Enter');
      await page.getByRole('cell', { name: '600', exact: true }).waitFor();
      await page.goBack();
      await until('the text is that of the address', async () => /hostile/.test(await box.inputValue()));
      await box.fill(`create login never with password = 'Never-Horse-7'`);
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Error 15247').waitFor();
      await box.fill("waitfor delay '01:00:00'");
      await box.press('Control+Enter');
      await page.getByText('Running…').waitFor();
      assert.equal(await page.getByText('Error 15247').count(), 0);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Cancelled.').waitFor();
      const saving = page.waitForEvent('download');
      await box.fill(`select N'a,"b"' as x, null as y`);
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByRole('cell', { name: 'a,"b"' }).waitFor();
      await page.getByRole('button', { name: 'Save as CSV' }).click();
      const chunks: Buffer[] = [];
      for await (const chunk of await (await saving).createReadStream()) chunks.push(chunk);
      assert.equal(Buffer.concat(chunks).toString(), '\ufeffx,y\r\n"a,""b""",\r\n');
      await sa.checkCalm();
    });

    test('a reader is offered nothing that it may not do; dark and on a phone the pages fit and are well', async () => {
      await using server = await startServer({ engine, kinds: [translation], settings: { httpPort: 0 } });
      await server.granary.accounts.create('looker', 'Battery-Staple-9', { database: '*', role: 'reader' });
      await using _own = await Client.connect({ server: server.granary, database, login: 'looker' });
      const options = { login: 'looker', word: 'Battery-Staple-9', colorScheme: 'dark' as const };
      await using looker = await visitor(browser, server, { ...options, viewport: { width: 360, height: 740 } });
      const { page } = looker;
      for (const path of ['/overview', '/wire', '/sessions', '/sessions/logins', '/query']) {
        await looker.visit(path);
        if (path.startsWith('/sessions')) await page.getByRole('table').waitFor();
        assert.deepEqual(await axeViolations(page), [], path);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, path);
        for (const name of [/^End/, 'New login', 'Drop', 'Roles']) {
          assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, `${path} ${name}`);
        }
        assert.equal(await page.getByLabel(/Allow writes|Show hidden/).count(), 0, path);
      }
      await looker.checkCalm();
    });

    test('a login without a role is told so on every page, and sees no database; a number in a filter is a number', async () => {
      const login = `no role ${engine}`;
      await server.granary.accounts.create(login, 'Battery-Staple-9');
      await using none = await visitor(browser, server, { login, word: 'Battery-Staple-9' });
      assert.match((await none.page.locator('.me').textContent()) ?? '', /no role$/);
      for (const [path, text] of [
        ['/jobs', 'No job database'],
        ['/sessions', 'Your login is not connected over TDS.'],
        ['/wire?session=abc', 'No calls yet'],
      ] as const) {
        await none.visit(path);
        await none.page.getByText('Your login has no role yet').waitFor();
        await none.page.getByText(text).waitFor();
        assert.deepEqual(await axeViolations(none.page), [], path);
      }
      // What is asked for is what the field shows.
      assert.equal(await none.page.getByLabel('Session').inputValue(), '');
      await none.page.getByLabel('Session').pressSequentially('12');
      await none.page.keyboard.press('Enter');
      await none.page.waitForURL(/\?session=12$/);
      await server.granary.accounts.grant(login, { database: '*', role: 'reader' });
      await none.page.getByText('Your login has no role yet').waitFor({ state: 'detached' });
      await none.checkCalm();
    });
  });
});
