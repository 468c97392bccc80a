import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { TransactionAction } from '../../src/tds/message/transaction-request.ts';
import { bigint, int, nvarchar } from '../../src/tds/types/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import { startLab } from './support/lab-server.ts';
import { MarsClient, type MarsSession } from './support/mars-client.ts';
import { ServedLab } from './support/served-lab.ts';
import { call } from './support/streaming.ts';
import { changes, errors, only, rows } from './support/tokens.ts';
import { until } from './support/until.ts';

const begin: TransactionAction = { kind: 'begin', isolation: 'unchanged', name: '' };
const commit: TransactionAction = { kind: 'commit', name: '', thenBegin: undefined };
const rollback: TransactionAction = { kind: 'rollback', name: '', thenBegin: undefined };

const put = (id: bigint) => [
  {
    procedure: 'lab_Put',
    params: [
      { type: bigint, value: id },
      { type: nvarchar('max'), value: 'a note' },
    ],
  },
];

async function rpc(session: MarsSession, calls: ReturnType<typeof put>) {
  await session.sendRpc(calls);
  return session.tokens();
}

async function count(session: MarsSession): Promise<number> {
  await session.sendRpc([
    { procedure: 'lab_Count', params: [{ name: '@Total', type: int, value: null, byRef: true }] },
  ]);
  return Number(only(await session.tokens(), 'returnValue')[0]?.value);
}

const many = 10_000;

const value = async (session: MarsSession, expression: string) =>
  rows(await session.batch(`select ${expression}`))[0]?.[0];

/** Begins to read rows and stops in the midst of them. */
async function stall(session: MarsSession, rowCount = many): Promise<void> {
  session.acknowledges = false;
  const before = session.received;
  await session.sendRpc(call('lab_Select', rowCount));
  await until('rows have come', () => session.received > before + 1);
  await delay(20);
}

async function readOn(session: MarsSession): Promise<number> {
  session.acknowledges = true;
  session.acknowledge();
  return rows(await session.tokens()).length;
}

forEachEngine((engine) => {
  test('MARS: two readers open at once, and writes between their rows', async () => {
    await using server = await startLab({ engine });
    await using client = await MarsClient.login(server.port);
    const [first, second, third] = [client.open(0), client.open(1), client.open(2)];
    await stall(first);
    await stall(second);
    for (let id = 1n; id <= 5n; id++) assert.deepEqual(errors(await rpc(third, put(id))), []);
    assert.equal(await count(third), 5);
    assert.equal(await readOn(second), many);
    assert.equal(await readOn(first), many);
  });

  test('MARS: one transaction for all sessions, that others see when it is committed', async () => {
    await using server = await startLab({ engine });
    await using client = await MarsClient.login(server.port);
    await using other = await MarsClient.login(server.port);
    const [first, second, outside] = [client.open(0), client.open(1), other.open(0)];
    assert.deepEqual(changes(await first.manage(begin)), ['begin']);
    assert.deepEqual(errors(await rpc(first, put(1n))), []);
    assert.deepEqual(errors(await rpc(second, put(2n))), []);
    assert.equal(await count(second), 2);
    assert.equal(await count(outside), 0);
    assert.deepEqual(changes(await second.manage(commit)), ['commit']);
    assert.equal(await count(outside), 2);
    await first.manage(begin);
    await rpc(second, put(3n));
    assert.deepEqual(changes(await first.manage(rollback)), ['rollback']);
    assert.equal(await count(second), 2);
  });

  test('MARS: while another request reads no transaction begins (3988), is committed (3981) or saved (3983)', async () => {
    await using server = await startLab({ engine });
    await using client = await MarsClient.login(server.port);
    const [first, second] = [client.open(0), client.open(1)];
    await stall(first);
    assert.deepEqual(errors(await second.manage(begin)), [3988]);
    assert.deepEqual(errors(await second.batch('begin transaction')), [3988]);
    await readOn(first);
    await second.manage(begin);
    await rpc(second, put(1n));
    await stall(first);
    assert.deepEqual(errors(await second.manage(commit)), [3981]);
    assert.deepEqual(errors(await second.batch('save transaction a')), [3983]);
    assert.equal(await readOn(first), many);
    assert.deepEqual(errors(await second.manage(commit)), []);
    assert.equal(await count(first), 1);
  });

  test('MARS: a transaction that is rolled back ends the requests that read in it with 3971', async () => {
    await using server = await startLab({ engine });
    await using client = await MarsClient.login(server.port);
    const [first, second] = [client.open(0), client.open(1)];
    await second.manage(begin);
    await rpc(second, put(1n));
    await stall(first);
    assert.deepEqual(errors(await second.manage(rollback)), []);
    first.acknowledges = true;
    first.acknowledge();
    assert.deepEqual(errors(await first.tokens()), [3971]);
    assert.equal(await count(first), 0);
  });
});

