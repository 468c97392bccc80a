import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';

/** Conditions and whether they hold. */
const conditions: readonly [condition: string, holds: boolean][] = [
  ["'a' = 'A'", true],
  ["'a' collate Latin1_General_CS_AS = 'A'", false],
  ["'a' = 'A' collate Latin1_General_CS_AS", false],
  ["'a ' = 'a' collate Latin1_General_CS_AS", true],
  ["'é' = 'e' collate Latin1_General_CI_AI", true],
  ["'é' = 'E' collate Latin1_General_CS_AI", false],
  ["'é' = 'e' collate SQL_Latin1_General_CP1_CI_AS", false],
  ["'B' < 'a' collate Latin1_General_BIN", true],
  ["'B' < 'a' collate Latin1_General_CS_AS", false],
  ["'a' < 'A' collate Latin1_General_100_BIN2", false],
  ["N'abc' like N'A%' collate Latin1_General_CS_AS", false],
  ["N'abc' collate Latin1_General_CI_AS like N'A%'", true],
  ["'a' collate database_default = 'A'", true],
  ["'a' + 'b' collate Latin1_General_BIN = 'AB'", false],
  ["upper('a' collate Latin1_General_BIN) = 'a'", false],
  ["'x' in ('X' collate Latin1_General_CS_AS, 'y')", false],
];
for (const [condition, holds] of conditions) {
  test(`${condition} is ${holds}`, async () => {
    const { sets, errors } = await batch(await openSession(), `select iif(${condition}, 1, 0)`);
    assert.deepEqual(errors, []);
    assert.deepEqual(sets[0]?.rows, [[holds ? 1 : 0]]);
  });
}

const refused: readonly [text: string, number: number][] = [
  ["select 'a' collate Nowhere_CI_AS", 448],
  ['select 1 collate Latin1_General_BIN', 447],
  ["select 'a' collate Bengali_100_CI_AS", 459],
  ["select 'a' collate Latin1_General_90_CI_AS", 448],
  ['select * from fn_nothing()', 208],
  ['select * from dbo.fn_helpcollations()', 208],
  ["select iif('a' collate Latin1_General_BIN = 'b' collate Latin1_General_CS_AS, 1, 0)", 468],
  ['create table #t (a int collate Latin1_General_BIN)', 447],
];
for (const [text, number] of refused) {
  test(`${text} is ${number}`, async () => {
    const { errors } = await batch(await openSession(), text);
    assert.deepEqual(
      errors.map((error) => error.number),
      [number],
    );
  });
}

test('columns sort, group, join and stay unique by their collation, which COLLATE overrules', async () => {
  const { sets, errors } = await batch(
    await openSession(),
    `create table #t (a varchar(5) collate Latin1_General_CS_AS primary key)
     insert #t values ('a'), ('A'), ('b')
     select count(*) from (select distinct a from #t) as d
     select a from #t where a = 'A'
     select count(*) from #t as x join #t as y on x.a = y.a
     select count(*) from #t as x join #t as y on x.a = y.a collate Latin1_General_CI_AS
     select a from #t order by a collate Latin1_General_BIN
     select count(*) from #t group by a collate Latin1_General_CI_AS order by 1`,
  );
  assert.deepEqual(errors, []);
  assert.deepEqual(
    sets.map((set) => set.rows),
    [[[3]], [['A']], [[3]], [[5]], [['A'], ['a'], ['b']], [[1], [2]]],
  );
});

test('text stays in the code page of its collation', async () => {
  const { sets } = await batch(
    await openSession(),
    `create table #t (n nvarchar(9) collate Cyrillic_General_CS_AS, j nvarchar(9) collate Japanese_CI_AS)
     insert #t values (N'abcШ', N'日本x')
     select cast(n as varchar(9)) as n, cast(j as varchar(9)) as j, cast(N'Ш' as varchar(9)) as own from #t`,
  );
  assert.deepEqual(sets[0]?.rows, [['abcШ', '日本x', '?']]);
  assert.deepEqual(
    sets[0]?.columns.map(({ type }) => type.collation?.page),
    ['windows-1251', 'shift_jis', undefined],
  );
});

test('fn_helpcollations lists every collation, which COLLATIONPROPERTY tells about', async () => {
  const { sets, errors } = await batch(
    await openSession(),
    `select count(*), count(distinct name) from fn_helpcollations()
     select description from ::fn_helpcollations() where name = 'Latin1_General_100_CI_AS_KS_WS_SC_UTF8'
     select h.description from sys.fn_helpcollations() as h where h.name = 'SQL_Latin1_General_CP1_CI_AS'
     select cast(collationproperty('Chinese_PRC_Stroke_90_CS_AI', p) as int)
       from (values (1, 'CodePage'), (2, 'LCID'), (3, 'ComparisonStyle'), (4, 'Version')) as v(n, p) order by n
     select collationproperty('SQL_Polish_CP1250_CS_AS', 'sortid'), collationproperty('Nowhere_BIN', 'lcid')`,
  );
  assert.deepEqual(errors, []);
  assert.deepEqual(
    sets.slice(0, 4).map((set) => set.rows.flat()),
    [
      [5508, 5508],
      [
        'Latin1-General-100, case-insensitive, accent-sensitive, kanatype-sensitive, width-sensitive, supplementary characters, UTF8',
      ],
      [
        'Latin1-General, case-insensitive, accent-sensitive, kanatype-insensitive, width-insensitive for Unicode Data, SQL Server Sort Order 52 on Code Page 1252 for non-Unicode Data',
      ],
      [936, 0x20804, 0x30002, 1],
    ],
  );
  const [sortId, nothing] = sets[4]?.rows[0] ?? [];
  assert.deepEqual([(sortId as { value: unknown }).value, nothing], [87, null]);
});

test('the code pages of DOS are kept, too', async () => {
  const { sets } = await batch(
    await openSession(),
    `select cast(N'┴Φé' collate SQL_Latin1_General_CP437_CI_AS as varchar(9)),
       cast(N'┴Φé' collate SQL_Latin1_General_CP850_BIN as varchar(9)),
       cast(cast(N'é' collate SQL_Latin1_General_CP850_BIN as varchar(9)) as varbinary(9)),
       datalength(cast(N'日本x' collate Japanese_CI_AS as varchar(9)))`,
  );
  const [first, second, bytes, length] = sets[0]?.rows[0] ?? [];
  assert.deepEqual([first, second, length], ['┴Φé', '┴?é', 5]);
  assert.equal(Buffer.from(bytes as Uint8Array).toString('hex'), '82');
});
