import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch, Recorder } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';
import type { SessionHost } from '../../session/session-host.ts';
import { int, nvarchar } from '../../tds/types/index.ts';
import { bulkInsert } from '../bulk-insert.ts';

const table =
  "create table #t (id int identity(1,1) primary key, name nvarchar(5) not null default N'x', n int null check (n >= 0), twice as n * 2)";

async function hostWithTable(): Promise<SessionHost> {
  const host = await openSession();
  assert.deepEqual((await batch(host, table)).errors, []);
  return host;
}

const rowsOf = async (host: SessionHost): Promise<unknown[][] | undefined> =>
  (await batch(host, 'select * from #t')).sets[0]?.rows;

test('rows of a bulk load go into the table that INSERT BULK named', async () => {
  const host = await hostWithTable();
  await batch(host, 'insert bulk #t (n int, name nvarchar(5)) with (CHECK_CONSTRAINTS)');
  const columns = [
    { name: 'n', type: int, nullable: true },
    { name: 'name', type: nvarchar(5), nullable: true },
  ];
  const count = await bulkInsert(
    host,
    columns,
    [[[1, 'a']], [[2, null]]],
    new Recorder(),
    new AbortController().signal,
  );
  assert.equal(count, 2);
  assert.deepEqual(await rowsOf(host), [
    [1, 'a', 1, 2],
    [2, 'x', 2, 4],
  ]);
  await assert.rejects(bulkInsert(host, columns, [], new Recorder(), new AbortController().signal), { number: 4002 });
});

test('a bulk load that fails leaves no row, and keeps nobody from a table of tempdb', async () => {
  const host = await hostWithTable();
  await host.use('tempdb');
  await batch(
    host,
    'create table dbo.loaded (n int check (n > 0)) insert bulk dbo.loaded (n int) with (check_constraints)',
  );
  const columns = [{ name: 'n', type: int, nullable: true }];
  await assert.rejects(bulkInsert(host, columns, [[[1], [-1]]], new Recorder(), new AbortController().signal), {
    number: 547,
  });
  assert.equal(host.tempDb.keepsAny(host.identity.spid), false);
  assert.deepEqual((await batch(host, 'select * from dbo.loaded')).sets[0]?.rows, []);
});
