import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, ClientError, SqlError, typed, types } from '../../src/granary-client.ts';
import { searchCrawl } from '../../src/protocols/search/kinds/search-crawl.ts';
import { addJob } from '../../src/protocols/translation/add-job.ts';
import { getJobs } from '../../src/protocols/translation/get-jobs.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { optionsFor, type Way, ways } from './places.ts';

const database = 'TranslationServices';
const job = (JobId: bigint) => ({
  JobId,
  UserToken: Buffer.of(1, 2, 3),
  Settings: 'ein 𝄞 Zeichen',
  Name: `job ${JobId}`,
});
const all = { ActiveOnly: false, SubmittedOnly: false } as const;
let lastJob = 0n;

forEngineOfRun((engine) => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ engine, kinds: [translation, searchCrawl] });
  });
  after(() => server[Symbol.asyncDispose]());

  // All ways at once, so that the time passes once.
  test('a connection is kept when the time to make it, or the signal of the first request, is over', async () => {
    const isKept = async (way: Way, connectTimeout: number) => {
      await using brief = Client.create({ ...optionsFor(server, database, way), connectTimeout, poolSize: 1 });
      const first = new AbortController();
      let isConnected = false;
      await brief
        .session(
          async (session) => {
            isConnected = true;
            first.abort();
            await delay(connectTimeout + 100);
            assert.equal((await session.query('select 1 as n')).sets[0]?.[0]?.['n'], 1, way);
          },
          { signal: first.signal },
        )
        .catch((error: unknown) => {
          if (isConnected || connectTimeout > 60_000) throw error;
        });
      return isConnected;
    };
    // On a slow machine a connection takes longer than the shortest of these times.
    const keeps = async (way: Way) => {
      for (let time = 1500; !(await isKept(way, time)); time *= 4);
    };
    await Promise.all(ways.map(keeps));
  });

  for (const way of ways) {
    describe(`a client, ${way}`, () => {
      let client: Client;
      before(() => {
        client = Client.create(optionsFor(server, database, way));
      });
      after(() => client.close());

      test('calls procedures with typed input and gets the declared outcome', async () => {
        const JobId = ++lastJob;
        const added = await client.call(addJob, job(JobId));
        assert.equal(added.outcome, 'added');
        const { outcome, sets } = await client.call(getJobs, all);
        assert.equal(outcome, 'done');
        const mine = sets.ResultSet0.find((row) => row.JobId === JobId);
        assert.equal(mine?.Name, `job ${JobId}`);
      });

      test('streams result sets row by row, and what comes behind them', async () => {
        await client.call(addJob, job(++lastJob));
        const stream = client.stream(getJobs, all);
        const ids: bigint[] = [];
        for await (const { set, row } of stream) {
          assert.equal(set, 'ResultSet0');
          ids.push(row.JobId);
        }
        assert.ok(ids.includes(lastJob));
        assert.deepEqual(await stream.end(), { outcome: 'done', output: {} });
      });

      test('runs T-SQL text with parameters of inferred and of given types', async () => {
        const shape = { n: types.int, t: types.nvarchar(4000), w: types.bigint, b: types.varbinary(8000) };
        const [row] = await client.select(shape, 'select @n as n, @t as t, @w as w, @b as b', {
          n: 7,
          t: 'ein 𝄞',
          w: typed(types.bigint, 1n << 60n),
          b: Buffer.of(0, 255),
        });
        assert.deepEqual(row, { n: 7, t: 'ein 𝄞', w: 1n << 60n, b: Buffer.of(0, 255) });
      });

      test("rejects with the server's error, number and severity, and goes on", async () => {
        await assert.rejects(client.query('select 1/0'), (error) => error instanceof SqlError && error.number === 8134);
        await assert.rejects(client.query("raiserror('no', 18, 3)"), { number: 50000, severity: 18, state: 3 });
        assert.equal((await client.query('select 1 as one')).sets[0]?.[0]?.['one'], 1);
      });

      test('cancels by an AbortSignal: the server is told, the connection serves on', async () => {
        const stop = new AbortController();
        const spid = (await client.query('select @@spid as id')).sets[0]?.[0]?.['id'];
        const waits = client.query("waitfor delay '01:00:00'", {}, { signal: stop.signal });
        await delay(50);
        stop.abort(new Error('enough'));
        await assert.rejects(waits, /enough/);
        assert.equal((await client.query('select @@spid as id')).sets[0]?.[0]?.['id'], spid);
      });

      test('gives up after its time, and the server stops what it did', async () => {
        let isSent = false;
        // A machine that stands still for a moment has not sent it when the time is over.
        for (let timeout = 60; !isSent; timeout *= 2) {
          await assert.rejects(client.query("waitfor delay '01:00:00'", {}, { timeout }), (error) => {
            isSent = error instanceof ClientError && error.sent;
            return error instanceof ClientError && error.code === 'timeout';
          });
        }
        assert.equal((await client.query('select 1 as one')).sets.length, 1);
      });

      test('commits a transaction, and rolls back what fails', async () => {
        const kept = ++lastJob;
        const undone = ++lastJob;
        await client.transaction(async (transaction) => {
          await transaction.call(addJob, job(kept));
        });
        const failing = client.transaction(async (transaction) => {
          await transaction.call(addJob, job(undone));
          throw new Error('changed my mind');
        });
        await assert.rejects(failing, /changed my mind/);
        const { sets } = await client.call(getJobs, all);
        const ids = sets.ResultSet0.map(({ JobId }) => JobId);
        assert.ok(ids.includes(kept));
        assert.ok(!ids.includes(undone));
      });

      test('hands a session back as it was: options and temporary tables do not go on to the next', async () => {
        await using one = Client.create({ ...optionsFor(server, database, way), poolSize: 1 });
        await one.query('create table #t (n int); set language German');
        await assert.rejects(one.query('select * from #t'), { number: 208 });
        const [row] = await one.select({ l: types.nvarchar(128) }, 'select @@language as l');
        assert.equal(row?.l, 'us_english');
      });

      test('refuses a value that is none of its type before anything is sent', async () => {
        // @ts-expect-error A job's identifier is a bigint.
        await assert.rejects(client.call(addJob, { ...job(1n), JobId: 'one' }), { number: 8114 });
      });
    });
  }
});
