import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';
import { orNull } from '../../procedure/declare.ts';
import { memoryRelation } from '../../procedure/relations/relation.ts';
import type { SessionHost } from '../../session/session-host.ts';
import { int, nvarchar } from '../../tds/types/index.ts';

const people = [
  { id: 1, name: 'Ann', team: 1 },
  { id: 2, name: 'Bob', team: 2 },
  { id: 3, name: 'cid', team: 1 },
  { id: 4, name: 'Dee', team: null },
];
const teams = [
  { id: 1, title: 'Red' },
  { id: 2, title: 'Blue' },
  { id: 3, title: 'Green' },
];

const tables = [
  memoryRelation({ name: 'People', columns: { id: int, name: nvarchar(20), team: orNull(int) }, rows: () => people }),
  memoryRelation({ name: 'Teams', columns: { id: int, title: nvarchar(20) }, rows: () => teams }),
];

const hostWithTables = (): Promise<SessionHost> => openSession({ relations: tables });

const queries: readonly [query: string, rows: readonly (readonly unknown[])[]][] = [
  ["select 'a' as x union all select null", [['a'], [null]]],
  ['select t.id from people p left join teams t on t.id = p.team + 5 where p.id = 1', [[null]]],
  ['select p.id from people p right join teams t on t.id = p.team + 5 where t.id = 1', [[null]]],
  [
    'select p.id, t.id from people p full join teams t on t.id = p.id + 2 where p.id = 4 or t.id = 1',
    [
      [4, null],
      [null, 1],
    ],
  ],
  ['select x.id from people p outer apply (select id from teams where id > p.id + 5) x where p.id = 1', [[null]]],
  ['select top 26 percent id from people order by id', [[1], [2]]],
  ['select top 25 percent id from people order by id', [[1]]],
  ['select top 0 percent id from people order by id', []],
  ["select null as x union all select null union all select N'a'", [[null], [null], ['a']]],
  ['select 1 union all select 1 union select 1 union all select 1 union all select 2', [[1], [1], [2]]],
  ['select 1 union all select 1 union all select 2 except select 2 union all select 1', [[1], [1]]],
  ['select 3 union all select 1 union select 2 intersect select 2 order by 1', [[1], [2], [3]]],
  [
    "select cast(x as varchar(9)) from (select '1' x union all select 2 union all select null union all select 2.5) u",
    [['1.0'], ['2.0'], [null], ['2.5']],
  ],
  [
    'with c (n) as (select 1 union all select 5 union all select n + 1 from c where n in (1, 5)) select n from c',
    [[1], [5], [2], [6]],
  ],
  ["select null union select title from teams where title = 'Red' except select null", [['Red']]],
  [
    'declare @t table (b varbinary(4), n nvarchar(5)) insert @t select null, null from teams where id = 1 select * from @t',
    [[null, null]],
  ],
  [
    'select t.title, p.name from teams t cross apply (select top 1 name from people where team = t.id order by id desc) p',
    [
      ['Red', 'cid'],
      ['Blue', 'Bob'],
    ],
  ],
  [
    `select t.title, p.n, q.m from teams t outer apply (select name as n from people where team = t.id and id > 1) p
     cross apply (values (t.id * 10)) as q(m) order by t.id`,
    [
      ['Red', 'cid', 10],
      ['Blue', 'Bob', 20],
      ['Green', null, 30],
    ],
  ],
  [
    "select id, (select count(*) from teams t cross apply (select t.id as x where t.id < p.id) as a) as n from people p where name like '[ab]%'",
    [
      [1, 0],
      [2, 1],
    ],
  ],
  [
    'select id, lag(name) over (order by id) as a, lead(id, 2, -1) over (order by id) as b, lag(id) over (partition by team order by id) as c from people where team is not null',
    [
      [1, null, 3, null],
      [2, 'Ann', -1, null],
      [3, 'Bob', -1, 1],
    ],
  ],
  [
    'select id, first_value(name) over (order by id desc) as f, last_value(id) over (order by team) as l from people order by id',
    [
      [1, 'Dee', 3],
      [2, 'Dee', 2],
      [3, 'Dee', 3],
      [4, 'Dee', 4],
    ],
  ],
  ["select name from people where name = 'ANN  '", [['Ann']]],
  [
    'select p.name, t.title from people p join teams t on t.id = p.team order by p.name',
    [
      ['Ann', 'Red'],
      ['Bob', 'Blue'],
      ['cid', 'Red'],
    ],
  ],
  [
    'select p.name, t.title from people p left join teams t on t.id = p.team where p.id > 2',
    [
      ['cid', 'Red'],
      ['Dee', null],
    ],
  ],
  [
    'select p.name, t.title from people p right join teams t on t.id = p.team and p.id > 1 order by t.id',
    [
      ['cid', 'Red'],
      ['Bob', 'Blue'],
      [null, 'Green'],
    ],
  ],
  [
    'select p.id, t.id from people p full join teams t on t.id = p.team order by 1, 2',
    [
      [null, 3],
      [1, 1],
      [2, 2],
      [3, 1],
      [4, null],
    ],
  ],
  ['select count(*) from people cross join teams', [[12]]],
  ["select p.name from people p, teams t where p.team = t.id and t.title = 'red'", [['Ann'], ['cid']]],
  [
    'select team, count(*) n, min(name) from people group by team order by n desc, team',
    [
      [1, 2, 'Ann'],
      [null, 1, 'Dee'],
      [2, 1, 'Bob'],
    ],
  ],
  ['select team from people group by team having count(*) > 1', [[1]]],
  ['select count(team), count(*), count(distinct team), sum(id), avg(id) from people', [[3, 4, 2, 10, 2]]],
  ['select count(*), max(id) from people where 1 = 0', [[0, null]]],
  [
    'select team + 1, sum(id) from people where team is not null group by team + 1',
    [
      [2, 4],
      [3, 2],
    ],
  ],
  ['select top 2 name from people order by name desc', [['Dee'], ['cid']]],
  ['select top (50) percent id from people order by id', [[1], [2]]],
  ['select top 1 with ties team from people where team is not null order by team', [[1], [1]]],
  ['select id from people order by id offset 1 rows fetch next 2 rows only', [[2], [3]]],
  ['select distinct team from people order by team', [[null], [1], [2]]],
  ["select id from people where id in (select id from teams where title like '%e%') order by id", [[1], [2], [3]]],
  [
    "select name from people p where exists (select 1 from teams t where t.id = p.team and t.title = 'Blue')",
    [['Bob']],
  ],
  [
    'select name, (select title from teams where id = p.team) from people p where id <> 3',
    [
      ['Ann', 'Red'],
      ['Bob', 'Blue'],
      ['Dee', null],
    ],
  ],
  ['select id from people where id > all (select id from teams)', [[4]]],
  ['select id from people where id not in (select team from people)', []],
  ['select id from people union select id + 2 from teams order by id desc', [[5], [4], [3], [2], [1]]],
  ['select id from people except select id from teams', [[4]]],
  ['select id from people intersect select id from teams', [[1], [2], [3]]],
  [
    'select * from (select id, name from people where id < 3) d',
    [
      [1, 'Ann'],
      [2, 'Bob'],
    ],
  ],
  ['select t.*, p.id from teams t join people p on p.id = t.id + 1 where t.id = 3', [[3, 'Green', 4]]],
  [
    'with r as (select team t, count(*) n from people group by team), s as (select * from r where n > 1) select t from s',
    [[1]],
  ],
  [
    'with c(n) as (select 1 union all select n * 2 from c where n < 20) select n from c',
    [[1], [2], [4], [8], [16], [32]],
  ],
  ['with c(n) as (select 1 union all select n + 1 from c where n < 101) select max(n) from c', [[101]]],
  [
    'with c(n) as (select 1 union all select n + 1 from c where n < 4) select max(n) from c option (maxrecursion 3)',
    [[4]],
  ],
  [
    "select name + '/' + title as x from people p join teams t on t.id = p.team where p.id = 1 order by x",
    [['Ann/Red']],
  ],
  [
    'select row_number() over (partition by team order by id desc), id from people where team = 1 order by id',
    [
      [2n, 1],
      [1n, 3],
    ],
  ],
  [
    'select id, sum(id) over (order by id) from people',
    [
      [1, 1],
      [2, 3],
      [3, 6],
      [4, 10],
    ],
  ],
  ["select string_agg(name, ',') from people where team = 1", [['Ann,cid']]],
  ['select p.id from dbo.people as p with (nolock) where p.id = 1', [[1]]],
  ['select a.id from (people a join teams b on a.id = b.id) left join people c on c.id = b.id where c.id = 2', [[2]]],
];

