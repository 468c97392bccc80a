import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch } from '../../../../test/support/recorder.ts';
import { openSession } from '../../../../test/support/session.ts';

const tables = `declare @team table (id int, title nvarchar(9)) insert @team values (1, 'Red'), (2, 'Blue')
  declare @people table (id int, name nvarchar(9), team int, born date)
  insert @people values (1, 'Ann', 1, '2001-02-03'), (2, 'Bob', 1, null), (3, 'Cid', 2, null) `;

/** The text that a query becomes, its pieces put together. */
async function textOf(query: string): Promise<string | undefined> {
  const { sets, errors } = await batch(await openSession(), tables + query);
  assert.deepEqual(errors, []);
  const rows = sets[0]?.rows ?? [];
  return rows.length === 0 ? undefined : rows.map(([piece]) => piece).join('');
}

const texts: readonly [query: string, text: string | undefined][] = [
  ["select 1 as a, null as b, 'x' as c for xml raw", '<row a="1" c="x"/>'],
  ["select 1 as a, null as b for xml raw('line'), elements, root", '<root><line><a>1</a></line></root>'],
  [
    'select 1 as a, null as b for xml raw, elements xsinil',
    '<row xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><a>1</a><b xsi:nil="true"/></row>',
  ],
  [
    'select 1 as [two words], 2 as [1st], 3 as a_x0041_b for xml raw',
    '<row two_x0020_words="1" _x0031_st="2" a_x005F_x0041_b="3"/>',
  ],
  ['select \'a<b & "c">\' + char(13) as t for xml raw', '<row t="a&lt;b &amp; &quot;c&quot;&gt;&#x0D;"/>'],
  ['select id, name from @people p where team = 1 for xml auto', '<p id="1" name="Ann"/><p id="2" name="Bob"/>'],
  [
    'select t.title, p.name from @team t join @people p on p.team = t.id order by t.id, p.id for xml auto',
    '<t title="Red"><p name="Ann"/><p name="Bob"/></t><t title="Blue"><p name="Cid"/></t>',
  ],
  [
    "select t.title, p.name, len(p.name) as l from @team t join @people p on p.team = t.id where t.id = 2 for xml auto, elements, root('all')",
    '<all><t><title>Blue</title><p><name>Cid</name><l>3</l></p></t></all>',
  ],
  ['select id from @people for xml auto', '<_x0040_people id="1"/><_x0040_people id="2"/><_x0040_people id="3"/>'],
  ["select name from sys.databases where name = 'master' for xml auto", '<sys.databases name="master"/>'],
  [
    "select name from master.sys.databases where name = 'master' for xml auto, type",
    '<master.sys.databases name="master"/>',
  ],
  ["select databases.name from sys.databases where name = 'master' for xml auto", '<sys.databases name="master"/>'],
  ["select 1 as 'a.b.c', 2 as 'a.x' for xml path", '<row><a.b.c>1</a.b.c><a.x>2</a.x></row>'],
  [
    "select id as '@id', name as 'name/first', 'x' as 'name/last', born from @people for xml path('p'), root('all')",
    '<all><p id="1"><name><first>Ann</first><last>x</last></name><born>2001-02-03</born></p><p id="2"><name><first>Bob</first><last>x</last></name></p><p id="3"><name><first>Cid</first><last>x</last></name></p></all>',
  ],
  ["select 1 as td, 2 as td, '' , 3 as td for xml path('tr')", '<tr><td>12</td><td>3</td></tr>'],
  ["select 1 as td, null , 3 as td for xml path('tr')", '<tr><td>1</td><td>3</td></tr>'],
  ["select '' as a, 'b' as 'text()', 'c' as 'x/comment()' for xml path", '<row><a></a>b<x><!--c--></x></row>'],
  ["select id as 'data()' from @people for xml path('')", '123'],
  ["select 1 as 'l/data()', 2 as 'l/data()' for xml path('')", '<l>1 2</l>'],
  ["select stuff((select ', ' + name from @people order by id for xml path('')), 1, 2, '')", 'Ann, Bob, Cid'],
  ["select (select 'a' as b for xml path(''))", '<b>a</b>'],
  ["select (select 'a' as b for xml path('')) as c for xml path('')", '<c>&lt;b&gt;a&lt;/b&gt;</c>'],
  ["select (select 'a' as b for xml path(''), type) as c for xml path('')", '<c><b>a</b></c>'],
  ["select (select 'a' as b for xml path(''), type) as c for xml raw", '<row><c><b>a</b></c></row>'],
  [
    "select cast(1.5 as float) f, cast(1 as bit) b, cast('2024-01-02T03:04:05.120' as datetime) d, 0x0102 x, cast(2 as money) m for xml raw",
    '<row f="1.500000000000000e+000" b="1" d="2024-01-02T03:04:05.120" x="AQI=" m="2.0000"/>',
  ],
  ['select 1 as a where 1 = 0 for xml raw', undefined],
  ["select 1 as 'a.b.c', 2 as 'a.b.d', 3 as 'a.x', null as n for json path", '[{"a":{"b":{"c":1,"d":2},"x":3}}]'],
  ["select 1 as a, null as n for json path, include_null_values, root('r')", '{"r":[{"a":1,"n":null}]}'],
  [
    "select 'x/y\"' + char(10) as a, cast(1 as bit) as b for json path, without_array_wrapper",
    '{"a":"x\\/y\\"\\n","b":true}',
  ],
  [
    'select t.title, p.name from @team t join @people p on p.team = t.id order by t.id, p.id for json auto',
    '[{"title":"Red","p":[{"name":"Ann"},{"name":"Bob"}]},{"title":"Blue","p":[{"name":"Cid"}]}]',
  ],
  [
    'select title, (select name from @people p where p.team = t.id for json path) as people from @team t for json auto',
    '[{"title":"Red","people":[{"name":"Ann"},{"name":"Bob"}]},{"title":"Blue","people":[{"name":"Cid"}]}]',
  ],
  [
    "select cast('2024-01-02' as date) d, cast(1.50 as decimal(9,2)) n, cast('6f9619ff-8b86-d011-b42d-00c04fc964ff' as uniqueidentifier) g for json path",
    '[{"d":"2024-01-02","n":1.50,"g":"6F9619FF-8B86-D011-B42D-00C04FC964FF"}]',
  ],
  ['select id from @people where id > 9 for json path', undefined],
  [
    'with n(n) as (select 1 union all select n + 1 from n where n < 3) select n from n option (maxrecursion 5) for xml auto',
    '<n n="1"/><n n="2"/><n n="3"/>',
  ],
  [
    'with n(n) as (select 1 union all select n + 1 from n where n < 3) select n from n for json auto option (maxrecursion 5)',
    '[{"n":1},{"n":2},{"n":3}]',
  ],
];

