import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch } from '../../../../test/support/recorder.ts';
import { roundsOf } from '../../../../test/support/rounds-of.ts';
import { openSession } from '../../../../test/support/session.ts';
import { pace } from '../../../base/threads/turn.ts';

const usual = pace.turnLength;

const queries: readonly [query: string, rows: readonly (readonly unknown[])[]][] = [
  ["select * from string_split('a,bc,,d', ',')", [['a'], ['bc'], [''], ['d']]],
  ["select value from string_split('', ',')", [['']]],
  ["select value from string_split(null, ',')", []],
  [
    "select value, ordinal from string_split('a b', ' ', 1) order by ordinal desc",
    [
      ['b', 2n],
      ['a', 1n],
    ],
  ],
  ["select * from string_split('a b', ' ', 0)", [['a'], ['b']]],
  ["select * from string_split('a b', ' ', null)", [['a'], ['b']]],
  [
    "select v.id, s.value from (values (1, 'x|y'), (2, null)) v(id, t) cross apply string_split(v.t, '|') s",
    [
      [1, 'x'],
      [1, 'y'],
    ],
  ],
  [
    "declare @ids nvarchar(20) = N'3,5' select count(*) from (values (1), (3), (5)) v(id) where id in (select value from string_split(@ids, N','))",
    [[2]],
  ],
  ["select value from string_split((select 'a;b'), ';')", [['a'], ['b']]],
  ["select s.value from (values ('a;b')) v(t) cross apply string_split((select v.t), ';') s", [['a'], ['b']]],
  ['select count(*) from sys.dm_exec_sql_text((select 0x01))', [[0]]],
  ["select top 2 value from string_split(replicate(cast(',' as varchar(max)), 10000000), ',')", [[''], ['']]],
];

for (const [text, rows] of queries) {
  test(text, async () => {
    const { sets, errors } = await batch(await openSession(), text);
    assert.deepEqual(errors, []);
    assert.deepEqual(sets[0]?.rows, rows);
  });
}

test('a text that depends on no row is split once for all of them', async () => {
  const host = await openSession();
  const parts = `declare @parts varchar(max) = replicate(cast('a,' as varchar(max)), 30000)`;
  const rounds = (rows: number) =>
    roundsOf(async () => {
      const { sets, errors } = await batch(
        host,
        `${parts} select count(*) from (select top ${rows} name from sys.all_columns) r
         where name in (select value from string_split(@parts, ','))`,
      );
      assert.deepEqual([errors, sets[0]?.rows], [[], [[0]]]);
    });
  pace.turnLength = 0;
  const one = await rounds(1);
  const many = await rounds(10);
  pace.turnLength = usual;
  assert.ok(many < 2 * one, `${many} rounds for ten rows, ${one} for one`);
});

test('a text that depends on the row is split for each', async () => {
  const { sets } = await batch(
    await openSession(),
    `select v.t from (values ('a,b'), ('b,c')) v(t) where 'a' in (select value from string_split(v.t, ','))
       and exists (select 1 from string_split((select v.t), ',') where value = 'b')`,
  );
  assert.deepEqual(sets[0]?.rows, [['a,b']]);
});

const mistakes: readonly [string, number][] = [
  ["select value from string_split('a,b', ', ')", 214],
  ["select value from string_split('a,b', null)", 214],
  ["select value from string_split(5, ',')", 8116],
  ["select value from string_split('a')", 313],
  ["select value from string_split('a', ',', 1, 1)", 8144],
  ["select ordinal from string_split('a', ',')", 207],
  ["select value from string_split('a', ',', 2)", 4199],
  ["select value from string_split('a', ',', 'x')", 8116],
  ["declare @o bit = 1 select value from string_split('a', ',', @o)", 8748],
];

for (const [text, number] of mistakes) {
  test(`${text} fails with ${number}`, async () => {
    const { errors } = await batch(await openSession(), text);
    assert.deepEqual(
      errors.map((error) => error.number),
      [number],
    );
  });
}

test('string_split has the type of its text, in Unicode where the separator has it', async () => {
  const types = async (args: string) => {
    const { sets } = await batch(await openSession(), `select * from string_split(${args})`);
    return sets[0]?.columns.map(({ name, type }) => `${name} ${type.declaration}`);
  };
  assert.deepEqual(await types("cast('a' as varchar(20)), ','"), ['value varchar(20)']);
  assert.deepEqual(await types("cast('a' as varchar(20)), N','"), ['value nvarchar(20)']);
  assert.deepEqual(await types("cast('a' as nvarchar(max)), ',', 1"), ['value nvarchar(max)', 'ordinal bigint']);
});
