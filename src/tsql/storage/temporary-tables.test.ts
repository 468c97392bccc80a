import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';
import type { SessionHost } from '../../session/session-host.ts';
import { beginTransaction, rollbackTransaction } from '../transactions.ts';

const table =
  "create table #t (id int identity(1,1) primary key, name nvarchar(5) not null default N'x', n int null check (n >= 0), twice as n * 2)";

async function hostWithTable(): Promise<SessionHost> {
  const host = await openSession();
  assert.deepEqual((await batch(host, table)).errors, []);
  return host;
}

const rowsOf = async (host: SessionHost, query = 'select * from #t'): Promise<unknown[][] | undefined> =>
  (await batch(host, query)).sets[0]?.rows;

const twiceOne = [
  [1, 'x', 1, 2],
  [2, 'x', 1, 2],
];

const sequences: readonly [text: string, rows: readonly (readonly unknown[])[]][] = [
  [
    'insert #t (n) values (1), (2)',
    [
      [1, 'x', 1, 2],
      [2, 'x', 2, 4],
    ],
  ],
  [
    "insert into #t (name, n) values (default, 3), ('b', null)",
    [
      [1, 'x', 3, 6],
      [2, 'b', null, null],
    ],
  ],
  ['insert #t default values', [[1, 'x', null, null]]],
  ['insert #t (n) select x from (values (5), (6)) v(x) where x > 5', [[1, 'x', 6, 12]]],
  [
    "insert #t (n) exec('select 7 select 8')",
    [
      [1, 'x', 7, 14],
      [2, 'x', 8, 16],
    ],
  ],
  [
    'insert #t (n) values (1), (2), (3) update #t set n = n * 10 where id > 1',
    [
      [1, 'x', 1, 2],
      [2, 'x', 20, 40],
      [3, 'x', 30, 60],
    ],
  ],
  [
    'insert #t (n) values (1), (2) update a set n += 1 from #t a where a.id = 2',
    [
      [1, 'x', 1, 2],
      [2, 'x', 3, 6],
    ],
  ],
  [
    'insert #t (n) values (1), (2), (3) delete top (1) from #t where n > 1',
    [
      [1, 'x', 1, 2],
      [3, 'x', 3, 6],
    ],
  ],
  ['insert #t (n) values (1), (2) delete t from #t t join (values (2)) v(i) on v.i = t.id', [[1, 'x', 1, 2]]],
  ['insert #t (n) values (1) truncate table #t insert #t (n) values (9)', [[1, 'x', 9, 18]]],
  [
    'set identity_insert #t on insert #t (id, n) values (50, 1) set identity_insert #t off insert #t (n) values (2)',
    [
      [50, 'x', 1, 2],
      [51, 'x', 2, 4],
    ],
  ],
  ['insert #t (n) values (1) alter table #t add m int null, k int not null default 7', [[1, 'x', 1, 2, null, 7]]],
  ['insert #t (n) values (1) alter table #t add m int null constraint d default 7 with values', [[1, 'x', 1, 2, 7]]],
  ['insert #t (n) values (1) alter table #t add m int, default 7 for m with values', [[1, 'x', 1, 2, 7]]],
  ['insert #t (n) values (1) alter table #t add default 7 for n with values', [[1, 'x', 1, 2]]],
  [
    'insert #t (n) values (1) alter table #t with check add constraint c check (n > 0) alter table #t check constraint c',
    [[1, 'x', 1, 2]],
  ],
  ['insert #t (n) values (1) alter table #t check constraint all', [[1, 'x', 1, 2]]],
  [
    'alter table #t add constraint c check (n > 1) alter table #t nocheck constraint c insert #t (n) values (1), (1)',
    twiceOne,
  ],
  ['insert #t (n) values (1), (1) alter table #t with nocheck add constraint c check (n > 1)', twiceOne],
  ['insert #t (n) values (1) alter table #t drop column name', [[1, 1, 2]]],
  ['insert #t (n) values (1) alter table #t alter column n bigint not null', [[1, 'x', 1n, 2n]]],
  ['insert #t (n) values (1) begin tran alter table #t add m int rollback', [[1, 'x', 1, 2]]],
  ['begin tran insert #t (n) values (1) save tran s insert #t (n) values (2) rollback tran s commit', [[1, 'x', 1, 2]]],
  ['insert #t (n) values (1) begin tran update #t set n = 5 delete from #t rollback', [[1, 'x', 1, 2]]],
  ['create unique index u on #t (n) drop index u on #t insert #t (n) values (1), (1)', twiceOne],
  ['create unique index u on #t (n) drop index if exists #t.u, #t.nope insert #t (n) values (1), (1)', twiceOne],
  ['begin tran create unique index u on #t (n) rollback insert #t (#t.n) values (1), (1)', twiceOne],
  ['insert #t (n) values (1) alter table #t add m int alter table #t drop column m insert #t (n) values (1)', twiceOne],
  [
    'insert #t (n) values (1), (1) alter table #t add l int, m int constraint c check (l > 0) alter table #t drop constraint if exists nope, c, column if exists nope, l, column m',
    twiceOne,
  ],
  [
    'with c as (select 1 as n) insert #t (n) values ((select n from c)), ((select max(n) from c)) drop index if exists nowhere.i',
    twiceOne,
  ],
  [
    'insert #t (n) values (1), (1), (5) update #t set n = 1 where id = 2 option (recompile) delete #t where n = 5 option (maxdop 1)',
    twiceOne,
  ],
  ["create index i on #t (n) where n > 0 and name = 'x' or n in (1, 2) insert #t (n) values (1), (1)", twiceOne],
];