for (const [text, rows] of queries) {
  test(text, async () => {
    const { sets, errors } = await batch(await hostWithTables(), text);
    assert.deepEqual(errors, []);
    assert.deepEqual(sets[0]?.rows, rows);
  });
}

const mistakes: readonly [string, number][] = [
  ['select nope from people', 207],
  ['select x.id from people', 4104],
  ['select id from people, teams', 209],
  ['select * from people p, teams p', 1013],
  ['select name from people group by team', 8120],
  ['select id from people where count(*) > 1', 147],
  ['select id from people order by 5', 108],
  ['select id from people union select id, title from teams', 205],
  ["select '1.5' union all select 2 union all select 2.5", 245],
  ['select 1, 2 union all select 1, 2 union all select 1', 205],
  ['select 1 union all select count(id)', 207],
  ['select 1 union all select row_number()', 10753],
  ['select *', 263],
  ['with c as (select n from c) select * from c', 252],
  ['with c(n) as (select 1 union all select n + 1 from c where n < 102) select max(n) from c', 530],
  ['select * from (select 1) d', 8155],
  ['select * from (select 1 a, 2 a) d', 8156],
  ['select * from (select 1 a) d(x, y)', 8159],
  ['select * from (values (default)) d(x)', 156],
  ['insert people values (1)', 229],
  ['delete from people', 229],
  ['update sys.objects set name = name', 259],
  ['delete from sys.tables', 259],
];

