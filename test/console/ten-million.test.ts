import assert from 'node:assert/strict';
import process from 'node:process';
import { describe, test } from 'node:test';
import { listItems, listJobs, showJob } from '../../src/console/api/jobs.ts';
import { sql } from '../../src/engine/sql.ts';
import { addGroup } from '../../src/protocols/translation/add-group.ts';
import { addJob } from '../../src/protocols/translation/add-job.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { submitJob } from '../../src/protocols/translation/submit-job.ts';
import { jobAdd } from '../conformance/jobs/documents.ts';
import { forEachEngine } from '../support/engines.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { visitor } from './browser.ts';
import { launchBrowser, noBrowser } from './chromium.ts';
import { ConsoleCaller } from './console-caller.ts';
import { asSa } from './sample-data.ts';

/** Minutes of work: asked for with GRANARY_TEST_LARGE=yes. */
const skip = process.env['GRANARY_TEST_LARGE'] === 'yes' ? (noBrowser ?? false) : 'GRANARY_TEST_LARGE is not yes';
const items = 10_000_000;
const database = translation.firstDatabase;

/** One job of ten million items, of which the first thousand have failed. */
async function fill(server: TestServer): Promise<void> {
  await using client = asSa(server, database);
  await client.call(addJob, { JobId: 1n, UserToken: new Uint8Array([1]), Settings: '<s/>', Name: 'large' });
  const first = { ItemId: 1, InputFile: '1.docx', OutputFile: '1.pdf' };
  const JobXml = jobAdd('translation/2010/11', [first]);
  const roots = { InputRoot: 'http://contoso.example', OutputRoot: 'http://contoso.example' };
  await client.call(addGroup, { JobId: 1n, GroupId: 1, ...roots, MaxAttemptsCount: 3, JobXml });
  await client.call(submitJob, { JobId: 1n });
  const store = await server.granary.engine.open(database);
  assert.ok(store);
  const step = 500_000;
  for (let from = 2; from <= items; from += step) {
    const to = Math.min(items, from + step - 1);
    await store.write((db) =>
      db.run(sql`
        with recursive n (i) as (select cast(${from} as bigint) union all select i + 1 from n where i < ${to})
        insert into items (job_key, group_id, item_id, start_time, stop_time, error_code, attempts_remaining, input_file)
        select j.job_key, 1, i, case when i <= 1000 then 1 end, case when i <= 1000 then 2 end,
          case when i <= 1000 then 42 end, 3, 'document.docx'
        from n cross join jobs j`),
    );
  }
  await store.write((db) => db.run(sql`update jobs set item_total = ${items}`));
}

describe('a job of ten million items in the console', { skip }, () => {
  forEachEngine((engine) => {
    test('any page of it comes at once, its progress is counted beside, and a browser goes to its end', async (t) => {
      await using server = await startServer({ engine, kinds: [translation], settings: { httpPort: 0 } });
      await fill(server);
      const caller = await ConsoleCaller.logIn(server);
      const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
        const began = performance.now();
        const result = await work();
        t.diagnostic(`${engine}: ${what} took ${Math.round(performance.now() - began)} ms`);
        return result;
      };
      const list = await timed('the list', () => caller.call(listJobs, { database }));
      assert.deepEqual([list.jobs[0]?.items, list.jobs[0]?.open, list.jobs[0]?.state], [items, null, 'waiting']);
      const of = { database, job: '1', group: 1 };
      const last = await timed('the last page', () => caller.call(listItems, { ...of, after: items - 100 }));
      assert.deepEqual([last.items.at(-1)?.id, last.next], [items, null]);
      const back = await timed('a page backwards', () => caller.call(listItems, { ...of, before: items - 99 }));
      assert.deepEqual([back.items.length, back.items.at(-1)?.id], [100, items - 100]);
      const middle = await timed('a page in the middle', () => caller.call(listItems, { ...of, after: items / 2 }));
      assert.equal(middle.items[0]?.id, items / 2 + 1);
      await timed('the first page', () => caller.call(listItems, of));
      await timed('failed items', () => caller.call(listItems, { ...of, state: 'failed' }));
      await timed('the job', () => caller.call(showJob, { database, job: '1' }));
      const counted = await timed('the count', async () => {
        for (;;) {
          const { counts } = await caller.call(showJob, { database, job: '1' });
          if (counts !== null) return counts;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      });
      assert.deepEqual([counted.total, counted.failed, counted.waiting], [items, 999, items - 999]);
      await using browser = await launchBrowser();
      await using sa = await visitor(browser, server);
      await timed('the last page in a browser', async () => {
        await sa.visit(`/jobs/${database}/1/groups/1?after=${items - 200}`);
        await sa.page.getByRole('link', { name: 'Next' }).click();
        await sa.page.getByText('10,000,000', { exact: true }).waitFor();
      });
      await sa.checkCalm();
    });
  });
});