for (const [text, rows] of sequences) {
  test(text, async () => {
    const host = await hostWithTable();
    assert.deepEqual((await batch(host, text)).errors, []);
    assert.deepEqual(await rowsOf(host), rows);
  });
}

const keyed =
  'create table #k (a int constraint a1 unique nonclustered with (fillfactor = 80, ignore_dup_key = on), b int not null, constraint k primary key clustered (b asc) with (pad_index = off, ignore_dup_key = off) on [primary]) on [primary]';

const mistakes: readonly [text: string, number: number][] = [
  [`${keyed} insert #k values (1, 1), (2, 1)`, 2627],
  ['create table #u (a int null primary key)', 1750],
  ['create table #u (a int null, primary key (a))', 1750],
  ['alter table #t add unique (name) alter table #t add primary key (n)', 1750],
  ['insert #t (n) values (1), (1) create unique index once on #t (n)', 1505],
  ['insert #t (n) values (1), (1) alter table #t add unique (n)', 1750],
  ['create index i on #t (n) alter table #t drop column n', 5074],
  ['create unique index i on #t (n) alter table #t add m int insert #t (n) values (1), (1)', 2601],
  ['begin tran create database d', 226],
  ['begin tran drop database d', 226],
  ['insert #t (name) values (null)', 515],
  ["insert #t (name) values ('toolong')", 2628],
  ['insert #t (n) values (-1)', 547],
  ['insert #t (id) values (1)', 544],
  ['insert #t (n) values (1, 2)', 110],
  ['insert #t (n, name) values (1)', 109],
  ['insert #t values (1)', 213],
  ['insert #t (nope) values (1)', 207],
  ['update #t set nope = 1', 207],
  ['update #t set id = 1', 8102],
  ['update #t set twice = 1', 271],
  ['select * from #nope', 208],
  ['drop table #nope', 3701],
  ['drop index nope on #t', 3701],
  [`${keyed} drop index k on #k`, 3723],
  ['alter table #t add default 5 for nope', 1750],
  ['alter table #t add default 5 for n alter table #t add default 6 for n', 1750],
  ['create index i on #t (n) create unique index I on #t (name)', 1913],
  ['create unique index u on #t (n) begin tran drop index u on #t rollback insert #t (n) values (1), (1)', 2601],
  [table, 2714],
  ['create table #u (a int, A int)', 2705],
  ['alter table #t drop column nope', 4924],
  ['alter table #t drop column name, nope', 4924],
  ['alter table #t drop column if exists id', 5074],
  ['alter table #t drop column id', 5074],
  ['alter table #t drop constraint nope', 3728],
  ['alter table #t add n int', 2705],
  ['alter table #nope add n int', 4902],
  ['truncate table #nope', 4701],
  ['create index i on #nope (n)', 1088],
  ['alter table #t check constraint nope', 4916],
  ['alter table #t nocheck constraint nope', 4916],
  ['insert #t (n) values (1) alter table #t with nocheck add constraint c check (n > 1) insert #t (n) values (1)', 547],
  [
    'insert #t (n) values (1) alter table #t with nocheck add constraint c check (n > 1) alter table #t with check check constraint all',
    547,
  ],
  ['insert #t (n) values (1) alter table #t add m int not null', 4901],
  ['insert #t (n) values (5) alter table #t add constraint few check (n < 5)', 547],
];