forEngineOfRun((engine) => {
  test('MARS: sessions share login, @@SPID, temporary tables and settings', async () => {
    await using server = await startLab({ engine });
    await using client = await MarsClient.login(server.port);
    const [first, second] = [client.open(0), client.open(1)];
    await first.batch('create table #t (n int) insert #t values (1) set datefirst 3 use master set lock_timeout 77');
    assert.deepEqual(rows(await second.batch('select n, @@datefirst, db_name(), @@lock_timeout from #t')), [
      [1, 3, 'master', 77],
    ]);
    assert.equal(await value(first, '@@spid'), await value(second, '@@spid'));
    assert.equal(await value(client.open(2), '@@datefirst'), 3);
  });

  test('MARS: a request keeps its own settings and database while others run between its rows', async () => {
    await using server = await startLab({ engine });
    await using client = await MarsClient.login(server.port);
    const [first, second] = [client.open(0), client.open(1)];
    first.acknowledges = false;
    await first.sendBatch(
      'set datefirst 2 use master select top 5000 a.name, b.text from sys.columns a cross join sys.messages b select @@datefirst, db_name()',
    );
    await until('rows have come', () => first.received === 4);
    assert.deepEqual(rows(await second.batch('select @@datefirst, db_name()')), [[7, 'Lab']]);
    await second.batch('set datefirst 5');
    first.acknowledges = true;
    first.acknowledge();
    assert.deepEqual(rows(await first.tokens()).at(-1), [2, 'master']);
    assert.equal(await value(second, '@@datefirst'), 2, 'what the last request left');
  });

  test('MARS: a request of another transaction than the one that is open is 3989', async () => {
    await using server = await startLab({ engine });
    await using client = await MarsClient.login(server.port);
    const [first, second] = [client.open(0), client.open(1)];
    await first.manage(begin);
    await second.sendBatch('select 1', 0n);
    assert.deepEqual(errors(await second.tokens()), [3989]);
    assert.equal(await value(second, '1'), 1);
    await first.manage(rollback);
    await second.sendBatch('select 1', 99n);
    assert.deepEqual(errors(await second.tokens()), [3989]);
  });

  test('MARS: a transaction that a batch begins and does not end is rolled back with 3997', async () => {
    await using server = await startLab({ engine });
    await using client = await MarsClient.login(server.port);
    const session = client.open(0);
    const tokens = await session.batch('begin transaction select 1');
    assert.deepEqual(errors(tokens), [3997]);
    assert.deepEqual(changes(tokens), ['begin', 'rollback']);
    assert.deepEqual(errors(await session.batch('begin transaction select 1 commit')), []);
    assert.equal(await value(session, '@@trancount'), 0);
    await session.manage(begin);
    assert.deepEqual(errors(await session.batch('begin transaction select 1')), []);
    assert.equal(await value(session, '@@trancount'), 2);
  });

  test('MARS: a reader that stalls keeps no other session of its connection waiting, and no other connection', async () => {
    // Who waited for it would wait longer than a test may take.
    await using server = await startLab({ engine, settings: { sendTimeout: 3_600_000 } });
    await using client = await MarsClient.login(server.port);
    await using other = await MarsClient.login(server.port);
    const [beside, outside] = [client.open(1), other.open(0)];
    await stall(client.open(0));
    for (let id = 1n; id <= 20n; id++) {
      await rpc(beside, put(id));
      await count(outside);
    }
    assert.equal(await count(outside), 20);
  });

  test('MARS: a connection of which a session does not read for the set time is cut off', async () => {
    await using server = await startLab({ engine, settings: { sendTimeout: 300 } });
    await using client = await MarsClient.login(server.port);
    await using other = await MarsClient.login(server.port);
    const session = client.open(0);
    session.acknowledges = false;
    await session.sendRpc(call('lab_Select', many));
    await until('who does not read is cut off', () => client.isClosed);
    assert.equal(await count(other.open(0)), 0);
  });

  test('MARS over TLS: sessions run inside of it', async () => {
    await using lab = await ServedLab.start(engine);
    await using client = await lab.connectMars();
    const [first, second] = [client.open(0), client.open(1)];
    await stall(first);
    assert.equal(await value(second, '2'), 2);
    assert.equal(await readOn(first), many);
  });
});
