import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { writeBulkLoad } from '../../src/tds/message/bulk-load.ts';
import { packetize, packetTypes } from '../../src/tds/packet/index.ts';
import { bigint, int, nvarchar } from '../../src/tds/types/index.ts';
import { modern } from '../../src/tds/version.ts';
import { forEachEngine } from '../support/engines.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import type { TestServer } from '../support/server.ts';
import { startLab } from './support/lab-server.ts';
import { loginAs, makeLogin } from './support/logins.ts';
import { RawClient, written } from './support/raw-client.ts';
import { changes, errors, only, rows } from './support/tokens.ts';
import { until } from './support/until.ts';

/** Keeps a note, and tells the numbers of the errors. */
const put = async (client: RawClient, id: number): Promise<number[]> =>
  errors(
    await client.rpc('lab_Put', [
      { type: bigint, value: BigInt(id) },
      { type: nvarchar('max'), value: 'x' },
    ]),
  );

async function spidOf(client: RawClient): Promise<unknown> {
  return rows(await client.batch('select @@spid'))[0]?.[0];
}

/** Keeps notes, with pauses, until a request is refused; it may be in the midst of either. */
async function busyUntilRefused(client: RawClient, firstId: number): Promise<number[]> {
  let numbers: number[] = [];
  let id = firstId;
  await until('a request is refused', async () => {
    numbers = await put(client, id++);
    if (numbers.length === 0) numbers = errors(await client.batch("waitfor delay '0:00:00.050'"));
    return numbers.length > 0;
  });
  return numbers;
}

/** Resolves when another session sees that one has no transaction any more. */
async function rolledBack(server: TestServer, spid: unknown): Promise<void> {
  await using viewer = await RawClient.login(server.port);
  const text = `select open_transaction_count from sys.dm_exec_sessions where session_id = ${spid}`;
  await until('it is rolled back', async () => rows(await viewer.batch(text))[0]?.[0] === 0);
}

