import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { Client } from '../../src/client/client.ts';
import { createServer } from '../../src/main.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { until } from '../robustness/support/until.ts';
import { forEachEngine } from '../support/engines.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { axeViolations, type Visitor, visitor } from './browser.ts';
import { launchBrowser, noBrowser } from './chromium.ts';
import { consoleAt } from './console-caller.ts';

const markup = '<img src=x onerror="window.hacked=1"> \'"Ж𝄞';
const database = translation.firstDatabase;

describe('sessions that end while their pages are open', { skip: noBrowser ?? false }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  forEachEngine((engine) => {
    let server: TestServer;
    let sa: Visitor;
    before(async () => {
      server = await startServer({ engine, kinds: [translation], settings: { httpPort: 0 } });
      await server.granary.accounts.create('looker', 'Battery-Staple-9', { database: '*', role: 'reader' });
      sa = await visitor(browser, server);
    });
    after(async () => {
      await sa?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    });

    test('a role that changes, and another who logs in with the same browser, change a page that is open', async () => {
      const { accounts } = server.granary;
      const logins = [`riser ${engine}`, `other ${engine}`] as const;
      for (const login of logins) await accounts.create(login, 'Battery-Staple-9', { database: '*', role: 'reader' });
      const [login, other] = logins;
      await using riser = await visitor(browser, server, { login, word: 'Battery-Staple-9' });
      await riser.visit('/sessions/logins');
      await riser.page.getByRole('cell', { name: login, exact: true }).waitFor();
      assert.equal(await riser.page.getByRole('button', { name: 'New login' }).count(), 0);
      await accounts.grant(login, { database: '*', role: 'admin' });
      await riser.page.getByRole('button', { name: 'New login' }).waitFor();
      // As another tab does: the cookie is that of the browser.
      const data = { login: other, password: 'Battery-Staple-9' };
      await riser.page.context().request.post(`${consoleAt(server)}/api/v1/session`, { data });
      await riser.page.getByRole('cell', { name: login, exact: true }).waitFor({ state: 'detached' });
      await riser.page.getByRole('cell', { name: other, exact: true }).waitFor();
      // What it does from then on is done as that one.
      await riser.page.getByRole('button', { name: `Password of ${other}` }).click();
      await riser.page.getByLabel('Old password').fill('Battery-Staple-9');
      await riser.page.getByLabel('New password', { exact: true }).fill('Battery-Staple-8');
      await riser.page.keyboard.press('Enter');
      await riser.page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.ok(await accounts.verify(other, 'Battery-Staple-8', ''));
    });

    test('a session that expires while one acts loses nothing that was typed: one logs in and presses the button again', async () => {
      await using server = await startServer({ engine, kinds: [translation], settings: { httpPort: 0 } });
      await using sa = await visitor(browser, server);
      const { page } = sa;
      const again = async (login = 'sa', word = 'Correct-Horse-7') => {
        const gate = page.getByRole('dialog', { name: 'Log in again' });
        await gate.getByText('Your session has ended').waitFor();
        assert.deepEqual(await axeViolations(page), []);
        assert.equal(await gate.getByLabel('Login').inputValue(), 'sa');
        // Escape does not lead past it.
        for (let times = 0; times < 3; times++) await page.keyboard.press('Escape');
        await gate.getByLabel('Login').fill(login);
        await gate.getByLabel('Password', { exact: true }).fill(word);
        await page.keyboard.press('Enter');
        await gate.waitFor({ state: 'detached' });
      };
      // The action finds out that the session has ended, and not the look at it every few seconds.
      const lookless = () =>
        page.route(/\/api\/v1\/session$/, (route) =>
          route.request().method() === 'GET' ? undefined : route.continue(),
        );
      await sa.visit('/sessions/logins');
      await lookless();
      await page.getByRole('button', { name: 'New login' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'New login' });
      await dialog.getByLabel('Name').fill(markup);
      await dialog.getByLabel('New password').fill('Battery-Staple-9');
      await page.context().clearCookies();
      await page.keyboard.press('Enter');
      await again();
      await dialog.getByText('Your session had ended, so this was not done. Try again.').waitFor();
      await dialog.getByRole('button', { name: 'Create login' }).press('Enter');
      await page.getByRole('cell', { name: markup, exact: true }).waitFor();
      const client = await Client.connect({ server: server.granary, database: 'master', login: markup });
      await client.close();
      await page.unrouteAll();
      await sa.visit(`/query?database=${database}`);
      await lookless();
      const box = page.getByRole('textbox', { name: 'T-SQL' });
      await box.fill(`select N'${markup.replaceAll("'", "''")}' as typed`);
      await page.context().clearCookies();
      await box.press('Control+Enter');
      await again();
      await page.locator('textarea:focus').waitFor();
      await box.press('Control+Enter');
      await page.getByRole('cell', { name: markup }).waitFor();
      await page.unrouteAll();
      // Another user finds nothing of it.
      await box.fill('select 1 as secret');
      await page.context().clearCookies();
      await server.granary.accounts.grant(markup, { database: '*', role: 'reader' });
      await again(markup, 'Battery-Staple-9');
      await page.locator('.me').getByText(markup).waitFor();
      assert.doesNotMatch(await box.inputValue(), /secret/);
      // Nor does anyone in another page after who was here has logged out.
      const second = await page.context().newPage();
      await second.goto(page.url());
      await second.getByRole('button', { name: 'Log out' }).click();
      await page.getByRole('main').getByLabel('Password', { exact: true }).waitFor();
      assert.equal(await page.getByRole('textbox', { name: 'T-SQL' }).count(), 0);
      await sa.checkCalm();
    });

    test('a session that expired asks for the password and goes on where one was; so does a server that was restarted', async () => {
      await using server = await startServer({ engine, kinds: [translation], settings: { httpPort: 0 } });
      await using sa = await visitor(browser, server);
      const { page } = sa;
      const again = async () => {
        await page.getByLabel('Login', { exact: true }).fill('sa');
        await page.getByLabel('Password', { exact: true }).fill('Correct-Horse-7');
        await page.keyboard.press('Enter');
      };
      await sa.visit('/sessions?find=console');
      // The page asks for its sessions again and again, so it finds out by itself.
      await page.context().clearCookies();
      await page.getByLabel('Login', { exact: true }).waitFor();
      await page.getByText('Your session has ended').waitFor();
      await again();
      await page.getByRole('heading', { name: 'Sessions and logins' }).waitFor();
      assert.match(page.url(), /\/console\/sessions\?find=console$/);
      const { settings, httpAddress = '' } = server.granary;
      await server.granary.stop();
      await page.getByRole('link', { name: 'Logins', exact: true }).click();
      await page.getByText('The server does not answer').waitFor();
      const port = Number(new URL(`http://${httpAddress}`).port);
      await using second = createServer({ ...settings, httpPort: port });
      // Another program may have the port for a moment.
      await until('it listens again', () =>
        second.start().then(
          () => true,
          () => false,
        ),
      );
      await page.goBack();
      await page.getByLabel('Login', { exact: true }).waitFor();
      await again();
      await page.getByRole('heading', { name: 'Sessions and logins' }).waitFor();
      assert.match(page.url(), /\/console\/sessions\?find=console$/);
    });

    test('live pages follow a server that was restarted once one is logged in again, in any of them', async () => {
      await using server = await startServer({ engine, kinds: [translation], settings: { httpPort: 0 } });
      await using sa = await visitor(browser, server);
      const { page: wire } = sa;
      const sessions = await wire.context().newPage();
      await sa.visit('/wire');
      await wire.getByText('Live', { exact: true }).waitFor();
      await sessions.goto(`${consoleAt(server)}/console/sessions?find=restarted`);
      await sessions.getByText('No session matches the filter').waitFor();
      const { settings, httpAddress = '' } = server.granary;
      await server.granary.stop();
      await wire.getByText('Connection lost, reconnecting…').waitFor();
      await sessions.getByText('The server does not answer').waitFor();
      const httpPort = Number(new URL(`http://${httpAddress}`).port);
      await using second = createServer({ ...settings, httpPort });
      // Another program may have the port for a moment.
      await until('it listens again', () =>
        second.start().then(
          () => true,
          () => false,
        ),
      );
      const gate = sessions.getByRole('dialog', { name: 'Log in again' });
      await gate.getByLabel('Password', { exact: true }).fill('Correct-Horse-7');
      await sessions.keyboard.press('Enter');
      await using client = await Client.connect({ server: second, database, login: 'sa', appName: 'restarted' });
      await sessions.getByRole('cell', { name: 'restarted' }).waitFor();
      await wire.getByText('Live', { exact: true }).waitFor();
      await client.query('exec proc_GetJobs @ActiveOnly = 0, @SubmittedOnly = 0');
      await wire.getByRole('button', { name: 'proc_GetJobs' }).waitFor();
    });
  });
});
