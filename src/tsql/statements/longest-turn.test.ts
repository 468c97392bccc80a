import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { longestUsualTurn } from '../../../test/support/longest-turn.ts';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';

// Alone in its process: it measures how long others wait for the event loop.

/** Milliseconds that everybody else may have to wait for one statement. */
const bound = 50;

describe('no statement that changes many rows keeps others waiting for more than 50 ms', () => {
  test('changes of 400000 rows, and of rows that refer to those that are deleted', async () => {
    const host = await openSession();
    await host.use('tempdb');
    const filled = (table: string, from: string) => `insert ${table} select ${from}`;
    const numbers = (count: number) =>
      `ordinal from string_split(replicate(cast(N'a,' as nvarchar(max)), ${count}), N',', 1)`;
    const texts = [
      ['create table #t (a int)', filled('#t', numbers(400_000)), 'update #t set a += 1'],
      ['create table #t (a int)', filled('#t', numbers(400_000)), 'delete #t'],
      [
        'create table fields (id int primary key)',
        `create table crops (field int default 20000 references fields on delete set default)
         ${filled('fields', numbers(20_000))} ${filled('crops', 'id from fields')}`,
        'delete fields where id < 2000',
      ],
      [
        'create table #t (a int)',
        '',
        `merge #t using (select ${numbers(100_000)}) s on 1 = 0 when not matched then insert values (ordinal);`,
      ],
      [
        'create table #t (a int)',
        filled('#t', numbers(2000)),
        `merge #t using (values (1)) s (a) on #t.a > 0
           ${Array.from({ length: 1500 }, (_, at) => `when matched and #t.a = -${at} then delete`).join(' ')}
           when matched then update set a += 1;`,
      ],
    ];
    for (const [make = '', fill = '', change = ''] of texts) {
      const turn = await longestUsualTurn(async () => {
        assert.deepEqual((await batch(host, `${make} ${fill}`)).errors, []);
        const { errors, dones } = await batch(host, `${change} drop table if exists #t, crops, fields`);
        assert.deepEqual(errors, []);
        assert.ok((dones[0]?.count ?? 0) >= 1999);
      }, bound);
      assert.ok(turn <= bound, `${change}: ${turn} ms`);
    }
  });
  test('foreign keys of 60000 rows are checked in turns, and rows follow them in turns', async () => {
    const count = 60_000;
    const rows = `select ordinal from string_split(replicate(cast(N'a,' as nvarchar(max)), ${count - 1}), N',', 1)`;
    const changes: readonly (readonly [action: string, change: string])[] = [
      ['', 'insert crops select id from fields'],
      ['', 'update crops set field = 1'],
      ['', 'alter table crops add foreign key (field) references fields'],
      ['', 'merge crops using fields on field = id when matched then update set field = id;'],
      ['on delete cascade', 'delete fields'],
      ['on delete set null', 'delete fields'],
      ['on delete set default', 'delete fields where id > 1'],
      ['on update cascade', 'update fields set id += 1'],
      ['on update set default', 'update fields set id += 1000000 where id > 1'],
    ];
    for (const [action, change] of changes) {
      const host = await openSession();
      const filled = `use tempdb create table fields (id int primary key) insert fields ${rows}
        create table crops (field int default 1 references fields ${action}) insert crops ${rows}`;
      assert.deepEqual((await batch(host, filled)).errors, []);
      const turn = await longestUsualTurn(async () => {
        assert.deepEqual((await batch(host, 'begin tran')).errors, []);
        const { errors } = await batch(host, change);
        assert.deepEqual(errors, []);
        await batch(host, 'rollback');
      }, bound);
      assert.ok(turn <= bound, `${change} ${action}: ${turn} ms`);
      await host.close();
    }
  });
  test('changes of 60000 rows through a common table expression or view', async () => {
    const host = await openSession();
    const filled = `use tempdb create table hay (a int, b int) insert hay
      select ordinal, ordinal % 100 from string_split(replicate(cast(N'a,' as nvarchar(max)), 59999), N',', 1)`;
    assert.deepEqual((await batch(host, filled)).errors, []);
    assert.deepEqual((await batch(host, 'create view stack as select a, b from hay where b > 0')).errors, []);
    assert.deepEqual((await batch(host, 'create view barn as select a from stack where a > 9')).errors, []);
    const checked = 'create view crib as select a, b from hay where a < 500000 with check option';
    assert.deepEqual((await batch(host, checked)).errors, []);
    const changes = [
      'insert crib select a + 100000, b from hay',
      'update crib set a += b',
      'with c as (select a, b from hay), d as (select * from c) update d set a += b output inserted.a, deleted.b',
      'with c as (select row_number() over (partition by b order by a desc) n from hay) delete c where n > 1',
      'with c as (select top 50000 a from hay order by b, a) delete c',
      'with c as (select h.a, i.b from hay h join hay i on h.a = i.a) update c set a = b',
      'with c as (select a from hay) merge c using hay s on c.a = s.a when matched then update set a += 1;',
      'update d set a = 1 from (select a from hay) d',
      'update barn set a = 5',
      'delete barn',
    ];
    for (const change of changes) {
      const turn = await longestUsualTurn(async () => {
        assert.deepEqual((await batch(host, 'begin tran')).errors, []);
        const { errors } = await batch(host, change);
        assert.deepEqual(errors, []);
        await batch(host, 'rollback');
      }, bound);
      assert.ok(turn <= bound, `${change}: ${turn} ms`);
    }
  });
  test('a column of a table that 1200 long views are bound to is altered without reading them again', async () => {
    const host = await openSession();
    await batch(host, 'use tempdb create table mill (a int, b int)');
    const columns = Array.from({ length: 400 }, (_, at) => `a + ${at} c${at}`).join();
    for (let at = 0; at < 1200; at++) {
      const text = `create view sack${at} with schemabinding as select ${columns} from dbo.mill`;
      assert.deepEqual((await batch(host, text)).errors, []);
    }
    const turn = await longestUsualTurn(async () => {
      assert.deepEqual((await batch(host, 'alter table mill alter column b bigint')).errors, []);
      assert.deepEqual((await batch(host, "exec sp_rename 'mill.b', 'c', 'COLUMN'")).errors, []);
      assert.deepEqual((await batch(host, "exec sp_rename 'mill.c', 'b', 'COLUMN'")).errors, []);
    }, bound);
    assert.ok(turn <= bound, `${turn} ms`);
  });
});
