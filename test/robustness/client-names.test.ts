import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SqlError } from '../../src/base/messages/sql-error.ts';
import { functions } from '../../src/tsql/functions/functions.ts';
import { batch } from '../support/recorder.ts';
import { openSession } from '../support/session.ts';

/** Names that every object of JavaScript has. */
const inherited = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'length', 'name'];

/** Where a statement looks a name up; X stands for the name. */
const places = [
  'exec X',
  "exec sp_executesql N'select 1', N'@X int', @X = 1",
  'exec sp_executesql @X = 1',
  'select X()',
  'select dbo.X(1)',
  'select X',
  'select X.X.X.X from X',
  'select * from X',
  'select * from sys.X',
  'select * from sys.X()',
  'select * from X..X',
  'select @X',
  'select @@X',
  'declare @v X',
  'declare @v X(1)',
  'select cast(1 as X)',
  'select convert(X, 1, 1)',
  "select 'a' collate X",
  'set X on',
  'set X 1',
  'set transaction isolation level X',
  'set deadlock_priority X',
  'set language X',
  'set dateformat X',
  'set identity_insert X on',
  'select datepart(X, getdate())',
  'select dateadd(X, 1, getdate())',
  'select datediff(X, getdate(), getdate())',
  'select 1 as a for xml X',
  "select 1 as [X] for xml path('X')",
  "select 1 as [X/X] for xml path('')",
  "select 1 as [@X] for xml path('X')",
  'select 1 as X for json path',
  'select 1 as [X.X], 2 as [X.Y] for json path',
  'select 1 as X into #X; select X from #X; drop table #X',
  'create table #X (X int constraint X primary key); insert #X (X) values (1); update #X set X = 2; drop table #X',
  'select count(*) X from (values (1)) v (X) group by X order by X',
  'with X as (select 1 X) select X from X',
  'declare X cursor for select 1; open X; fetch X; close X; deallocate X',
  'dbcc X',
  'use X',
  'drop table X',
  'alter table #t X',
  'select 1 option (X)',
  'select * from #t with (X)',
  'begin tran X; save tran X; rollback tran X; rollback',
  'goto X',
  'X: print 1',
  'raiserror(50000, 1, 1) with X',
  "exec sp_set_session_context N'X', 1; select session_context(N'X')",
  "raiserror('X', 16, 1)",
];

describe('a name that every object inherits is a name like any other', () => {
  for (const name of inherited) {
    test(name, async () => {
      const host = await openSession();
      const calls = Object.entries(functions).flatMap(([each, { min, max }]) =>
        [min, Math.min(max, 3)].map(
          (count) => `select ${each}(${Array.from({ length: count }, () => "N'X'").join(', ')})`,
        ),
      );
      for (const place of [...places, ...calls]) {
        const text = place.replaceAll('X', name);
        await assert.doesNotReject(
          batch(host, text).catch((error) => {
            if (!(error instanceof SqlError)) throw error;
          }),
          text,
        );
      }
    });
  }

  test('SERVERPROPERTY, COLLATIONPROPERTY and their kin answer NULL for it', async () => {
    const host = await openSession();
    const { sets } = await batch(
      host,
      `select serverproperty('constructor'), connectionproperty('__proto__'), sessionproperty('toString'),
        collationproperty('Latin1_General_BIN', 'valueOf'), databasepropertyex('master', 'hasOwnProperty'),
        hashbytes('constructor', 'a'), sql_variant_property(1, 'constructor'), is_member('constructor')`,
    );
    assert.deepEqual(sets[0]?.rows, [Array.from({ length: 8 }, () => null)]);
  });
});

describe("SQL Server's limits", () => {
  const number = async (text: string) => (await batch(await openSession(), text)).errors[0]?.number;
  const list = (count: number, make: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => make(at)).join(',');

  test('a SELECT of more than 4,096 columns is 1056', async () => {
    assert.equal(await number(`select ${list(4096, String)}`), undefined);
    assert.equal(await number(`select ${list(4097, String)}`), 1056);
    const wide = `create table #t (${list(1000, (at) => `c${at} int`)})`;
    assert.equal(await number(`${wide} select a.*, b.*, c.*, d.*, e.* from #t a, #t b, #t c, #t d, #t e`), 1056);
  });

  test('a table of more than 1,024 columns is 1702', async () => {
    assert.equal(await number(`create table #t (${list(1024, (at) => `c${at} int`)})`), undefined);
    assert.equal(await number(`create table #t (${list(1025, (at) => `c${at} int`)})`), 1702);
    assert.equal(await number(`declare @t table (${list(1025, (at) => `c${at} int`)})`), 1702);
  });

  test('a FROM of more than 256 tables is 106', async () => {
    assert.equal(await number(`select 1 from ${list(257, (at) => `(values (1)) t${at} (a)`)}`), 106);
  });

  test('a name of more than 128 characters is 103', async () => {
    const long = 'a'.repeat(129);
    for (const text of [`select ${long}`, `select [${long}]`, `declare @${long} int`, `create table #${long} (a int)`])
      assert.equal(await number(text), 103, text.slice(0, 20));
    assert.equal(await number(`select 1 as ${'a'.repeat(128)}`), undefined);
  });

  test('procedures nest 32 levels deep: 217', async () => {
    const host = await openSession();
    await batch(host, 'create procedure #p as exec #p');
    assert.equal((await batch(host, 'exec #p')).errors[0]?.number, 217);
  });

  test('a common table expression that doubles at every level is refused before it takes long: 8623', async () => {
    const levels = (count: number) =>
      `with c0 as (select 1 n)${Array.from({ length: count }, (_, at) => `, c${at + 1} as (select a.n from c${at} a join c${at} b on a.n = b.n)`).join('')} select count(*) from c${count}`;
    assert.equal(await number(levels(6)), undefined);
    const started = performance.now();
    for (const count of [16, 20, 30]) assert.equal(await number(levels(count)), 8623);
    assert.ok(performance.now() - started < 60_000);
  });

  test('a subquery in the equality of a comma join at every level is refused before it takes long: 8623', async () => {
    const nested = (depth: number): string =>
      depth === 0
        ? '1'
        : `(select max(a.n) from (values (1)) a (n), (values (1)) b (n) where a.n = b.n and a.n = ${nested(depth - 1)})`;
    assert.equal(await number(`select ${nested(5)}`), undefined);
    const started = performance.now();
    const found = await number(`select ${nested(40)}`);
    assert.ok(found === 8623 || found === undefined, `${found}`);
    assert.ok(performance.now() - started < 60_000);
  });
});
