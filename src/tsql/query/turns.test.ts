import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { batch } from '../../../test/support/recorder.ts';
import { roundsOf } from '../../../test/support/rounds-of.ts';
import { openSession } from '../../../test/support/session.ts';
import { pace, Turn } from '../../base/threads/turn.ts';
import { inOrder } from './sort.ts';

const usual = pace.turnLength;

/** What a batch answers when every step of it is followed by a pause, or none. */
async function answer(text: string, turnLength: number) {
  pace.turnLength = turnLength;
  const host = await openSession();
  await batch(
    host,
    `create table #t (id int primary key, n int null, name nvarchar(9))
     insert #t values (1, 10, 'a'), (2, null, 'b'), (3, 30, 'c'), (4, 10, 'd')`,
  );
  const { sets, errors } = await batch(host, text);
  return { rows: sets.map(({ rows }) => rows), errors: errors.map(({ number }) => number) };
}

const subquery = '(select max(n) from #t where n < 20)';
const correlated = '(select sum(o.n) from #t o where o.id <= a.id)';

/** Subqueries wherever T-SQL takes one. */
const batches = [
  `select ${subquery}`,
  `select a.id, ${correlated} from #t a`,
  `select a.id from #t a where ${correlated} > 10`,
  `select case ${correlated} when 10 then 'ten' when 40 then (select 'forty') else 'other' end from #t a`,
  `select id from #t a where n in (select n from #t o where o.id <> a.id)`,
  `select id from #t where n not in (select n from #t where n > 10)`,
  `select id from #t where n not in (select n from #t)`,
  `select id from #t a where n >= all (select n from #t where n is not null)`,
  `select id from #t a where n < any (select n from #t)`,
  `select id from #t a where exists (select 1 from #t o where o.n = a.n and o.id <> a.id)`,
  `select id from #t a where exists (select 1 from #t o where o.n > ${correlated})`,
  `select try_cast((select top 1 name from #t) as int), try_cast(${subquery} as int)`,
  `select (select n from #t)`,
  `select try_cast((select n from #t) as int), ${subquery}`,
  `select convert(varchar(30), cast('2024-02-01' as datetime), (select max(id) + 100 from #t))`,
  `select n, count(*) from #t a group by n having count(*) >= (select count(*) / 3 from #t)`,
  `select (select name from #t o where o.id = a.id), sum(n) from #t a group by a.id order by 1 desc`,
  `select max((select o.n from #t o where o.id = a.id)), count(distinct ${correlated}) from #t a`,
  `select id from #t a order by (select o.name from #t o where o.id = a.id) desc`,
  `select top (select 2) id from #t order by id desc`,
  `select id from #t order by id offset (select 1) rows fetch next (select 2) rows only`,
  `select top (select 50) percent id from #t order by id`,
  `select distinct ${correlated} / 100, n from #t a order by n`,
  `select a.id, b.id from #t a join #t b on a.n = b.n and b.id > (select min(id) from #t)`,
  `select a.id, b.id from #t a left join #t b on (select a.id + 1) = (select b.id)`,
  `select a.id, b.id from #t a full join #t b on b.id = a.id + (select 2) order by 1, 2`,
  `select a.id, b.id from #t a right join #t b on b.id > (select 3) order by 1, 2`,
  `select a.id, d.n from #t a cross apply (select top 1 o.n from #t o where o.id > a.id order by ${correlated}) d`,
  `select a.id, d.n from #t a outer apply (select o.n from #t o where o.id = a.id and o.n > ${subquery}) d`,
  `select id, row_number() over (partition by ${subquery} order by (select o.name from #t o where o.id = a.id) desc) from #t a order by 1`,
  `select id, sum(n) over (order by id), rank() over (order by n), ntile((select 2)) over (order by id) from #t order by 1`,
  `select id, lag(n, (select 1), ${subquery}) over (order by id), last_value(id) over (order by n) from #t order by 1`,
  `select id from #t union select n from #t order by 1 desc`,
  `select id from #t except select id from #t where n = ${subquery}`,
  `select id from #t intersect select ${subquery} - 8`,
  `select * from (values (1, ${subquery}), ((select 2), 3)) v(a, b)`,
  `with c(n) as (select ${subquery} union all select n + 1 from c where n < (select 15)) select n, (select max(n) from c) from c`,
  `declare @x int = ${subquery}; set @x = @x + (select count(*) from #t); select @x`,
  `declare @s nvarchar(99) = ''; select @s = @s + name + cast(${correlated} as nvarchar(9)) from #t a order by id; select @s`,
  `if exists (select 1 from #t where n = ${subquery}) select 'yes' else select 'no'`,
  `declare @i int = 0; while @i < (select count(*) from #t) set @i = @i + 1; select @i`,
  `insert #t values (5, ${subquery}, (select 'e')), ((select 6), (select count(*) from #t), 'f') select * from #t`,
  `insert top (select 1) #t select id + 10, n, name from #t a where n = ${correlated} select * from #t`,
  `insert #t output inserted.id, (select max(n) from #t) select 9, ${subquery}, 'i'`,
  `update #t set n = (select count(*) from #t o where o.id <= #t.id), name = (select 'z') where id > (select 1) select * from #t`,
  `declare @k int = 0; update #t set @k = n = @k + (select 1); select @k; select * from #t`,
  `delete top (select 1) from #t where n = ${subquery} select * from #t`,
  `delete #t where id in (select o.id from #t o where o.n = ${subquery}) select * from #t`,
  `select id into #u from #t a where n = ${correlated} select * from #u`,
  `declare c cursor for select id, ${correlated} from #t a; open c; fetch c; fetch c; close c; deallocate c`,
  `begin try select (select n from #t) end try begin catch select error_number() end catch`,
  `create table #bad (a int default (select 1))`,
];