for (const [text, number] of mistakes) {
  test(`${text} fails with ${number}`, async () => {
    const { errors } = await batch(await hostWithTables(), text);
    assert.deepEqual(
      errors.map((error) => error.number),
      [number],
    );
  });
}

describe('streaming', () => {
  test('TOP stops reading a table soon after it has its rows', async () => {
    let read = 0;
    const rows = function* () {
      for (let id = 0; ; id++) {
        read++;
        yield { id };
      }
    };
    const relations = [memoryRelation({ name: 'Endless', columns: { id: int }, rows })];
    const host = await openSession({ relations });
    const { sets } = await batch(
      host,
      'select top 3 e.id, p.x from endless e join (values (0, 5), (2, 6), (4, 7)) p(id, x) on p.id = e.id',
    );
    assert.deepEqual(sets[0]?.rows, [
      [0, 5],
      [2, 6],
      [4, 7],
    ]);
    assert.ok(read <= 16, `${read} rows were read`);
  });
});

test('joining by hash gives what trying every pair gives', async () => {
  const values = fc.array(fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }), { minLength: 1, maxLength: 8 });
  const list = (rows: readonly (number | null)[]) =>
    rows.map((row, at) => `(${at}, ${row === null ? 'null' : row})`).join(', ');
  await fc.assert(
    fc.asyncProperty(values, values, fc.constantFrom('inner', 'left', 'right', 'full'), async (left, right, kind) => {
      const tables = `from (values ${list(left)}) a(i, x) ${kind} join (values ${list(right)}) b(i, x)`;
      const hashed = await batch(await openSession(), `select a.i, b.i ${tables} on a.x = b.x order by 1, 2`);
      const tried = await batch(
        await openSession(),
        `select a.i, b.i ${tables} on not (a.x <> b.x) and a.x is not null order by 1, 2`,
      );
      assert.deepEqual(hashed.sets[0]?.rows, tried.sets[0]?.rows);
    }),
    { numRuns: 100 },
  );
});

test('an aggregate that leaves a NULL out says so under ANSI_WARNINGS: 8153', async () => {
  const host = await hostWithTables();
  const messages = async (text: string) => (await batch(host, text)).messages.map(({ number }) => number);
  assert.deepEqual(await messages('select count(team) from people'), [8153]);
  assert.deepEqual(await messages('select team, max(id) from people group by team'), []);
  assert.deepEqual(await messages('declare @n int select @n = sum(team) from people'), [8153]);
  assert.deepEqual(await messages('set ansi_warnings off select count(team) from people set ansi_warnings on'), []);
});

test('a derived table that every row of the query around asks for is found once', async () => {
  const { sets, errors } = await batch(
    await openSession(),
    `select count(distinct g) from (
       select (select d.g from (select newid() as g) as d where h.a = h.a) as g from (values (1), (2), (3)) as h (a)) as q`,
  );
  assert.deepEqual(errors, []);
  assert.deepEqual(sets[0]?.rows, [[1]]);
});
