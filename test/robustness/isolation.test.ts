import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../src/engine/sql.ts';
import { getJobs } from '../../src/protocols/translation/get-jobs.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { submitJob } from '../../src/protocols/translation/submit-job.ts';
import { int } from '../../src/tds/types/index.ts';
import type { TestClient } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from './support/until.ts';

const database = 'TranslationServices';
const keeping = ['repeatable read', 'snapshot', 'serializable'];
const others = ['read uncommitted', 'read committed'];

forEachEngine((engine) => {
  describe('isolation levels', () => {
    let server: TestServer;
    let other: TestClient;
    let nextJob = 1;
    before(async () => {
      server = await startServer({ engine, kinds: [translation] });
      other = await server.connect(database);
    });
    after(() => server[Symbol.asyncDispose]());

    const add = async (client: TestClient): Promise<number> => {
      const job = nextJob++;
      await client.batch(`exec proc_AddJob @JobId = ${job}, @UserToken = 0x01, @Settings = N'', @UserId = N'u'`);
      return job;
    };
    const called = async (client: TestClient) =>
      (await client.batch('exec proc_GetJobs @ActiveOnly = 0, @SubmittedOnly = 0')).sets[0]?.length;
    const selected = async (client: TestClient) =>
      (await client.batch('select count(*) as n from Jobs')).sets[0]?.[0]?.['n'];
    const counts = async (client: TestClient) => [await called(client), await selected(client)];
    const open = async (level: string) => {
      const client = await server.connect(database);
      await client.batch(`set transaction isolation level ${level} begin transaction`);
      return client;
    };
    const count = async (client: TestClient) => (await client.batch('select @@trancount as n')).sets[0]?.[0]?.['n'];

    for (const level of keeping) {
      test(`${level}: all reads of a transaction see the state of the first, and others write meanwhile`, async () => {
        const client = await open(level);
        const first = await counts(client);
        await add(other);
        assert.deepEqual(await counts(client), first);
        await client.batch('commit');
        assert.deepEqual(
          await counts(client),
          first.map((n) => Number(n) + 1),
        );
      });

      test(`${level}: a transaction that has read writes, and sees what it wrote`, async () => {
        const client = await open(level);
        const before = Number(await selected(client));
        await add(client);
        assert.deepEqual(await counts(client), [before + 1, before + 1]);
        assert.deepEqual(await counts(other), [before, before]);
        await client.batch('commit');
        assert.deepEqual(await counts(other), [before + 1, before + 1]);
      });

      test(`${level}: what another has changed since is not overwritten, and the transaction is undone`, async () => {
        const job = await add(other);
        const client = await open(level);
        await counts(client);
        await other.batch(`exec proc_CancelJob @JobId = ${job}`);
        const overwrite = client.batch(`exec proc_SubmitJob @JobId = ${job} commit`);
        await assert.rejects(overwrite, { number: level === 'snapshot' ? 3960 : 1205 });
        assert.equal(await count(client), 0);
        assert.equal(
          (await other.batch(`select Submitted as s from Jobs where JobId = ${job}`)).sets[0]?.[0]?.['s'],
          false,
        );
        await add(client);
      });
    }

    for (const level of keeping) {
      test(`${level}: calls that change nothing and the removal of expired rows refuse nobody`, async () => {
        const job = await add(other);
        const items = Array.from({ length: 1000 }, (_, at) => `<item id="${at}" in="a" out="b"/>`).join('');
        const xml = `<group xmlns="http://schemas.microsoft.com/office/server/translation/2010/11/databaseJobAdd">${items}</group>`;
        await other.batch(`exec proc_AddGroup ${job}, 1, N'', N'', 1, N'${xml}'`);
        await other.batch(`exec proc_JobsExpire @JobId = ${job}, @IncludeActiveJobs = 1`);
        const client = await open(level);
        const before = Number(await selected(client));
        await other.batch('exec proc_SubmitJob @JobId = -1');
        const own = await server.granary.engine.open(database);
        assert.ok(own !== undefined);
        const left = sql`select count(*) as "Left" from purges`;
        await until(
          'the rows are removed',
          async () => (await own.read((db) => db.first({ Left: int }, left)))?.Left === 0,
        );
        await add(client);
        await client.batch('commit');
        assert.equal(await selected(other), before + 1);
      });
    }

    test('snapshot: a conflict of a call by RPC undoes the transaction too', async () => {
      const job = await add(other);
      const client = await open('snapshot');
      await client.call(getJobs, { ActiveOnly: null, SubmittedOnly: null });
      await other.batch(`exec proc_CancelJob @JobId = ${job}`);
      await assert.rejects(client.call(submitJob, { JobId: BigInt(job) }), { number: 3960 });
      assert.equal(await count(client), 0);
    });

    test('serializable: of two that read what the other adds to, one is refused', async () => {
      const one = await open('serializable');
      const two = await open('serializable');
      const before = Number(await selected(one));
      assert.equal(await selected(two), before);
      await add(two);
      await two.batch('commit');
      await assert.rejects(
        async () => {
          await add(one);
          await one.batch('commit');
        },
        { number: 1205 },
      );
      assert.equal(await count(one), 0);
      assert.equal(await selected(other), before + 1);
    });

    for (const level of others) {
      test(`${level}: a transaction sees what others commit`, async () => {
        const client = await open(level);
        const first = Number(await selected(client));
        await add(other);
        assert.deepEqual(await counts(client), [first + 1, first + 1]);
        await client.batch('rollback');
      });
    }

    for (const level of [...keeping, ...others]) {
      test(`${level}: the first call of a transaction waits for another's change, and then counts it`, async () => {
        const part = `00000000-0000-0000-0000-${String(nextJob).padStart(12, '0')}`;
        const counted = (client: TestClient) =>
          client.batch(`declare @r int exec @r = proc_AddJob @JobId = ${nextJob++}, @UserToken = 0x01, @Settings = N'',
            @PartitionId = '${part}', @ItemCount = 10, @MaxItemsPerPartitionPerDay = 20 select @r as r`);
        const clients = await Promise.all(Array.from({ length: 4 }, () => open(level)));
        const results = clients.map(async (client) => {
          const { sets } = await counted(client);
          await client.batch('commit');
          return sets[0]?.[0]?.['r'];
        });
        assert.deepEqual((await Promise.all(results)).sort(), [0, 0, 1, 1]);
      });
    }

    test('two that wait for each other, one for a table of tempdb, do not wait for ever: 1205', async () => {
      await other.batch('create table ##shared (n int)');
      const one = await open('read committed');
      const two = await open('read committed');
      await one.batch('insert ##shared values (1)');
      await add(two);
      const waiting = two.batch('insert ##shared values (2) commit');
      await assert.rejects(add(one), { number: 1205 });
      assert.equal(await count(one), 0);
      await waiting;
      assert.deepEqual((await other.batch('select n from ##shared drop table ##shared')).sets[0], [{ n: 2 }]);
    });

    test('a connection that is reset or gone gives its snapshot back', async () => {
      const client = await open('snapshot');
      const first = Number(await selected(client));
      await add(other);
      await new Promise<void>((resolve, reject) =>
        client.connection.reset((error?: Error | null) => (error ? reject(error) : resolve())),
      );
      assert.equal(await selected(client), first + 1);
      for (let i = 0; i < 40; i++) {
        await using gone = await open('snapshot');
        await selected(gone);
      }
      assert.equal(await selected(other), first + 1);
    });
  });
});