for (const [text, number] of mistakes) {
  test(`${text} fails with ${number}`, async () => {
    const { errors } = await batch(await hostWithTable(), text);
    assert.deepEqual(
      errors.map((error) => error.number),
      [number],
    );
  });
}

test('rows that are there are numbered by an identity column that is added, and get rowversions of their own', async () => {
  const { sets, errors } = await batch(
    await openSession(),
    `create table #b (b int) insert #b values (7), (8) alter table #b add n int identity(10, 5), v rowversion
     insert #b (b) values (9) select b, n from #b select count(distinct v), count(v) from #b`,
  );
  assert.deepEqual(errors, []);
  assert.deepEqual(sets[0]?.rows, [
    [7, 10],
    [8, 15],
    [9, 20],
  ]);
  assert.deepEqual(sets[1]?.rows, [[3, 3]]);
});

test('zeros at the end of bytes may be cut, as blanks at the end of text', async () => {
  const { sets, errors } = await batch(
    await openSession(),
    "create table #b (b varbinary(2), c varchar(2)) insert #b values (0x01020000, 'ab   ') select datalength(b), c from #b insert #b (b) values (0x010203)",
  );
  assert.deepEqual(sets[0]?.rows, [[2, 'ab']]);
  assert.deepEqual(
    errors.map(({ number }) => number),
    [2628],
  );
});

test('a key that ignores duplicates leaves them out and says so', async () => {
  const host = await openSession();
  const { errors, events } = await batch(host, `${keyed} insert #k values (1, 1), (1, 2), (2, 3)`);
  assert.deepEqual(errors, []);
  assert.deepEqual(events.slice(-2), ['info 3604', 'done insert 2']);
  assert.deepEqual(await rowsOf(host, 'select b from #k'), [[1], [3]]);
  await batch(host, 'create unique index i on #k (b) include (a) with (ignore_dup_key = on)');
});

test('SET ROWCOUNT bounds what INSERT takes, of values as of a query', async () => {
  const host = await hostWithTable();
  const { dones } = await batch(
    host,
    'set rowcount 2 insert #t (n) values (1), (2), (3) insert #t (n) select x from (values (4), (5), (6)) v(x)',
  );
  assert.deepEqual(
    dones.flatMap(({ count }) => count ?? []),
    [2, 2],
  );
});

test('a table that cannot be made ends the batch and undoes the transaction', async () => {
  const host = await hostWithTable();
  const { events } = await batch(host, 'begin tran insert #t (n) values (1) create table #t (a int) print 1');
  assert.deepEqual(events.slice(-2), ['error 2714', 'done other failed']);
  assert.equal(host.transactions.count, 0);
  assert.deepEqual(await rowsOf(host), []);
});

test('a statement that fails in the middle leaves none of its rows', async () => {
  const host = await hostWithTable();
  await batch(host, 'create unique index u on #t (n) insert #t (n) values (1)');
  const { errors, messages } = await batch(host, 'insert #t (n) values (2), (3), (1)');
  assert.deepEqual(
    errors.map(({ number }) => number),
    [2601],
  );
  assert.deepEqual(
    messages.map(({ number }) => number),
    [3621],
  );
  assert.deepEqual(await rowsOf(host, 'select n from #t'), [[1]]);
});

test('an update may swap the values of a unique column', async () => {
  const host = await openSession();
  await batch(host, 'create table #u (k int unique) insert #u values (1), (2) update #u set k = 3 - k');
  assert.deepEqual(await rowsOf(host, 'select k from #u'), [[2], [1]]);
  const { errors } = await batch(host, 'update #u set k = 1');
  assert.deepEqual(
    errors.map(({ number }) => number),
    [2627],
  );
  assert.deepEqual(await rowsOf(host, 'select k from #u'), [[2], [1]]);
});

