import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';
import type { SessionHost } from '../../session/session-host.ts';

/** A session in tempdb with people, their pets, and a temporary table. */
async function town(): Promise<SessionHost> {
  const host = await openSession();
  await host.use('tempdb');
  const { errors } = await batch(
    host,
    `create table people (id int identity primary key, name nvarchar(20) constraint one_name unique, age int check (age > 0), twice as age * 2)
     create table pets (owner int references people, kind varchar(9)) create index by_kind on pets (kind)
     insert people (name, age) values (N'a', 3)
     create table #t (a int primary key, b int) insert #t values (1, 2)`,
  );
  assert.deepEqual(errors, []);
  return host;
}

const renamed: readonly [text: string, seen: string, rows: readonly (readonly unknown[])[]][] = [
  ["exec sp_rename '#t.b', 'c', 'COLUMN'", 'select a, c from #t', [[1, 2]]],
  ["exec tempdb..sp_rename N'tempdb..#t.[b]', N'the c'", 'select [the c] from #t', [[2]]],
  ["exec sp_rename 'people.name', 'called', 'column'", 'select called, twice from people', [['a', 6]]],
  ["exec sp_rename 'dbo.pets', 'animals'", 'select count(*) from dbo.animals', [[0]]],
  [
    "exec sp_rename 'pets.by_kind', 'by_species', 'INDEX'",
    "select name from sys.indexes where object_id = object_id('pets') and name is not null",
    [['by_species']],
  ],
  [
    "exec sp_rename 'one_name', 'u', 'OBJECT'",
    "select name from sys.key_constraints where name in ('u', 'one_name')",
    [['u']],
  ],
  [
    `exec sp_rename 'people', 'persons' insert pets values (1, 'cat')
       begin try delete persons end try begin catch print error_number() end catch`,
    'select (select count(*) from persons), count(*) from pets',
    [[1, 1]],
  ],
  [
    "exec sp_rename 'people.id', 'number', 'column'",
    `select col_name(referenced_object_id, referenced_column_id), object_name(referenced_object_id)
       from sys.foreign_key_columns where parent_object_id = object_id('pets')`,
    [['number', 'people']],
  ],
  ["begin tran exec sp_rename 'pets', 'animals' rollback", 'select count(*) from pets', [[0]]],
];

const refused: readonly [text: string, number: number][] = [
  ["exec sp_rename 'pets.nothing', 'x', 'COLUMN'", 15248],
  ["exec sp_rename 'nothing', 'x'", 15225],
  ["exec sp_rename 'pets', 'x', 'TABEL'", 15249],
  ["exec sp_rename 'pets', 'people'", 15335],
  ["exec sp_rename 'pets.kind', 'owner', 'COLUMN'", 15335],
  ["exec sp_rename 'people.age', 'years', 'COLUMN'", 15336],
  ["exec sp_rename '#t', '#u'", 15600],
  ["exec sp_rename 'pets', ''", 15600],
];

describe('sp_rename', () => {
  for (const [text, seen, rows] of renamed) {
    test(`${text}: what it names has another name, and its rows`, async () => {
      const host = await town();
      const { errors, events } = await batch(host, text);
      assert.deepEqual(errors, []);
      assert.ok(events.includes('info 15477'));
      assert.deepEqual((await batch(host, seen)).sets[0]?.rows, rows);
    });
  }

  for (const [text, number] of refused) {
    test(`${text} is ${number}, and nothing has changed`, async () => {
      const host = await town();
      assert.deepEqual(
        (await batch(host, text)).errors.map((error) => error.number),
        [number],
      );
      const { errors } = await batch(
        host,
        'select name, age from people select owner, kind from pets select a, b from #t',
      );
      assert.deepEqual(errors, []);
    });
  }
});