for (const [query, text] of texts) {
  test(query, async () => {
    assert.equal(await textOf(query), text);
  });
}

test('a client gets the text in pieces of 2,033 characters, under the names that it knows', async () => {
  const long =
    'with n(n) as (select 1 union all select n + 1 from n where n < 1000) select n from n option (maxrecursion 1000) for';
  for (const [what, name, length] of [
    ['xml auto', 'XML_F52E2B61-18A1-11d1-B105-00805F49916B', 11_893],
    ['json auto', 'JSON_F52E2B61-18A1-11d1-B105-00805F49916B', 9_894],
  ] as const) {
    const { sets } = await batch(await openSession(), `${long} ${what}`);
    assert.deepEqual(
      sets[0]?.columns.map((column) => [column.name, column.type.name]),
      [[name, 'ntext']],
    );
    const lengths = sets[0]?.rows.map(([piece]) => String(piece).length) ?? [];
    assert.equal(
      lengths.reduce((sum, each) => sum + each, 0),
      length,
    );
    assert.deepEqual(new Set(lengths.slice(0, -1)), new Set([2033]));
  }
});

const mistakes: readonly [string, number][] = [
  ['select 1 for xml raw', 6809],
  ['select 1 as a for xml auto', 6800],
  ['select 1 as a for json auto', 13600],
  ['select 1 for json path', 13605],
  ["select 1 as 'a.b', 2 as c, 3 as 'a.d' for json path", 13601],
  ['select 1 as a, 2 as a for json path', 13601],
  ['select 1 as a, 2 as a for xml raw', 6810],
  ["select 1 as b, 2 as '@a' for xml path", 6852],
  ["select 1 as '@a' for xml path('')", 6864],
  ["select 1 as 'a b' for xml path", 6850],
  ['select char(1) as a for xml raw', 6841],
  ["select 1 as a for json path, root('x'), without_array_wrapper", 13620],
  ['create table #t (a nvarchar(max)) insert #t select 1 as a for xml raw', 6819],
  ['declare @x int select @x = 1 for json path', 13602],
  ['select 1 as a for xml explicit', 102],
  ["select * from (select 1 as a for xml path('')) d", 8155],
];

for (const [query, number] of mistakes) {
  test(`${query} fails with ${number}`, async () => {
    const { errors } = await batch(await openSession(), query);
    assert.deepEqual(
      errors.map((error) => error.number),
      [number],
    );
  });
}