/**
 * What is done with a text, or with rows of texts, and how much more often others must have their turn than for a short
 * one.
 */
const long = 4_000_000;
const pieces = long / 500_000;
const onLongText: readonly (readonly [statement: string, rounds: number])[] = [
  ...[
    'select len(upper(@x))',
    'select len(lower(@x))',
    "select len(replace(@x, 'zz', 'y'))",
    "select charindex('zz', @x)",
    "select len(translate(@x, 'ab', 'ba'))",
    'select checksum(@x)',
    'select distinct len(v) from (select distinct @x v) d',
    'select len(v) from (select @x v union select @x) u',
    'select len(v) from (select @x v except select @y) u',
    'select count(*) from (values (1), (2)) v (a) group by @x',
    'select count(distinct @x) from (values (1), (2)) v (a)',
    'select 1 from (select @x v) a join (select @x v) b on a.v = b.v',
    'select 1 where @x in (select @x)',
    'select row_number() over (partition by @x order by a) from (values (1), (2)) v (a)',
    'select len((select @x a for xml path))',
    'select len((select @x a for xml raw))',
    'select len((select @x a for json path))',
    "select 1 where @x in (N'a', N'b')",
    'select datalength(cast(@x as varbinary(max)))',
    'select datalength(cast(cast(@x as varbinary(max)) as nvarchar(max)))',
    'select datalength(cast(@x as varchar(max)))',
    'declare @z varchar(max) = @x',
    // What a table's own rules make of a text.
    ...["check (charindex(N'zz', a) = 0))", ', b as upper(a))'].flatMap((rule) =>
      [
        'insert #r (a) values (@x)',
        'insert #r (a) select @x',
        "insert #r (a) exec sp_executesql N'select @y', N'@y nvarchar(max)', @x",
        "insert #r (a) output @x into #r (a) values (N'')",
        "insert #r (a) values (N'') update #r set a = @x",
      ].map((change) => `create table #r (a nvarchar(max) ${rule} ${change} drop table #r`),
    ),
    ...['values (@x)', 'select @x', "values ('') update #s set a = @x"].map(
      (rows) => `create table #s (a varchar(max)) insert #s ${rows} drop table #s`,
    ),
    "create table #r (a nvarchar(max)) insert #r values (@x) alter table #r add check (charindex(N'zz', a) = 0) drop table #r",
  ].map((statement) => [statement, pieces - 1] as const),
  // Texts that differ in case alone are compared to their end, in pieces of 8192 characters.
  [
    'create table #k (a nvarchar(max)) insert #k values (@x) alter table #k alter column a varchar(max) drop table #k',
    pieces - 1,
  ],
  // Letters that sound alike are read to their end.
  ...['soundex(v)', "difference(v, N'a')"].map(
    (call) => [`select ${call} from (select replicate(cast(N'b' as nvarchar(max)), len(@x)) v) r`, 12] as const,
  ),
  // The insertion and the length have as many each.
  [
    'create table #j (v varchar(max) collate Japanese_CI_AS) insert #j values (@x) select datalength(v) from #j drop table #j',
    2 * (pieces - 1),
  ],
  ...[
    'select 1 where @x = lower(@x)',
    'set ansi_nulls off select 1 where @x = lower(@x)',
    'select len(nullif(@x, lower(@x)))',
    'select len(max(v)) from (values (@x), (lower(@x))) r (v)',
    'select len(v) from (values (@x), (lower(@x))) r (v) order by v',
    'select top 1 with ties len(v) from (values (@x), (lower(@x))) r (v) order by v',
    'select rank() over (order by v) from (values (@x), (lower(@x))) r (v)',
  ].map((statement) => [statement, 400] as const),
  // Of a hundred rows in disorder a sort compares more than four hundred pairs.
  ...[
    'select len(v) from (select top (len(@y)) @y + name v, name from sys.all_columns order by name) r order by reverse(v)',
    "select string_agg(len(v), ',') within group (order by reverse(v)) from (select top (len(@y)) @y + name v from sys.all_columns) r",
    'select sum(len(v)) over (order by reverse(v)) from (select top (len(@y)) @y + name v from sys.all_columns) r',
  ].map((statement) => [statement, 400] as const),
];

