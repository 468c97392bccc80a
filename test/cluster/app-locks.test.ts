import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { TYPES } from 'tedious';
import { translation } from '../../src/protocols/translation/kind.ts';
import type { TestClient } from '../support/client.ts';
import { startServer, type TestServer } from '../support/server.ts';

const lock = (client: TestClient, resource: string, owner: string, timeout = 0, mode = 'Exclusive') =>
  client
    .rpc('sp_getapplock', [
      { name: 'Resource', type: TYPES.NVarChar, value: resource },
      { name: 'LockMode', type: TYPES.VarChar, value: mode },
      { name: 'LockOwner', type: TYPES.VarChar, value: owner },
      { name: 'LockTimeout', type: TYPES.Int, value: timeout },
    ])
    .then(({ status }) => status);
const release = (client: TestClient, resource: string) =>
  client
    .rpc('sp_releaseapplock', [
      { name: 'Resource', type: TYPES.NVarChar, value: resource },
      { name: 'LockOwner', type: TYPES.VarChar, value: 'Session' },
    ])
    .then(({ status }) => status);

describe('sp_getapplock on two nodes with one PostgreSQL', () => {
  let one: TestServer;
  let two: TestServer;
  const here = () => one.connect(translation.firstDatabase);
  const there = () => two.connect(translation.firstDatabase);

  before(async () => {
    one = await startServer({ engine: 'postgres', kinds: [translation] });
    two = await startServer({ kinds: [translation], settings: { engine: one.granary.settings.engine } });
  });
  after(async () => {
    await two?.[Symbol.asyncDispose]();
    await one?.[Symbol.asyncDispose]();
  });

  test('sp_getapplock: a session of one node keeps those of the other out until it releases', async () => {
    const [first, second] = [await here(), await there()];
    assert.equal(await lock(first, 'nightly', 'Session'), 0);
    assert.equal(await lock(second, 'nightly', 'Session'), -1);
    assert.equal(await lock(second, 'other', 'Session'), 0);
    assert.equal(await release(first, 'nightly'), 0);
    assert.equal(await lock(second, 'nightly', 'Session'), 0);
    assert.equal(await release(second, 'nightly'), 0);
  });

  test('sp_getapplock: who waits for the other node gets the lock when it is free', async () => {
    const [first, second, third] = [await here(), await there(), await there()];
    assert.equal(await lock(first, 'awaited', 'Session'), 0);
    const waiting = lock(second, 'awaited', 'Session', -1);
    assert.equal(await lock(third, 'awaited', 'Session'), -1);
    assert.equal(await lock(third, 'unrelated', 'Session'), 0);
    const shown = async () => {
      const { sets } = await third.batch(`
        select request_status as status from sys.dm_tran_locks
        where resource_description like '%awaited%' or resource_description like '%unrelated%'
        order by resource_description`);
      return sets[0]?.map(({ status }) => status);
    };
    assert.deepEqual(await shown(), ['WAIT', 'GRANT'], 'who waits for another node has nothing yet');
    await release(first, 'awaited');
    assert.ok(((await waiting) ?? -1) >= 0);
    assert.deepEqual(await shown(), ['GRANT', 'GRANT']);
  });

  test('sp_getapplock: a lock of a transaction is free on the other node when its end is answered', async () => {
    const [first, second] = [await here(), await there()];
    for (const end of ['commit', 'rollback']) {
      await first.batch('begin transaction');
      assert.equal(await lock(first, 'batch', 'Transaction'), 0);
      assert.equal(await lock(second, 'batch', 'Session'), -1);
      await first.batch(`${end} transaction`);
      assert.equal(await lock(second, 'batch', 'Session'), 0);
      await release(second, 'batch');
    }
  });

  test('sp_getapplock: a lock of a session ends when its client goes', async () => {
    const [first, second] = [await here(), await there()];
    assert.equal(await lock(first, 'gone', 'Session'), 0);
    const waiting = lock(second, 'gone', 'Session', -1);
    await first[Symbol.asyncDispose]();
    assert.ok(((await waiting) ?? -1) >= 0);
  });

  test('sp_getapplock: modes that go together are held together on two nodes, and others are not', async () => {
    const [first, second] = [await here(), await there()];
    for (const [held, wanted, status] of [
      ['Shared', 'Shared', 0],
      ['Shared', 'Update', 0],
      ['Update', 'Update', -1],
      ['IntentExclusive', 'IntentExclusive', 0],
      ['IntentExclusive', 'Shared', -1],
      ['IntentShared', 'Exclusive', -1],
    ] as const) {
      const resource = `${held} ${wanted}`;
      assert.equal(await lock(first, resource, 'Session', 0, held), 0);
      assert.equal(await lock(second, resource, 'Session', 0, wanted), status, resource);
    }
  });

  /** Lets each client go when its wait has ended, and tells how each ended. */
  const endings = (waits: readonly (readonly [TestClient, string])[]) =>
    Promise.all(
      waits.map(async ([client, resource]) => {
        const status = await lock(client, resource, 'Session', -1);
        await client[Symbol.asyncDispose]();
        return status;
      }),
    );

  describe('a circle of waits over two nodes', { concurrency: true }, () => {
    test('sp_getapplock: of two sessions on two nodes that wait for each other one has -3, and then the other its lock', async () => {
      const [first, second] = [await here(), await there()];
      assert.equal(await lock(first, 'left', 'Session', 0, 'Shared'), 0);
      assert.equal(await lock(second, 'right', 'Session'), 0);
      const ends = await endings([
        [first, 'right'],
        [second, 'left'],
      ]);
      assert.deepEqual(ends.toSorted(), [-3, 1]);
    });

    test('sp_getapplock: a circle through two sessions of one node is found too, and who waits beside it waits on', async () => {
      const [first, behind, second, outside] = [await here(), await here(), await there(), await there()];
      assert.equal(await lock(first, 'a', 'Session'), 0);
      assert.equal(await lock(behind, 'b', 'Session'), 0);
      assert.equal(await lock(second, 'c', 'Session'), 0);
      const ends = await endings([
        [outside, 'a'],
        [behind, 'a'],
        [first, 'c'],
        [second, 'b'],
      ]);
      assert.deepEqual(ends.slice(0, 2), [1, 1]);
      assert.deepEqual(ends.slice(2).toSorted(), [-3, 1]);
    });

    test('sp_getapplock: two nodes that both want more than the Shared that both have do not wait for ever', async () => {
      const [first, second] = [await here(), await there()];
      assert.equal(await lock(first, 'more', 'Session', 0, 'Shared'), 0);
      assert.equal(await lock(second, 'more', 'Session', 0, 'Shared'), 0);
      const ends = await endings([
        [first, 'more'],
        [second, 'more'],
      ]);
      assert.deepEqual(ends.toSorted(), [-3, 1]);
    });
  });

  test('a session whose lock was lost with the connection to PostgreSQL is cut off, and the other node has the lock', async () => {
    const [first, second] = [await here(), await there()];
    const client = new pg.Client({ connectionString: one.granary.settings.engine });
    await client.connect();
    const counts = async () => {
      const { rows } = await client.query<{ pid: number; n: number }>(
        `select pid, count(*)::int as n from pg_locks where locktype = 'advisory'
           and database = (select oid from pg_database where datname = current_database()) group by pid`,
      );
      return new Map(rows.map(({ pid, n }) => [pid, n]));
    };
    const before = await counts();
    assert.equal(await lock(first, 'lost', 'Session'), 0);
    const [holder] = [...(await counts())].find(([pid, n]) => n > (before.get(pid) ?? 0)) ?? [];
    const waiting = lock(second, 'lost', 'Session', -1);
    // Awaited from the start: it may be cut off before anything else here is answered.
    const cutOff = assert.rejects(first.batch("waitfor delay '00:10:00'"), /socket hang up|Connection lost|ECONNRESET/);
    await client.query('select pg_terminate_backend($1)', [holder]);
    await client.end();
    await cutOff;
    assert.ok(((await waiting) ?? -1) >= 0);
  });
});
