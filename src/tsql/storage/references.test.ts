import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';
import type { SessionHost } from '../../session/session-host.ts';

/** A session in tempdb with a table of fields and one of crops that grow on them. */
async function farm(more = ''): Promise<SessionHost> {
  const host = await openSession();
  await host.use('tempdb');
  const { errors } = await batch(
    host,
    `create table fields (id int primary key, name varchar(10) unique)
     create table crops (id int not null, field int null constraint on_field references fields ${more})
     insert fields values (1, 'north'), (2, 'south') insert crops values (10, 1), (11, 1), (12, 2), (13, null)`,
  );
  assert.deepEqual(errors, []);
  return host;
}

const numbers = async (host: SessionHost, text: string) => (await batch(host, text)).errors.map(({ number }) => number);
const crops = async (host: SessionHost) => (await batch(host, 'select * from crops order by id')).sets[0]?.rows;

describe('foreign keys', () => {
  test('a row refers to one that is there, or to none; what fails leaves nothing', async () => {
    const host = await farm();
    const { errors } = await batch(host, 'insert crops values (20, 2), (21, 3)');
    assert.equal(
      errors[0]?.message,
      'The INSERT statement conflicted with the FOREIGN KEY constraint "on_field". The conflict occurred in database "tempdb", table "dbo.fields", column \'id\'.',
    );
    assert.deepEqual(await numbers(host, 'update crops set field = 3 where id = 10'), [547]);
    assert.deepEqual(await numbers(host, 'update crops set field = 2 where id = 10'), []);
    assert.deepEqual(await crops(host), [
      [10, 2],
      [11, 1],
      [12, 2],
      [13, null],
    ]);
  });

  test('NOCHECK CONSTRAINT lets any row be, the catalog says so, and WITH CHECK finds what broke it', async () => {
    const host = await farm();
    const disabled = `select is_disabled from sys.foreign_keys where name = 'on_field'`;
    assert.deepEqual(
      await numbers(host, 'alter table crops nocheck constraint on_field insert crops values (20, 9)'),
      [],
    );
    assert.deepEqual((await batch(host, disabled)).sets[0]?.rows, [[true]]);
    assert.deepEqual(
      await numbers(host, 'delete fields where id = 2 alter table crops with check check constraint all'),
      [547],
    );
    assert.deepEqual(await numbers(host, 'drop table fields'), [3726]);
    assert.deepEqual(await numbers(host, 'alter table crops check constraint all insert crops values (21, 9)'), [547]);
    assert.deepEqual((await batch(host, disabled)).sets[0]?.rows, [[false]]);
  });

  test('what others refer to stays', async () => {
    const host = await farm();
    const { errors } = await batch(host, 'delete fields where id = 1');
    assert.match(String(errors[0]?.message), /REFERENCE constraint "on_field".*table "dbo\.crops", column 'field'/);
    assert.deepEqual(await numbers(host, 'update fields set id = 9 where id = 1'), [547]);
    assert.deepEqual(await numbers(host, "update fields set name = 'west' where id = 1"), []);
    assert.deepEqual(await numbers(host, 'truncate table fields'), [4712]);
    assert.deepEqual(await numbers(host, 'drop table fields'), [3726]);
    assert.deepEqual(await numbers(host, 'drop table crops drop table fields'), []);
  });

  test('SET DEFAULT lets rows refer to what the default of their column says: 547 when that is not there', async () => {
    const host = await farm('on delete set default on update set default default 2');
    assert.deepEqual(await numbers(host, 'delete fields where id = 1'), []);
    assert.deepEqual(await crops(host), [
      [10, 2],
      [11, 2],
      [12, 2],
      [13, null],
    ]);
    assert.deepEqual(await numbers(host, 'update fields set id = 9 where id = 2'), [547]);
    assert.deepEqual(await numbers(host, 'delete fields'), [547]);
  });

  test('ON DELETE and ON UPDATE let rows follow, or let go; a rollback takes all of it back', async () => {
    const follow = await farm('on delete cascade on update cascade');
    assert.deepEqual(await numbers(follow, 'delete fields where id = 1 update fields set id = 7 where id = 2'), []);
    assert.deepEqual(await crops(follow), [
      [12, 7],
      [13, null],
    ]);
    const undone = await farm('on delete cascade');
    await batch(undone, 'begin tran delete fields rollback');
    assert.equal((await crops(undone))?.length, 4);
    const letGo = await farm('on delete set null');
    await batch(letGo, 'delete fields');
    assert.deepEqual(
      (await crops(letGo))?.map(([, field]) => field),
      [null, null, null, null],
    );
  });

  test('what fails leaves the rows that followed as they were', async () => {
    const host = await farm();
    await batch(
      host,
      `create table soils (id int primary key) create table plots (id int primary key, soil int references soils)
       create table paths (plot int check (plot > 0) references plots on delete cascade on update cascade, up int unique)
       create table gates (path int references paths (up))
       insert soils values (1) insert plots values (1, 1), (2, 1) insert paths values (1, 1), (2, 2) insert gates values (2)`,
    );
    // The new soil is missing, which is known when the paths have followed.
    assert.deepEqual(await numbers(host, 'update plots set id += 10, soil = 9 where id = 1'), [547]);
    assert.deepEqual(
      await numbers(
        host,
        'merge plots using (values (1)) s (id) on plots.id = s.id when matched then update set id = 11, soil = 9;',
      ),
      [547],
    );
    // The path of the second plot has a gate.
    assert.deepEqual(await numbers(host, 'delete plots'), [547]);
    const { sets } = await batch(host, 'select id, soil from plots order by id select plot, up from paths order by up');
    assert.deepEqual(
      sets.map(({ rows }) => rows),
      [
        [
          [1, 1],
          [2, 1],
        ],
        [
          [1, 1],
          [2, 2],
        ],
      ],
    );
    assert.deepEqual(await numbers(host, 'delete gates delete plots where id = 2 update plots set id = 7'), []);
    assert.deepEqual((await batch(host, 'select plot from paths')).sets[0]?.rows, [[7]]);
  });

  test('rows follow through several tables', async () => {
    const host = await farm();
    await batch(
      host,
      `create table a (id int primary key)
       create table b (id int primary key references a on update cascade)
       create table c (id int references b on update cascade)
       insert a values (1), (2) insert b values (1) insert c values (1), (1)
       update a set id += 10`,
    );
    const { sets } = await batch(host, 'select id from b union all select id from c');
    assert.deepEqual(sets[0]?.rows, [[11], [11], [11]]);
  });

  test('a key that others refer to is not dropped: 3725, and 3723 for an index', async () => {
    const host = await farm();
    await batch(
      host,
      `create table a (id int constraint pk_a primary key, n int) create unique index i on a (n)
       create table b (id int constraint to_a references a, n int references a (n))`,
    );
    const [told] = (await batch(host, 'alter table a drop constraint pk_a')).errors;
    assert.deepEqual(
      [...(told?.before ?? []), told].map((error) => error?.message),
      [
        "The constraint 'pk_a' is being referenced by table 'b', foreign key constraint 'to_a'.",
        'Could not drop constraint. See previous errors.',
      ],
    );
    assert.deepEqual(await numbers(host, 'drop index i on a'), [3723]);
    assert.deepEqual(await numbers(host, 'drop table b drop index i on a alter table a drop constraint pk_a'), []);
  });

  test('a table may refer to itself', async () => {
    const host = await farm();
    await batch(host, 'create table parts (id int primary key, whole int references parts (id) on delete cascade)');
    assert.deepEqual(await numbers(host, 'insert parts values (1, null), (2, 1), (3, 2)'), []);
    assert.deepEqual(await numbers(host, 'insert parts values (4, 5)'), [547]);
    await batch(host, 'delete parts where id = 1');
    assert.deepEqual((await batch(host, 'select count(*) from parts')).sets[0]?.rows, [[0]]);
  });

  test('is added and dropped by ALTER TABLE, which checks what is there', async () => {
    const host = await farm();
    const add = 'alter table crops add constraint by_name foreign key (id) references fields (id)';
    assert.deepEqual(await numbers(host, add), [547]);
    await batch(host, 'delete crops');
    assert.deepEqual(await numbers(host, `${add} insert crops values (99, 1)`), [547]);
    assert.deepEqual(await numbers(host, 'alter table crops drop column field'), [5074]);
    assert.deepEqual(await numbers(host, 'alter table crops drop constraint by_name insert crops values (99, 1)'), []);
  });

  const mistakes: readonly [constraint: string, numbers: readonly number[]][] = [
    ['foreign key (a) references nowhere', [1750]],
    ['foreign key (b) references fields', [1750]],
    ['foreign key (a) references fields (id, name)', [1750]],
    ['foreign key (a) references crops (id)', [1750]],
  ];
  for (const [constraint, told] of mistakes) {
    test(`${constraint} is refused`, async () => {
      assert.deepEqual(await numbers(await farm(), `create table t (a int, ${constraint})`), told);
    });
  }

  test('is left out of a temporary table, and the client told so', async () => {
    const host = await farm();
    const { messages, errors } = await batch(
      host,
      'create table #t (a int constraint none references fields) insert #t values (99)',
    );
    assert.deepEqual(errors, []);
    assert.deepEqual(
      messages.map(({ number }) => number),
      [1766],
    );
  });

  test('a key refers to a table of another schema, of the same name too and however the schema is spelt', async () => {
    const host = await farm();
    assert.deepEqual(await numbers(host, 'create schema Barn'), []);
    assert.deepEqual(
      await numbers(
        host,
        `create table barn.fields (id int primary key constraint on_outer references dbo.fields)
         create table BARN.crops (field int constraint on_inner references BARN.FIELDS)`,
      ),
      [],
    );
    assert.deepEqual(await numbers(host, 'insert barn.fields values (1) insert barn.crops values (1)'), []);
    assert.deepEqual(await numbers(host, 'insert barn.fields values (9)'), [547]);
    assert.deepEqual(await numbers(host, 'delete dbo.fields where id = 2 delete barn.fields'), [547, 547]);
    const { sets } = await batch(
      host,
      `select object_name(constraint_object_id), object_schema_name(referenced_object_id), referenced_column_id
       from sys.foreign_key_columns where constraint_object_id in (object_id('barn.on_outer'), object_id('barn.on_inner'))
       order by 1`,
    );
    assert.deepEqual(sets[0]?.rows, [
      ['on_inner', 'Barn', 1],
      ['on_outer', 'dbo', 1],
    ]);
  });
});