describe('work that gives way after every step', () => {
  afterEach(() => {
    pace.turnLength = usual;
  });

  for (const text of batches) {
    test(`comes to the same: ${text}`, async () => {
      const hurried = await answer(text, Number.POSITIVE_INFINITY);
      assert.deepEqual(await answer(text, 0), hurried);
      assert.notDeepEqual(hurried, { rows: [], errors: [] });
    });
  }

  for (const name of ['len', 'ltrim', 'rtrim', 'trim']) {
    test(`leaves others their turns: ${name} of blanks`, async () => {
      const host = await openSession();
      pace.turnLength = 0;
      const seen = (length: number) =>
        roundsOf(async () => {
          const text = `declare @x nvarchar(max) = replicate(cast(N' ' as nvarchar(max)), ${length}) select datalength(${name}(@x))`;
          assert.deepEqual((await batch(host, text)).errors, []);
        });
      const more = (await seen(8_000_000)) - (await seen(2));
      assert.ok(more >= 7, `${more} rounds more`);
    });
  }

  for (const [statement, rounds] of onLongText) {
    test(`leaves others their turns: ${statement}`, async () => {
      const host = await openSession();
      pace.turnLength = 0;
      const seen = async (length: number, rows: number): Promise<number> => {
        const given = `declare @x nvarchar(max) = replicate(cast(N'aB' as nvarchar(max)), ${length / 2}),
          @y nvarchar(max) = replicate(N'y', ${rows})`;
        return await roundsOf(async () => assert.deepEqual((await batch(host, `${given} ${statement}`)).errors, []));
      };
      const more = (await seen(long, 100)) - (await seen(2, 1));
      assert.ok(more >= rounds, `${more} rounds more`);
    });
  }

  for (const [statement, least] of [
    ['select top 1 1 from (values (1)) v (a) cross join #rows', 75],
    ['with c (n) as (select 1 union all select n + 1 from c where n < 90) select count(*) from c', 90],
  ] as const) {
    test(`leaves others their turns: ${statement}`, async () => {
      const host = await openSession();
      await batch(host, 'select top 20000 a.column_id into #rows from sys.all_columns a cross join sys.all_columns b');
      pace.turnLength = 0;
      const rounds = await roundsOf(async () => assert.deepEqual((await batch(host, statement)).errors, []));
      assert.ok(rounds >= least, `${rounds} rounds`);
    });
  }

  test('leaves others their turns: DECLARE of many variables', async () => {
    const host = await openSession();
    pace.turnLength = 0;
    const text = `declare ${Array.from({ length: 300 }, (_, at) => `@v${at} int = ${at}`).join()}`;
    const rounds = await roundsOf(async () => assert.deepEqual((await batch(host, text)).errors, []));
    assert.ok(rounds >= 300, `${rounds} rounds`);
  });

  test('sorts as a stable sort does', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1500, maxLength: 4000 }),
        async (numbers) => {
          const rows = numbers.map((key, at) => ({ key, at }));
          assert.deepEqual(
            await inOrder(rows, { compare: (a, b) => a.key - b.key }, new Turn()),
            rows.toSorted((a, b) => a.key - b.key || a.at - b.at),
          );
        },
      ),
      { numRuns: 20 },
    ));
});