forEachEngine((engine) => {
  test('a transaction that has written and is idle for the set time is rolled back, and its client told why', async () => {
    await using server = await startLab({ engine, settings: { idleTransactionTimeout: 1000 } });
    await using idle = await RawClient.login(server.port);
    await using other = await RawClient.login(server.port);
    await idle.batch('begin transaction');
    assert.deepEqual(await put(idle, 1), []);
    assert.deepEqual(await put(other, 1), [], 'the same key, so that it has to wait');
    const told = await idle.batch('commit');
    assert.deepEqual(errors(told), [50000]);
    assert.match(
      only(told, 'error')[0]?.text ?? '',
      /rolled back, because it had written and then nothing came for 1 s/,
    );
    assert.deepEqual(changes(told), ['rollback']);
    assert.deepEqual(rows(await idle.batch('select @@trancount')), [[0]]);
    assert.deepEqual(await put(idle, 2), []);
  });

  test('a transaction that keeps a snapshot and is idle for the set time is rolled back, and its client told why', async () => {
    await using server = await startLab({ engine, settings: { idleTransactionTimeout: 500 } });
    await using idle = await RawClient.login(server.port);
    const spid = await spidOf(idle);
    await idle.batch('set transaction isolation level snapshot begin transaction');
    assert.deepEqual(errors(await idle.batch('declare @n int exec lab_Count @n output')), []);
    await rolledBack(server, spid);
    const told = await idle.batch('select @@trancount');
    assert.deepEqual(errors(told), [50000]);
    assert.match(only(told, 'error')[0]?.text ?? '', /rolled back, because it kept a snapshot and then nothing came/);
    assert.deepEqual(changes(told), ['rollback']);
    assert.deepEqual(rows(await idle.batch('select @@trancount')), [[0]]);
  });

  test('a client that rolls back what was rolled back hears no complaint', async () => {
    await using server = await startLab({ engine, settings: { idleTransactionTimeout: 300 } });
    await using idle = await RawClient.login(server.port);
    const spid = await spidOf(idle);
    await idle.transaction({ kind: 'begin', isolation: 'unchanged', name: '' });
    assert.deepEqual(await put(idle, 1), []);
    await rolledBack(server, spid);
    const told = await idle.transaction({ kind: 'rollback', name: '', thenBegin: undefined });
    assert.deepEqual(errors(told), []);
    assert.deepEqual(changes(told), ['rollback']);
  });

  test('a transaction that lasts longer than the set time ends in error 3966, however busy it is', async () => {
    await using server = await startLab({ engine, settings: { transactionTimeout: 1000 } });
    await using busy = await RawClient.login(server.port);
    await using other = await RawClient.login(server.port);
    await busy.batch('begin transaction');
    assert.deepEqual(await busyUntilRefused(busy, 0), [3966]);
    assert.deepEqual(await put(other, 0), [], 'nothing of it was kept, and nobody waits for it');
    assert.deepEqual(rows(await busy.batch('select @@trancount')), [[0]]);
    const spid = await spidOf(busy);
    await until('it has written something in time', async () => {
      await busy.batch('begin transaction');
      return (await put(busy, 1)).length === 0;
    });
    await rolledBack(server, spid);
    const told = await busy.batch('commit');
    assert.deepEqual(
      [errors(told), changes(told)],
      [[3966], ['rollback']],
      'an idle one is told with the next request',
    );
  });

  test('a busy transaction that others wait for ends in error 3966 after the set time, and they go on', async () => {
    await using server = await startLab({ engine, settings: { blockingTimeout: 1000 } });
    await using busy = await RawClient.login(server.port);
    await using other = await RawClient.login(server.port);
    await busy.batch('begin transaction');
    assert.deepEqual(await put(busy, 1), []);
    const waited = put(other, 1);
    assert.deepEqual(await busyUntilRefused(busy, 2), [3966]);
    assert.deepEqual(await waited, [], 'the same key: nothing of the transaction was kept');
    assert.deepEqual(rows(await busy.batch('select @@trancount')), [[0]]);
  });

  test('a busy transaction that keeps others from a table of tempdb ends in the same way, and one that waits itself does not', async () => {
    await using server = await startLab({ engine, settings: { blockingTimeout: 1000 } });
    await using sa = await RawClient.login(server.port, { database: 'tempdb' });
    await makeLogin(server.port, 'low');
    await using low = await loginAs(server.port, 'low', 'tempdb');
    await using waiting = await loginAs(server.port, 'low', 'tempdb');
    const tables = ['one', 'two'].map((name) => `create table ${name} (n int) insert ${name} values (1)`);
    assert.deepEqual(errors(await sa.batch(tables.join(' '))), []);
    assert.deepEqual(errors(await waiting.batch('begin transaction update two set n = 2')), []);
    const endless = low.batch('begin transaction update one set n = 3 while 1 = 1 set nocount on');
    await until('it has begun', async () => errors(await sa.batch('set lock_timeout 0 select * from one'))[0] === 1222);
    const waited = waiting.batch('update one set n += 1 commit');
    assert.deepEqual(errors(await sa.batch('set lock_timeout -1 update two set n += 1')), []);
    assert.deepEqual([errors(await endless), errors(await waited)], [[3966], []]);
    assert.deepEqual(rows(await sa.batch('select one.n, two.n from one, two')), [[2, 3]]);
    assert.deepEqual(rows(await low.batch('select @@trancount')), [[0]]);
  });

  test('who waits for whose transaction, and for how long, can be seen', async () => {
    await using server = await startLab({ engine });
    await using holder = await RawClient.login(server.port);
    await using waiter = await RawClient.login(server.port);
    await using viewer = await RawClient.login(server.port);
    const holding = await spidOf(holder);
    const waiting = await spidOf(waiter);
    await holder.batch('begin transaction');
    assert.deepEqual(await put(holder, 1), []);
    const waited = put(waiter, 1);
    const blocked = `select blocking_session_id, wait_type, wait_time, wait_resource from sys.dm_exec_requests
      where session_id = ${waiting}`;
    // Who waits on PostgreSQL tries again now and then, and is not seen to wait in between.
    await until('it is seen in sys.dm_exec_requests', async () => {
      const [request] = rows(await viewer.batch(blocked));
      const [by, type, time, resource] = request ?? [];
      return by === holding && type === 'LCK_M_X' && Number(time) >= 300 && resource === 'DATABASE: Lab';
    });
    await until('it is seen in sp_who', async () => {
      const who = rows(await viewer.batch(`exec sp_who '${waiting}'`))[0];
      return String(who?.[5]).trim() === String(holding);
    });
    const locks = 'select request_session_id, request_status from sys.dm_tran_locks order by request_status';
    await until('it is seen in sys.dm_tran_locks', async () => {
      const seen = rows(await viewer.batch(locks));
      return (
        JSON.stringify(seen) ===
        JSON.stringify([
          [holding, 'GRANT'],
          [waiting, 'WAIT'],
        ])
      );
    });
    await holder.batch('rollback');
    assert.deepEqual(await waited, []);
  });
});

