import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from '../../../../src/engine/sql.ts';
import { wordClaims } from '../../../../src/protocols/word/claims.ts';
import { until } from '../../../robustness/support/until.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { startServer } from '../../../support/server.ts';
import { word2Protocol } from '../protocols.ts';
import { ClaimsFixture, type Held, numberOf, workers } from './claims-fixture.ts';

const { waitForWork } = wordClaims;
const [first] = workers;

forEachEngine((engine) => {
  describe('waiting for work', () => {
    const jobs = new ClaimsFixture(engine, word2Protocol);
    const waiting = () => jobs.server.granary.waitingCalls;
    const untilWaiting = (count: number) => until(`${count} calls wait`, () => waiting() === count);

    test('a wait for no time at all tells whether there is work', async () => {
      assert.equal((await jobs.wait(0)).outcome, 'none');
      await jobs.submittedJob(1n, 1);
      assert.equal((await jobs.wait(0)).outcome, 'there');
    });

    test('a wait is over when its time is, and then there is nothing', async () => {
      assert.equal((await jobs.wait(20)).outcome, 'none');
      assert.equal(waiting(), 0);
    });

    test('all who wait are woken when a job is submitted, and not before', async () => {
      await jobs.addJob(1n, 2);
      const waits = [jobs.wait(60_000), jobs.wait(60_000), jobs.wait(60_000)];
      await untilWaiting(3);
      await jobs.plain('SubmitJob', { JobId: 1n });
      assert.deepEqual(
        (await Promise.all(waits)).map(({ outcome }) => outcome),
        ['there', 'there', 'there'],
      );
      assert.equal(waiting(), 0);
    });

    test('a wait is over when an item is added, put back or given back', async () => {
      await jobs.submittedJob(1n, 1);
      const bringing = {
        failItem: (item: Held) => jobs.client.call(wordClaims.failItem, { ...item, NoRetry: false, ErrorCode: 1 }),
        returnItem: (item: Held) => jobs.client.call(wordClaims.returnItem, item),
        endWorker: () => jobs.client.call(wordClaims.endWorker, { Worker: first }),
      };
      for (const [name, bring] of Object.entries(bringing)) {
        const item = await jobs.claimOne(first);
        const wait = jobs.wait(60_000);
        await untilWaiting(1);
        await bring(item);
        assert.equal((await wait).outcome, 'there', name);
      }
    });

    test('a wait is over when a lease runs out', async () => {
      await jobs.submittedJob(1n, 1);
      await jobs.claimOne(first, 1);
      const wait = jobs.wait(60_000);
      await untilWaiting(1);
      await jobs.leaseRunsOut();
      assert.equal((await wait).outcome, 'there');
    });

    test('work that a transaction brings is there when it is committed', async () => {
      await jobs.addJob(1n, 1);
      const wait = jobs.wait(60_000);
      await untilWaiting(1);
      await jobs.client.query(
        'begin transaction; exec proc_SubmitJob @JobId = 1; rollback; begin transaction; exec proc_SubmitJob @JobId = 1; commit',
      );
      assert.equal((await wait).outcome, 'there');
    });

    test('work that another process on the same data brings is seen', async () => {
      await jobs.addJob(1n, 1);
      const wait = jobs.wait(60_000);
      await untilWaiting(1);
      // Past the server: nobody is woken.
      const database = await jobs.server.granary.engine.open(word2Protocol.kind.firstDatabase);
      await database?.write((db) => db.run(sql`update jobs set submitted = 1`));
      assert.equal((await wait).outcome, 'there');
    });

    test('an attention cancels a wait, and the session goes on', async () => {
      const cancel = new AbortController();
      const wait = jobs.client.session(async (session) => {
        await assert.rejects(session.call(waitForWork, { Milliseconds: 60_000 }, { signal: cancel.signal }), {
          name: 'AbortError',
        });
        return session.call(waitForWork, { Milliseconds: 0 });
      });
      await untilWaiting(1);
      cancel.abort();
      assert.equal((await wait).outcome, 'none');
      assert.equal(waiting(), 0);
    });

    test('who is gone waits no longer', async () => {
      const client = await jobs.server.connect(word2Protocol.kind.firstDatabase);
      const wait = client.batch('exec granary.WaitForWork @Milliseconds = 60000').catch(() => {});
      await untilWaiting(1);
      client.connection.close();
      await wait;
      await untilWaiting(0);
    });

    test('nobody waits inside of a transaction: 574; nor for longer than a minute', async () => {
      const inside = jobs.client.query('begin transaction; exec granary.WaitForWork');
      assert.equal(await numberOf(inside), 574);
      assert.equal(await numberOf(jobs.wait(60_001)), 50000);
      assert.equal(await numberOf(jobs.wait(-1)), 50000);
    });

    test('while others wait, claims, reports and submits go on', async () => {
      const waits = Array.from({ length: 20 }, () => jobs.wait(60_000));
      await untilWaiting(20);
      await jobs.addJob(1n, 1);
      assert.equal((await jobs.status(1n))[0], 1);
      await jobs.plain('SubmitJob', { JobId: 1n });
      await Promise.all(waits);
    });
  });

  test('a server that stops ends the waits: there is nothing', async () => {
    const server = await startServer({ engine, kinds: [word2Protocol.kind] });
    const client = await server.connect(word2Protocol.kind.firstDatabase);
    const wait = client.batch(
      'declare @code int; exec @code = granary.WaitForWork @Milliseconds = 60000; select @code as code',
    );
    await until('a call waits', () => server.granary.waitingCalls === 1);
    const stopped = server.granary.stop();
    assert.deepEqual((await wait).sets, [[{ code: 1 }]]);
    await stopped;
    await server[Symbol.asyncDispose]();
  });
});
