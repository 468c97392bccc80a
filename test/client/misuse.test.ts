import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Caller, Client, ClientError, type Session, types } from '../../src/granary-client.ts';
import { addJob } from '../../src/protocols/translation/add-job.ts';
import { getJobs } from '../../src/protocols/translation/get-jobs.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { optionsFor } from './places.ts';

const database = 'TranslationServices';
const rows = 'select top 20000 a.object_id from sys.all_columns a cross join sys.all_columns b';
const long = "waitfor delay '0:10:00'";
let lastJob = 0n;

const is = (code: ClientError['code'], text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ClientError, String(error));
  assert.equal(error.code, code, error.message);
  assert.match(error.message, text);
  return true;
};

forEngineOfRun((engine) => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ engine, kinds: [translation] });
  });
  after(() => server[Symbol.asyncDispose]());

  const add = async (caller: Caller) => {
    const JobId = ++lastJob;
    await caller.call(addJob, { JobId, UserToken: Buffer.of(1), Settings: '' });
  };
  const jobs = async (client: Client) =>
    (await client.call(getJobs, { ActiveOnly: false, SubmittedOnly: false })).sets.ResultSet0.length;

  for (const way of ['full', 'in process'] as const) {
    describe(`a client that is used wrongly, ${way}`, { timeout: 300_000 }, () => {
      let client: Client;
      before(() => {
        client = Client.create({ ...optionsFor(server, database, way), poolSize: 1, retry: { attempts: 1 } });
      });
      after(() => client.close());

      test('a transaction in which T-SQL has begun another is not reported as committed', async () => {
        const count = await jobs(client);
        const unbalanced = client.transaction(async (transaction) => {
          await transaction.query('begin tran');
          await add(transaction);
        });
        await assert.rejects(unbalanced, is('protocol', /nothing is committed: a BEGIN TRAN/));
        assert.equal(await jobs(client), count);
      });

      test('nothing is written outside of a transaction that has ended early', async () => {
        const count = await jobs(client);
        const ended = client.transaction(async (transaction) => {
          await transaction.query('rollback');
          await add(transaction);
        });
        await assert.rejects(ended, is('protocol', /the transaction is over/));
        assert.equal(await jobs(client), count);
      });

      test('a transaction or session that is used after its work is refused', async () => {
        const count = await jobs(client);
        let kept: Caller | undefined;
        await client.transaction(async (transaction) => {
          kept = transaction;
        });
        await assert.rejects(add(kept ?? client), is('closed', /is over/));
        let session: Session | undefined;
        await client.session(async (lent) => {
          session = lent;
        });
        await assert.rejects((session ?? client).query('select 1'), is('closed', /is over/));
        assert.equal(await jobs(client), count);
      });

      test('a session that ends within a transaction keeps nothing of it, and nobody gets its connection', async () => {
        const count = await jobs(client);
        await client.session(async (session) => {
          await session.begin();
          await add(session);
        });
        assert.deepEqual(await client.select({ open: types.int }, 'select @@trancount as [open]'), [{ open: 0 }]);
        assert.equal(await jobs(client), count);
      });

      test('a request amid the rows of a stream gets its turn, and the stream all of its rows', async () => {
        const read = await client.transaction(async (transaction) => {
          let count = 0;
          for await (const _ of transaction.streamQuery(rows))
            if (++count % 1000 === 0) await transaction.query('select 1');
          return count;
        });
        assert.equal(read, 20_000);
      });

      test('a limit that is Infinity, or longer than timers can be, is not over at once', async () => {
        for (const most of [Infinity, 2 ** 40]) {
          const times = { connectTimeout: most, acquireTimeout: most, idleTimeout: most, requestTimeout: most };
          await using patient = Client.create({ ...optionsFor(server, database, way), poolSize: 1, ...times });
          const waits = "waitfor delay '0:00:00.1'; select @@spid as id";
          const both = await Promise.all([patient.query(waits), patient.query(waits, {}, { timeout: most })]);
          await delay(50);
          const spids = [...both, await patient.query(waits)].map(({ sets }) => sets[0]?.[0]?.['id']);
          assert.equal(new Set(spids).size, 1, 'one connection, which is kept');
        }
      });

      test('a loop over a stream ends beside other loops, and beside who waits for what follows the rows', async () => {
        const count = async (stream: AsyncIterable<unknown>) => {
          let read = 0;
          for await (const _ of stream) read++;
          return read;
        };
        const shared = client.streamQuery(rows);
        const [one, other] = await Promise.all([count(shared), count(shared)]);
        assert.equal(one + other, 20_000);
        const awaited = client.streamQuery(rows);
        const [, end] = await Promise.all([count(awaited), awaited.end()]);
        assert.equal(end.count, 20_000);
      });

      test('a connection serves on after a stream, however many of its rows arrived together with the end', async () => {
        for (const count of [63, 64, 65, 1000]) {
          let read = 0;
          for await (const _ of client.streamQuery(`select top ${count} object_id from sys.all_columns`)) read++;
          assert.equal(read, count);
          await client.query('select 1', {}, { timeout: 60_000 });
        }
      });

      test('a stream that nobody reads does not keep its connection', async () => {
        await client.transaction(async (transaction) => void transaction.streamQuery(rows));
        let stream: AsyncIterable<unknown> | undefined;
        await client.session(async (session) => {
          stream = session.streamQuery(rows);
        });
        await assert.rejects(
          async () => {
            for await (const _ of stream ?? []);
          },
          is('closed', /is over/),
        );
        await jobs(client);
      });

      test('work that fails while a request of it runs is rolled back at once', async () => {
        const count = await jobs(client);
        const failing = client.transaction(async (transaction) => {
          await add(transaction);
          await Promise.all([transaction.query(long), Promise.reject(new Error('enough'))]);
        });
        await assert.rejects(failing, /enough/);
        assert.equal(await jobs(client), count);
      });

      test('the signal of a transaction cancels the requests of its work', async () => {
        const count = await jobs(client);
        const stop = new AbortController();
        const stopped = client.transaction(
          async (transaction) => {
            await add(transaction);
            queueMicrotask(() => stop.abort(new Error('enough')));
            await transaction.query(long);
          },
          { signal: stop.signal },
        );
        await assert.rejects(stopped, /enough/);
        assert.equal(await jobs(client), count);
      });

      test('a request that waits for its turn ends with its signal', async () => {
        await client.session(async (session) => {
          const first = new AbortController();
          const second = new AbortController();
          const running = session.query(long, {}, { signal: first.signal });
          const waiting = session.query('select 1', {}, { signal: second.signal });
          second.abort(new Error('not that long'));
          await assert.rejects(waiting, /not that long/);
          first.abort(new Error('enough'));
          await assert.rejects(running, /enough/);
          assert.equal((await session.query('select 1 as n')).sets.length, 1);
        });
      });

      test('a closed client has no other databases either', async () => {
        const closed = Client.create(optionsFor(server, database, way));
        await closed.close();
        await assert.rejects(closed.database('master').query('select 1'), is('closed', /was closed/));
      });
    });
  }
});