/** Begins a bulk load and never ends it; a byte comes now and then. */
function trickle(client: RawClient): Disposable {
  const packet = (payload: Buffer) =>
    packetize(payload, { type: packetTypes.bulkLoad, packetSize: 4096, status: 0 }).fill(0, 1, 2);
  const columns = [{ name: 'id', type: int, nullable: false }];
  client.write(packet(written((out) => writeBulkLoad(out, columns, [[1]], modern)).subarray(0, -13)));
  const timer = setInterval(() => client.write(packet(Buffer.of(0xd1))), 50);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

forEngineOfRun((engine) => {
  for (const [what, announcement, settings] of [
    ['was refused', 'select 1', { idleTransactionTimeout: 500 }],
    ['goes on', 'create table #rows (id int) insert bulk #rows (id int)', { blockingTimeout: 500 }],
  ] as const) {
    test(`a bulk load that ${what} and trickles in keeps no transaction open for which others wait`, async () => {
      await using server = await startLab({ engine, settings });
      await using idle = await RawClient.login(server.port);
      await using other = await RawClient.login(server.port);
      await until('it announces its load in time', async () => {
        await idle.batch('begin transaction');
        assert.deepEqual(await put(idle, 1), []);
        return errors(await idle.batch(announcement)).length === 0;
      });
      using _load = trickle(idle);
      assert.deepEqual(await put(other, 1), [], 'the same key, so that it has to wait');
    });
  }

  test('a transaction that has written nothing, and one that goes on, may take their time', async () => {
    await using server = await startLab({ engine, settings: { idleTransactionTimeout: 2000 } });
    await using quiet = await RawClient.login(server.port);
    await using busy = await RawClient.login(server.port);
    await quiet.batch('begin transaction select 1');
    let isKept = false;
    while (!isKept) {
      await busy.batch('begin transaction');
      const asked = [performance.now()];
      for (let id = 0; id < 12; id++) {
        await put(busy, id);
        asked.push(performance.now());
        await delay(250);
      }
      const numbers = errors(await busy.batch('commit'));
      isKept = numbers.length === 0;
      asked.push(performance.now());
      // A machine that stood still for as long as nothing may come shows nothing.
      const longest = Math.max(...asked.map((moment, at) => moment - (asked[at - 1] ?? moment)));
      assert.ok(isKept || longest > 1500, `${numbers} after at most ${longest} ms`);
    }
    assert.deepEqual(rows(await quiet.batch('select @@trancount')), [[1]]);
    assert.deepEqual(errors(await quiet.batch('commit')), []);
  });
});

test('on SQLite a login with many transactions leaves others their turn after each of them', async () => {
  await using server = await startLab({ settings: { idleTransactionTimeout: 0, blockingTimeout: 0 } });
  await makeLogin(server.port, 'low', 'db_datawriter');
  await using sa = await RawClient.login(server.port);
  const [first, second] = [await loginAs(server.port, 'low'), await loginAs(server.port, 'low')];
  const blocked = async () =>
    rows(await sa.batch('select cast(sum(waiting_tasks_count) as int) from sys.dm_os_wait_stats'))[0]?.[0];
  for (const client of [first, second]) await client.batch('begin transaction');
  assert.deepEqual(await put(first, 1), []);
  const next = put(second, 2);
  await until('the second waits', async () => (await blocked()) === 1);
  await using other = await RawClient.login(server.port);
  const waiting = put(other, 3);
  await until('the other waits too', async () => (await blocked()) === 2);
  assert.deepEqual(errors(await first.batch('commit')), []);
  assert.deepEqual(await waiting, [], 'it came last, and the second never ends');
  assert.deepEqual(await next, []);
  for (const client of [first, second]) await client[Symbol.asyncDispose]();
});

test('on PostgreSQL an open transaction keeps waiting only those who want its rows', async () => {
  await using server = await startLab({ engine: 'postgres' });
  await using holder = await RawClient.login(server.port);
  await using blocked = await RawClient.login(server.port);
  await using other = await RawClient.login(server.port);
  await holder.batch('begin transaction');
  assert.deepEqual(await put(holder, 1), []);
  let isWaiting = true;
  const waited = put(blocked, 1).finally(() => {
    isWaiting = false;
  });
  for (let id = 10; id < 40; id++) assert.deepEqual(await put(other, id), []);
  assert.ok(isWaiting);
  assert.deepEqual(errors(await holder.batch('rollback')), []);
  assert.deepEqual(await waited, []);
});

test('a transaction that cannot be put in order with another is error 1205, and its client is out of it', async () => {
  await using server = await startLab({ engine: 'postgres' });
  await using first = await RawClient.login(server.port);
  await using second = await RawClient.login(server.port);
  const conflicting = async (client: RawClient, id: number) => {
    await client.batch('begin transaction');
    return put(client, id);
  };
  assert.deepEqual(await conflicting(first, 1), []);
  assert.deepEqual(await conflicting(second, 2), []);
  // Each wants the row of the other: PostgreSQL finds the circle and ends one of them.
  const [one, two] = await Promise.all([put(first, 2), put(second, 1)]);
  const victims = [one, two].filter((numbers) => numbers?.includes(1205));
  assert.equal(victims.length, 1, JSON.stringify([one, two]));
  const [victim, survivor] = one?.includes(1205) ? [first, second] : [second, first];
  assert.deepEqual(rows(await victim.batch('select @@trancount')), [[0]]);
  assert.deepEqual(rows(await survivor.batch('select @@trancount')), [[1]]);
  assert.deepEqual(errors(await survivor.batch('commit')), []);
  assert.deepEqual(await put(victim, 3), []);
});
