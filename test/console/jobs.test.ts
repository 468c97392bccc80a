import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Client } from '../../src/client/client.ts';
import {
  cancelJob,
  itemStates,
  jobDatabases,
  listGroups,
  listItems,
  listJobs,
  showJob,
  showLimits,
  submitJob,
  tryJobAgain,
} from '../../src/console/api/jobs.ts';
import { sql } from '../../src/engine/sql.ts';
import { addGroup } from '../../src/protocols/translation/add-group.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { updateConversionBatch } from '../../src/protocols/translation/update-conversion-batch.ts';
import { updateFailedItem } from '../../src/protocols/translation/update-failed-item.ts';
import { updateSucceededItem } from '../../src/protocols/translation/update-succeeded-item.ts';
import { word2 } from '../../src/protocols/word2/kind.ts';
import { int } from '../../src/tds/types/index.ts';
import { batchUpdate, jobAdd } from '../conformance/jobs/documents.ts';
import { forEachEngine } from '../support/engines.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { ConsoleCaller } from './console-caller.ts';
import { addJobs, asSa, guid, hostile, partition } from './sample-data.ts';

const database = translation.firstDatabase;

/** What is there once it is. */
async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    await setTimeout(20);
  }
}

describe('jobs in the interface of the console', () => {
  forEachEngine((engine) => {
    let server: TestServer;
    let caller: ConsoleCaller;
    let client: Client;
    before(async () => {
      server = await startServer({ engine, kinds: [translation, word2], settings: { httpPort: 0 } });
      client = asSa(server, database);
      await addJobs(client);
      await server.granary.accounts.create('looker', 'Battery-Staple-9', { database, role: 'reader' });
      caller = await ConsoleCaller.logIn(server);
    });
    after(async () => {
      await client.close();
      await server[Symbol.asyncDispose]();
    });
    const listed = async (query: Partial<Parameters<typeof caller.call<typeof listJobs>>[1]>) =>
      (await caller.call(listJobs, { database, ...query })).jobs.map(({ id, state }) => `${id} ${state}`);

    test('the databases of jobs are listed with their protocol, those that a login may not enter are not', async () => {
      const { databases } = await caller.call(jobDatabases, {});
      assert.deepEqual(databases, [
        { name: translation.firstDatabase, kind: 'translation', mayAct: true },
        { name: word2.firstDatabase, kind: 'word2', mayAct: true },
      ]);
      const looker = await ConsoleCaller.logIn(server, 'looker', 'Battery-Staple-9');
      assert.deepEqual((await looker.call(jobDatabases, {})).databases, [{ ...databases[0], mayAct: false }]);
      assert.equal((await looker.refused(listJobs, { database: word2.firstDatabase })).status, 403);
    });

    test('a login hears of each database whether it may act there, whatever it may elsewhere', async () => {
      const { accounts } = server.granary;
      await accounts.create('either', 'Battery-Staple-9', { database, role: 'writer' });
      await accounts.grant('either', { database: word2.firstDatabase, role: 'reader' });
      const either = await ConsoleCaller.logIn(server, 'either', 'Battery-Staple-9');
      const { databases } = await either.call(jobDatabases, {});
      assert.deepEqual(
        databases.map(({ name, mayAct }) => [name, mayAct]),
        [
          [database, true],
          [word2.firstDatabase, false],
        ],
      );
    });

    test('jobs are listed newest first, filtered by state, partition and text, and paged by key', async () => {
      assert.deepEqual(await listed({}), ['4 done', '3 waiting', '2 not submitted', '1 in progress']);
      assert.deepEqual(await listed({ state: 'waiting' }), ['3 waiting']);
      assert.deepEqual(await listed({ search: '<script>' }), ['1 in progress']);
      assert.deepEqual(await listed({ search: 'ГУСИ 日本語' }), ['2 not submitted']);
      assert.deepEqual(await listed({ search: '3' }), ['3 waiting']);
      assert.deepEqual(await listed({ search: '%' }), []);
      assert.deepEqual(await listed({ partition: '22222222-2222-4222-8222-222222222222' }), []);
      assert.equal((await listed({ partition })).length, 4);
      const first = await caller.call(listJobs, { database, limit: 3 });
      assert.ok(first.next);
      const rest = await caller.call(listJobs, { database, limit: 3, after: first.next });
      assert.deepEqual([rest.jobs.map(({ id }) => id), rest.next], [['1'], null]);
      assert.equal((await caller.refused(listJobs, { database, after: 'x' })).status, 400);
    });

    test('a job tells what its items have come to, and hands back every text as it is', async () => {
      const job = await caller.call(showJob, { database, job: '1' });
      assert.deepEqual([job.name, job.partition, job.items, job.open], [hostile.markup, partition, 4, 2]);
      const { at: _, ...counts } = job.counts ?? assert.fail('it is counted');
      assert.deepEqual(counts, { total: 4, succeeded: 1, failed: 1, inProgress: 1, waiting: 1 });
      const { groups } = await caller.call(listGroups, { database, job: '1' });
      assert.deepEqual(
        groups.map(({ id, inputRoot }) => [id, inputRoot]),
        [[1, `http://contoso.example/${hostile.markup}`]],
      );
      assert.equal((await caller.refused(showJob, { database, job: '404' })).status, 404);
      assert.equal(job.lacksWorker, false);
    });

    test('a job that no worker would take says so, and so does the list that it is in', async () => {
      const word = client.database(word2.firstDatabase);
      const JobXml = jobAdd('word/2009/08', [{ ItemId: 1, InputFile: 'a', OutputFile: 'b' }]);
      await word.query(
        `exec proc_AddJob @JobId = 1, @Settings = N'<s/>'
         exec proc_AddGroup @JobId = 1, @GroupId = 1, @MaxAttemptsCount = 1, @JobXml = @xml
         exec proc_SubmitJob @JobId = 1`,
        { xml: JobXml },
      );
      const { why, lacksWorker } = await caller.call(showJob, { database: word2.firstDatabase, job: '1' });
      assert.deepEqual([why, lacksWorker], ['No worker is running.', true]);
      const lacks = async (of: string) => (await caller.call(listJobs, { database: of })).lacksWorker;
      // Somebody works at the other database, without claims.
      assert.deepEqual([await lacks(word2.firstDatabase), await lacks(database)], [true, false]);
    });

    test('items are paged by key both ways and filtered by state; those that wait say why', async () => {
      const of = { database, job: '1', group: 1 };
      const { items } = await caller.call(listItems, of);
      assert.deepEqual(
        items.map(({ id, state }) => `${id} ${state}`),
        ['1 succeeded', '2 failed', '3 in progress', '4 waiting'],
      );
      assert.deepEqual([items[1]?.input, items[1]?.why], [hostile.scripts, 'error 42']);
      assert.match(items[3]?.why ?? '', /\w+ \w+/);
      assert.equal(items[0]?.why, null);
      const first = await caller.call(listItems, { ...of, limit: 3 });
      assert.deepEqual([first.items.length, first.previous, first.next], [3, null, 3]);
      const second = await caller.call(listItems, { ...of, limit: 3, after: 3 });
      assert.deepEqual([second.items.map(({ id }) => id), second.previous, second.next], [[4], 4, null]);
      const back = await caller.call(listItems, { ...of, limit: 2, before: 4 });
      assert.deepEqual([back.items.map(({ id }) => id), back.previous, back.next], [[2, 3], 2, 3]);
      const failed = await caller.call(listItems, { ...of, state: 'failed' });
      assert.deepEqual(
        failed.items.map(({ id }) => id),
        [2],
      );
      // Behind the last item there is nothing; a group that the job does not have is another matter.
      assert.deepEqual((await caller.call(listItems, { ...of, after: 4 })).items, []);
      const { status, error } = await caller.refused(listItems, { ...of, group: 7 });
      assert.deepEqual([status, error.message], [404, `Job 1 in ${database} has no group 7.`]);
    });

    test('the daily limits tell what is used, what is left, and when that changes', async () => {
      const { counted, all, partitions } = await caller.call(showLimits, { database });
      assert.deepEqual([counted, all.used, all.limit, all.left], [true, 8, 1000, 992]);
      assert.deepEqual(
        partitions.map(({ partition: of, used, left }) => [of, used, left]),
        [[partition, 8, 92]],
      );
      assert.equal(
        all.resets.reduce((sum, { items }) => sum + items, 0),
        8,
      );
      const other = await caller.call(showLimits, { database: word2.firstDatabase });
      assert.equal(other.counted, false);
    });

    test('a large job is counted beside: nobody waits for it, and it is told when that was', async () => {
      await client.query(`
        exec proc_AddJob @JobId = 9, @UserToken = 0x01, @Settings = '<s/>'
        exec proc_SubmitJob @JobId = 9`);
      const store = await server.granary.engine.open(database);
      await store?.write(async (db) => {
        await db.run(sql`
          insert into items (job_key, group_id, item_id, attempts_remaining, input_file)
          with recursive n (i) as (select 1 union all select i + 1 from n where i < 12000)
          select j.job_key, 1, i, 3, 'x.docx' from n cross join jobs j where j.job_id = 9`);
        await db.run(sql`update jobs set item_total = 12000, waiting = 1 where job_id = 9`);
      });
      const { jobs } = await caller.call(listJobs, { database, search: '9' });
      assert.deepEqual(
        jobs.map(({ id, items, open }) => [id, items, open]),
        [['9', 12_000, null]],
      );
      const counted = await until(async () => (await caller.call(showJob, { database, job: '9' })).counts);
      assert.deepEqual([counted.total, counted.waiting], [12_000, 12_000]);
      await client.query('exec proc_CancelJob @JobId = 9');
    });

    test('a writer submits, cancels and tries again, and the protocol sees it; a reader is refused and nothing happens', async () => {
      const looker = await ConsoleCaller.logIn(server, 'looker', 'Battery-Staple-9');
      assert.equal((await looker.refused(submitJob, { database, job: '2' })).status, 403);
      assert.deepEqual(await listed({ state: 'not submitted' }), ['2 not submitted']);
      await caller.call(submitJob, { database, job: '2' });
      assert.deepEqual(await listed({ search: '2' }), ['2 waiting']);
      await caller.call(cancelJob, { database, job: '2' });
      const cancelled = await client.select(
        { n: int },
        'select count(*) as n from Jobs where JobId = 2 and CancelTime is not null',
      );
      assert.deepEqual(cancelled, [{ n: 1 }]);
      assert.deepEqual(await caller.call(tryJobAgain, { database, job: '1', group: 1, item: 2 }), { items: 1 });
      const waiting = 'select count(*) as n from Items where JobId = 1 and ItemId = 2 and StopTime is null';
      assert.deepEqual(await client.select({ n: int }, waiting), [{ n: 1 }]);
      const refused = await caller.refused(tryJobAgain, { database, job: '2' });
      assert.deepEqual([refused.status, /cancelled/.test(refused.error.message)], [422, true]);
    });

    test('a job that is done tells in the list how many of its items failed', async () => {
      const items = [1, 2].map((ItemId) => ({ JobId: 3n, GroupId: 1, ItemId, Worker: guid(0xbb) }));
      await client.call(updateConversionBatch, { BatchXml: batchUpdate('translation/2010/11', items) });
      await client.call(updateSucceededItem, { JobId: 3n, GroupId: 1, ItemId: 1 });
      await client.call(updateFailedItem, { JobId: 3n, GroupId: 1, ItemId: 2, NoRetry: true, ErrorCode: 42 });
      const done = async () =>
        (await caller.call(listJobs, { database, state: 'done' })).jobs.map(({ id, counts }) => [id, counts?.failed]);
      assert.deepEqual(await done(), [
        ['4', 0],
        ['3', 1],
      ]);
      // What was counted is told again without counting, until an item is tried again.
      assert.deepEqual(await done(), [
        ['4', 0],
        ['3', 1],
      ]);
      await caller.call(tryJobAgain, { database, job: '3' });
      assert.deepEqual(await done(), [['4', 0]]);
      await client.call(updateConversionBatch, { BatchXml: batchUpdate('translation/2010/11', items.slice(1)) });
      await client.call(updateSucceededItem, { JobId: 3n, GroupId: 1, ItemId: 2 });
      assert.deepEqual(await done(), [
        ['4', 0],
        ['3', 0],
      ]);
    });

    test('a filter finds items in the state that they are told to be in, also those of a job that is not submitted or cancelled', async () => {
      await client.query(`exec proc_AddJob @JobId = 12, @UserToken = 0x01, @Settings = '<s/>'`);
      const JobXml = jobAdd(
        'translation/2010/11',
        [1, 2, 3].map((ItemId) => ({ ItemId, InputFile: 'a.docx', OutputFile: 'b.docx' })),
      );
      await client.call(addGroup, {
        JobId: 12n,
        GroupId: 1,
        InputRoot: 'in',
        OutputRoot: 'out',
        MaxAttemptsCount: 3,
        JobXml,
      });
      const found = async () => {
        const filtered = await Promise.all(
          itemStates.map((state) => caller.call(listItems, { database, job: '12', group: 1, state })),
        );
        return filtered.flatMap(({ items }, at) => items.map(({ id, state }) => `${itemStates[at]}: ${id} ${state}`));
      };
      const held = (state: string) => [1, 2, 3].map((id) => `${state}: ${id} ${state}`);
      assert.deepEqual(await found(), held('not submitted'));
      await client.query('exec proc_SubmitJob @JobId = 12');
      assert.deepEqual(await found(), held('waiting'));
      const started = [{ JobId: 12n, GroupId: 1, ItemId: 1, Worker: guid(0xbb) }];
      await client.call(updateConversionBatch, { BatchXml: batchUpdate('translation/2010/11', started) });
      assert.deepEqual(await found(), [...held('waiting').slice(1), 'in progress: 1 in progress']);
      await client.call(updateFailedItem, { JobId: 12n, GroupId: 1, ItemId: 1, NoRetry: true, ErrorCode: 42 });
      await caller.call(cancelJob, { database, job: '12' });
      assert.deepEqual(await found(), ['failed: 1 failed', ...held('cancelled').slice(1)]);
      // No item of it can be tried again, which a page asks before it offers that.
      const { isCancelled } = await caller.call(listItems, { database, job: '12', group: 1 });
      const refused = await caller.refused(tryJobAgain, { database, job: '12', group: 1, item: 1 });
      assert.deepEqual([isCancelled, refused.status], [true, 422]);
    });
  });
});