test('OUTPUT sends what was inserted, deleted and changed', async () => {
  const host = await hostWithTable();
  assert.deepEqual((await batch(host, 'insert #t (n) output inserted.id, inserted.n values (4), (5)')).sets[0]?.rows, [
    [1, 4],
    [2, 5],
  ]);
  assert.deepEqual((await batch(host, 'update #t set n = 9 output deleted.n, inserted.n where id = 1')).sets[0]?.rows, [
    [4, 9],
  ]);
  assert.deepEqual((await batch(host, 'delete #t output deleted.* where id = 2')).sets[0]?.rows, [[2, 'x', 5, 10]]);
});

test('SCOPE_IDENTITY and @@IDENTITY tell the last identity value', async () => {
  const host = await hostWithTable();
  const { sets } = await batch(
    host,
    'insert #t (n) values (1), (1) select cast(scope_identity() as int), cast(@@identity as int)',
  );
  assert.deepEqual(sets[0]?.rows, [[2, 2]]);
});

test('a rollback by the transaction manager winds back temporary tables, also created and dropped ones', async () => {
  const host = await hostWithTable();
  await batch(host, 'insert #t (n) values (1)');
  await beginTransaction(host);
  await batch(host, 'drop table #t create table #v (a int)');
  await rollbackTransaction(host);
  assert.deepEqual(await rowsOf(host), [[1, 'x', 1, 2]]);
  assert.equal(host.state.tables.has('#v'), false);
});

test('a table variable is not wound back and ends with its batch', async () => {
  const { sets } = await batch(
    await openSession(),
    'declare @t table (a int) begin tran insert @t values (1) rollback select a from @t',
  );
  assert.deepEqual(sets[0]?.rows, [[1]]);
});

test('a default fills any number of rows', async () => {
  const host = await openSession();
  const { errors, sets } = await batch(
    host,
    `select top 20000 1 a into #m from sys.all_columns x cross join sys.all_columns y
     alter table #m add b datetime not null default dateadd(day, 1, getdate())
     select count(*) from #m where b > getdate()`,
  );
  assert.deepEqual(errors, []);
  assert.deepEqual(sets[0]?.rows, [[20_000]]);
});

test('SELECT INTO of a UNION makes a table of all rows, and only its first query may say so', async () => {
  const host = await openSession();
  const made = await batch(host, 'select 1 a into #u union all select 2 union select 2 intersect select 2');
  assert.deepEqual([made.errors, made.sets], [[], []]);
  assert.deepEqual(await rowsOf(host, 'select a from #u order by a'), [[1], [2]]);
  const numbers = async (text: string) => (await batch(host, text)).errors.map(({ number }) => number);
  assert.deepEqual(await numbers('select 1 a union all select 2 into #v'), [196]);
  assert.deepEqual(await numbers('declare @x int select @x = 1 union all select 2'), [10734]);
  assert.deepEqual(await numbers('declare c cursor for select 1 a into #w union all select 2'), [156]);
});

test('a rowversion is not given by a statement: 273, unless it is NULL or DEFAULT', async () => {
  const host = await openSession();
  const numbers = async (values: string) =>
    (await batch(host, `insert #v values ${values}`)).errors.map(({ number }) => number);
  await batch(host, 'create table #v (id int, v rowversion)');
  assert.deepEqual(await numbers('(1, 0x01)'), [273]);
  assert.deepEqual(await numbers('(2, null), (3, default)'), []);
  const { sets } = await batch(host, 'insert #v (id) values (4) select id from #v where v is not null');
  assert.deepEqual(sets[0]?.rows, [[2], [3], [4]]);
});

test('IDENTITY_INSERT is on for one table at a time, which has an identity: 8107 and 8106', async () => {
  const host = await openSession();
  const numbers = async (text: string) => (await batch(host, text)).errors.map(({ number }) => number);
  await batch(host, 'create table #a (id int identity) create table ##b (id int identity) create table #c (id int)');
  assert.deepEqual(await numbers('set identity_insert #a on set identity_insert #a on'), []);
  const { errors } = await batch(host, 'set identity_insert ##b on');
  assert.deepEqual(
    errors.map(({ message }) => message),
    ["IDENTITY_INSERT is already ON for table 'tempdb.dbo.#a'. Cannot perform SET operation for table '##b'."],
  );
  assert.deepEqual(await numbers('set identity_insert #c on'), [8106]);
  assert.deepEqual(
    await numbers('set identity_insert ##b off set identity_insert #a off set identity_insert ##b on'),
    [],
  );
  assert.deepEqual(await numbers('drop table ##b set identity_insert #a on insert #a (id) values (5)'), []);
});
