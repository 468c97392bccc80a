import { mkdir } from 'node:fs/promises';
import process from 'node:process';
import { describe, test } from 'node:test';
import { Client } from '../../src/client/index.ts';
import { sql } from '../../src/engine/sql.ts';
import { addTimerJobHistory } from '../../src/protocols/config/timer-jobs/add-timer-job-history.ts';
import { addGroup } from '../../src/protocols/translation/add-group.ts';
import { addJob } from '../../src/protocols/translation/add-job.ts';
import { getJobs } from '../../src/protocols/translation/get-jobs.ts';
import { submitJob } from '../../src/protocols/translation/submit-job.ts';
import { updateConversionBatch } from '../../src/protocols/translation/update-conversion-batch.ts';
import { updateSucceededItem } from '../../src/protocols/translation/update-succeeded-item.ts';
import { Administration } from '../../src/workers/crawl/administration.ts';
import { batchUpdate, jobAdd } from '../conformance/jobs/documents.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { visitor } from './browser.ts';
import { launchBrowser, noBrowser } from './chromium.ts';
import { asSa, guid } from './sample-data.ts';

/** Makes the pictures of docs/console.md anew: GRANARY_TEST_PICTURES=yes. */
const skip = process.env['GRANARY_TEST_PICTURES'] === 'yes' ? (noBrowser ?? false) : 'GRANARY_TEST_PICTURES is not yes';
const folder = new URL('../../docs/pictures/', import.meta.url);

const family = 'translation/2010/11';
const names = [
  'Contracts to Spanish',
  'Manuals to French',
  'Minutes of the board',
  'Price lists',
  'Help pages',
  'Archive of 2012',
];

async function addSomeJobs(server: TestServer): Promise<void> {
  await using client = asSa(server, 'TranslationServices');
  for (const [at, Name] of names.entries()) {
    const JobId = BigInt(1041 + at);
    const count = [40, 12, 25, 8, 60, 5][at] ?? 1;
    await client.call(addJob, {
      JobId,
      UserToken: Buffer.of(1),
      Settings: '<settings/>',
      Name,
      ItemCount: count,
      MaxItemsPerDay: 500,
    });
    const items = Array.from({ length: count }, (_, n) => ({
      ItemId: n + 1,
      InputFile: `document-${n + 1}.docx`,
      OutputFile: `document-${n + 1}.es.docx`,
    }));
    await client.call(addGroup, {
      JobId,
      GroupId: 1,
      InputRoot: 'http://portal.example/in',
      OutputRoot: 'http://portal.example/out',
      MaxAttemptsCount: 3,
      JobXml: jobAdd(family, items),
    });
    if (at === 5) continue;
    await client.call(submitJob, { JobId });
    const done = [40, 7, 0, 3, 22][at] ?? 0;
    const started = items.slice(0, at === 2 ? 0 : Math.min(count, done + 2));
    if (started.length > 0) {
      const named = started.map(({ ItemId }) => ({ JobId, GroupId: 1, ItemId, Worker: guid(0xbb) }));
      await client.call(updateConversionBatch, { BatchXml: batchUpdate(family, named) });
    }
    for (let ItemId = 1; ItemId <= done; ItemId++)
      await client.call(updateSucceededItem, { JobId, GroupId: 1, ItemId });
  }
}

async function addTimerRuns(server: TestServer): Promise<void> {
  await using client = asSa(server, 'SharePoint_Config');
  for (let n = 0; n < 24; n++) {
    const StartTime = new Date(Date.UTC(2026, 10, 15, n));
    const seconds = 20 + 15 * Math.abs(Math.sin(n)) + (n === 17 ? 60 : 0);
    await client.call(addTimerJobHistory, {
      JobId: guid(7),
      JobTitle: 'Search usage analysis',
      WebApplicationId: guid(4),
      WebApplicationName: 'Portal',
      ServiceId: guid(9),
      ServerId: guid(3),
      ServerName: n % 2 === 0 ? 'APP1' : 'APP2',
      DatabaseName: null,
      Status: n === 17 ? 3 : 2,
      StartTime,
      EndTime: new Date(StartTime.getTime() + seconds * 1000),
      ErrorMessage: n === 17 ? 'The database did not answer in time.' : null,
    });
  }
}

async function addCrawls(server: TestServer): Promise<void> {
  await using admin = asSa(server, 'Search_Admin');
  for (const [name, url] of [
    ['Portal', 'http://portal.example/'],
    ['Wiki', 'http://wiki.example/'],
  ]) {
    await admin.query('exec granary.AddContentSource @Name = @name, @StartAddresses = @urls', {
      name,
      urls: JSON.stringify([url]),
    });
  }
  await new Administration(admin).start(1, 'full');
  const store = await server.granary.engine.open('Search_Admin');
  await store?.write((db) =>
    db.run(sql`update crawls set status = 4, sub_status = 1, request = 0, since = ${new Date()}`),
  );
}

const query = `select JobId, Name, CreateTime, Submitted from Jobs order by JobId`;

/** Calls that come all the time, as on a server that is used. */
function keepCalling(client: Client): Disposable {
  let calls = 0;
  const call = () =>
    client
      .call(getJobs, { ActiveOnly: true, SubmittedOnly: true })
      .then(() => (++calls % 20 === 0 ? client.query("exec proc_CancelJob @JobId = 'none'") : undefined))
      .catch(() => {});
  // Now more, now fewer, so that plots show something.
  const timer = setInterval(() => {
    const wanted = 1 + 3 * (1 + Math.sin(Date.now() / 9000));
    for (let n = 0; n < wanted; n++) void call();
  }, 100);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

describe('pictures of the console', { skip }, () => {
  test('jobs, configuration and search, light and dark', async () => {
    await using server = await startServer({ settings: { httpPort: 0, serverName: 'GRANARY' } });
    await addSomeJobs(server);
    await addTimerRuns(server);
    await addCrawls(server);
    await using timer = Client.create({
      server: server.granary,
      database: 'TranslationServices',
      appName: 'Portal timer',
    });
    using _calls = keepCalling(timer);
    await using browser = await launchBrowser();
    await mkdir(folder, { recursive: true });
    // A plot of a server that was just started says nothing.
    await new Promise((resolve) => setTimeout(resolve, 75_000));
    for (const colorScheme of ['light', 'dark'] as const) {
      await using sa = await visitor(browser, server, { colorScheme, viewport: { width: 1200, height: 720 } });
      const pages = {
        overview: ['/overview', 'no crawl component is running'],
        wire: ['/wire', 'proc_GetJobs'],
        sessions: ['/sessions', 'Portal timer'],
        query: [`/query?database=TranslationServices&text=${encodeURIComponent(query)}`, 'JobId'],
        jobs: ['/jobs/TranslationServices', names[0]],
        configuration: ['/configuration/SharePoint_Config/timer-history', 'APP2'],
        search: ['/search/Search_Admin/sources', 'http://wiki.example/'],
      } as const;
      for (const [name, [path, text]] of Object.entries(pages)) {
        await sa.visit(path);
        if (name === 'query') await sa.page.getByRole('button', { name: 'Run' }).click();
        await sa.page
          .getByText(text ?? '')
          .first()
          .waitFor();
        if (name === 'configuration') await sa.page.locator('canvas').waitFor();
        if (name === 'overview') await sa.page.locator('canvas').first().waitFor();
        await sa.page.screenshot({ path: new URL(`console-${name}-${colorScheme}.png`, folder).pathname });
      }
      await sa.checkCalm();
    }
  });
});
