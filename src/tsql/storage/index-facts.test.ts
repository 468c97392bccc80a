import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { inTempDb, rows } from '../../../test/support/tempdb-session.ts';
import type { SessionHost } from '../../session/session-host.ts';

const numbers = async (host: SessionHost, text: string) => (await batch(host, text)).errors.map(({ number }) => number);

const indexes = (table: string) =>
  `select name, index_id, type_desc, filter_definition from tempdb.sys.indexes where object_id = object_id('${table}')
   order by index_id`;

describe('indexes of tables that clients made', () => {
  test('a primary key is clustered unless it, or another, says otherwise', async () => {
    const host = await inTempDb(
      `create table a (id int constraint pk_a primary key)
       create table b (id int constraint pk_b primary key nonclustered)
       create table c (id int constraint pk_c primary key, n int constraint uq_c unique clustered)
       create table d (id int not null, n int)
       create clustered index ix_d on d (n)
       alter table d add constraint pk_d primary key (id)`,
    );
    assert.deepEqual(await rows(host, indexes('a')), [['pk_a', 1, 'CLUSTERED', null]]);
    assert.deepEqual(await rows(host, indexes('b')), [
      [null, 0, 'HEAP', null],
      ['pk_b', 2, 'NONCLUSTERED', null],
    ]);
    assert.deepEqual(await rows(host, indexes('c')), [
      ['uq_c', 1, 'CLUSTERED', null],
      ['pk_c', 2, 'NONCLUSTERED', null],
    ]);
    assert.deepEqual(await rows(host, indexes('d')), [
      ['ix_d', 1, 'CLUSTERED', null],
      ['pk_d', 2, 'NONCLUSTERED', null],
    ]);
    assert.deepEqual(
      await rows(host, `select indexproperty(object_id('c'), 'uq_c', 'IsClustered'), index_col('c', 2, 1)`),
      [[1, 'id']],
    );
  });

  test('a second clustered index is refused: 1902, and 1750 after 8112 for two constraints', async () => {
    const host = await inTempDb('create table #a (id int primary key, n int)');
    assert.deepEqual(await numbers(host, 'create clustered index ix on #a (n)'), [1902]);
    assert.deepEqual(
      await numbers(host, 'create table #b (id int primary key clustered, n int unique clustered)'),
      [1750],
    );
    assert.deepEqual(await numbers(host, 'create index ix on #a (n)'), []);
  });

  test('the catalog has WHERE as SQL Server writes it, columns that are included, and those sorted downwards', async () => {
    const host = await inTempDb(
      `create table t (id int, x varchar(20), y int, z int)
       create index by_x on t (x desc, id) include (y, z) where y >= 5 and x = 'te]st' and [z] in (1, -2)
       create unique index by_y on t (y) where (y is not null)
       alter table t add w int`,
    );
    assert.deepEqual(
      await rows(
        host,
        `select name, has_filter, filter_definition from sys.indexes
      where object_id = object_id('t') and index_id > 0 order by name`,
      ),
      [
        ['by_x', true, "([y]>=(5) AND [x]='te]st' AND [z] IN ((1), (-2)))"],
        ['by_y', true, '([y] IS NOT NULL)'],
      ],
    );
    assert.deepEqual(
      await rows(
        host,
        `select c.name, key_ordinal, is_descending_key, is_included_column
      from sys.index_columns i join sys.columns c on c.object_id = i.object_id and c.column_id = i.column_id
      join sys.indexes x on x.object_id = i.object_id and x.index_id = i.index_id
      where x.name = 'by_x' order by index_column_id`,
      ),
      [
        ['x', 1, true, false],
        ['id', 2, false, false],
        ['y', 0, false, true],
        ['z', 0, false, true],
      ],
    );
    const [helped] = (await batch(host, 'exec sp_helpindex t')).sets;
    assert.deepEqual(helped?.rows, [
      ['by_x', 'nonclustered located on PRIMARY', 'x(-), id'],
      ['by_y', 'nonclustered, unique located on PRIMARY', 'y'],
    ]);
  });
});

test('sys.computed_columns has the expression, and whether it is PERSISTED', async () => {
  const host = await inTempDb('create table t (n int, twice as n*2, more as ((n)+(1)) persisted)');
  assert.deepEqual(
    await rows(host, 'select name, definition, is_persisted, column_id from sys.computed_columns order by column_id'),
    [
      ['twice', '(n*2)', false, 2],
      ['more', '((n)+(1))', true, 3],
    ],
  );
  assert.deepEqual(await rows(host, "select is_computed from sys.columns where name = 'more'"), [[true]]);
});

describe('constraints as objects', () => {
  test('OBJECT_ID finds them by name, and only what is of the sort that is asked for', async () => {
    const host = await inTempDb(
      `create table t (id int constraint pk_t primary key nonclustered, n int constraint df_t default 1)
       create table u (t int constraint fk_u references t)`,
    );
    assert.deepEqual(
      await rows(
        host,
        `select object_name(object_id('pk_t')), object_name(object_id('dbo.fk_u', 'F')), object_name(object_id('df_t', N'd')),
           object_id('t', 'P'), object_id('sp_who', 'U'), object_name(object_id('t', 'U '))`,
      ),
      [['pk_t', 'fk_u', 'df_t', null, null, 't']],
    );
    assert.deepEqual(
      await rows(
        host,
        `select objectproperty(object_id('pk_t'), 'IsPrimaryKey'), objectproperty(object_id('pk_t'), 'CnstIsClustKey'),
           objectproperty(object_id('fk_u'), 'IsForeignKey'), objectproperty(object_id('df_t'), 'IsPrimaryKey'),
           objectproperty(object_id('t'), 'IsConstraint'), objectproperty(object_id('t'), 'TableHasClustIndex')`,
      ),
      [[1, 0, 1, 0, 0, 0]],
    );
  });
});
