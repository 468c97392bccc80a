import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';

const document = `{"name":"Ann","age":41,"big":12345678901234567890.50,"is":true,"none":null,"tags":["x","y\\"\\u0041\\/",{"z":1}],"a b":{"c":{}}, "name":"Bob"}`;
const d = `N'${document}'`;

const values: readonly [expression: string, value: unknown][] = [
  [`json_value(${d}, '$.name')`, 'Ann'],
  [`json_value(${d}, 'lax $.age')`, '41'],
  [`json_value(${d}, '$.big')`, '12345678901234567890.50'],
  [`json_value(${d}, 'strict $.is')`, 'true'],
  [`json_value(${d}, 'strict $.none')`, null],
  [`json_value(${d}, '$.tags[1]')`, 'y"A/'],
  [`json_value(${d}, ' $ . tags [ 2 ] . z ')`, '1'],
  [`json_value(${d}, '$.tags[3]')`, null],
  [`json_value(${d}, '$.tags')`, null],
  [`json_value(${d}, '$.Name')`, null],
  [`json_value(${d}, '$.name.first')`, null],
  [`json_value(null, '$.a')`, null],
  [`json_value('{"a":"' + replicate('x', 4000) + '"}', '$.a') `, 'x'.repeat(4000)],
  [`json_value(cast('{"a":"' as varchar(max)) + replicate('x', 4001) + '"}', '$.a')`, null],
  [`json_value('{"a":1} and more', '$.a')`, '1'],
  [`json_query(${d}, '$."a b"')`, '{"c":{}}'],
  [`json_query(${d}, '$.tags')`, '["x","y\\"\\u0041\\/",{"z":1}]'],
  [`json_query(${d}, '$.name')`, null],
  [`json_query(' [1, 2] ')`, '[1, 2]'],
  [`isjson(${d})`, 1],
  ["isjson('[]')", 1],
  ["isjson('1')", 0],
  ['isjson(\'{"a":1,}\')', 0],
  ['isjson(\'{"a":01}\')', 0],
  ["isjson('[1] 2')", 0],
  ["isjson('')", 0],
  ['isjson(cast(null as varchar(9)))', null],
  [`json_path_exists(${d}, 'strict $.tags[2].z')`, 1],
  [`json_path_exists(${d}, '$.tags[3]')`, 0],
  [`json_path_exists(${d}, 'strict $.x')`, 0],
  [`json_path_exists('{"a":1} and more', '$.a')`, 0],
  ["json_path_exists(cast(null as varchar(9)), '$')", null],
  [`json_modify('{"a" : 1}', '$.a', 2)`, '{"a" : 2}'],
  [`json_modify('{"a":1}', '$.b', 'x/"y"')`, '{"a":1,"b":"x\\/\\"y\\""}'],
  [`json_modify('{}', '$.b', cast(1 as bit))`, '{"b":true}'],
  [`json_modify('{}', '$.b', cast(1.50 as decimal(9, 2)))`, '{"b":1.50}'],
  [`json_modify('{"a":1,"b":2,"c":3}', '$.b', null)`, '{"a":1,"c":3}'],
  [`json_modify('{"a":1,"b":2}', '$.a', null)`, '{"b":2}'],
  [`json_modify('{"a":1}', '$.a', null)`, '{}'],
  [`json_modify('{"a":1}', 'strict $.a', null)`, '{"a":null}'],
  [`json_modify('[1,2,3]', '$[1]', null)`, '[1,null,3]'],
  [`json_modify('[1,2,3]', '$[3]', 4)`, '[1,2,3]'],
  [`json_modify('{"a":[1]}', 'append $.a', 2)`, '{"a":[1,2]}'],
  [`json_modify('{"a":[ ]}', 'append lax $.a', 'x')`, '{"a":[ "x"]}'],
  [`json_modify('{}', 'append $.a', 1)`, '{"a":[1]}'],
  [`json_modify('[]', 'append $', 1)`, '[1]'],
  [`json_modify('{}', '$.x.y', 1)`, '{}'],
  [`json_modify('{}', '$.a', json_query('{"b" : [1]}'))`, '{"a":{"b" : [1]}}'],
  [`json_modify('{}', '$.a', '[1]')`, '{"a":"[1]"}'],
  [`json_modify('{}', '$.a', json_modify('{}', '$.b', 1))`, '{"a":{"b":1}}'],
  [`json_modify('{}', '$.a', (select 1 as b for json path))`, '{"a":[{"b":1}]}'],
];

const refused: readonly [expression: string, number: number, state: number][] = [
  ["json_value('{}', 'strict $.a')", 13608, 1],
  [`json_value('{"a":[1]}', 'strict $.a')`, 13623, 2],
  [`json_query('{"a":1}', 'strict $.a')`, 13624, 2],
  [`json_value(cast('{"a":"' as varchar(max)) + replicate('x', 4001) + '"}', 'strict $.a')`, 13625, 1],
  ["json_value('{}', 'a')", 13607, 14],
  ["json_value('{}', '$.')", 13607, 14],
  ["json_value('{}', 'append $.a')", 13607, 14],
  ["json_value('{}', '$.a' + replicate('[0]', 200))", 13606, 1],
  ["json_value('{not valid}', '$.x')", 13609, 1],
  [`json_value('{"a":1} and more', '$.b')`, 13609, 1],
  ["json_value('1', '$')", 13609, 1],
  [`json_query('{"a":[1', '$.a')`, 13609, 1],
  ["json_query(replicate('[', 129), '$')", 13606, 1],
  [`json_modify('{"a":1} and more', '$.a', 2)`, 13609, 1],
  ["json_modify('{}', '$', 1)", 13619, 1],
  ["json_modify('{}', 'strict $.a', 1)", 13608, 1],
  [`json_modify('{"a":1}', 'append strict $.a', 1)`, 13621, 1],
  ["json_modify('{}', '$.a', getdate())", 8116, 1],
  ["json_value('{}', cast(null as varchar(9)))", 8116, 1],
  ['json_value(1, 2)', 8116, 1],
  ["json_value('{}')", 174, 1],
];

describe('JSON functions', () => {
  for (const [expression, value] of values) {
    test(`${expression.replace(document, '…').slice(0, 90)} is what SQL Server says`, async () => {
      const { sets, errors } = await batch(await openSession(), `select ${expression}`);
      assert.deepEqual(errors, []);
      assert.deepEqual(sets[0]?.rows, [[value]]);
    });
  }

  for (const [expression, number, state] of refused) {
    test(`${expression.slice(0, 90)} is error ${number}`, async () => {
      const { errors } = await batch(await openSession(), `select ${expression}`);
      assert.deepEqual(
        errors.map((error) => [error.number, error.state]),
        [[number, state]],
      );
    });
  }

  test('an error of JSON names the first character that does not belong there, and where it stands', async () => {
    const host = await openSession();
    const messageOf = async (expression: string) => (await batch(host, `select ${expression}`)).errors[0]?.message;
    const text = (character: string, at: number) =>
      `JSON text is not properly formatted. Unexpected character '${character}' is found at position ${at}.`;
    const path = (character: string, at: number) =>
      `JSON path is not properly formatted. Unexpected character '${character}' is found at position ${at}.`;
    assert.equal(await messageOf("json_value('{not valid}', '$.x')"), text('n', 1));
    assert.equal(await messageOf(`json_value('{"a":1x}', '$.a')`), text('1', 5));
    assert.equal(await messageOf(`json_value('{"a":"x', '$.a')`), text('"', 5));
    assert.equal(await messageOf(`json_query('[1', '$')`), text('.', 2));
    assert.equal(await messageOf("json_value('{}', 'no')"), path('n', 0));
    assert.equal(await messageOf("json_value('{}', '$.')"), path('.', 2));
    assert.equal(await messageOf("json_value('{}', '$.a b')"), path('b', 4));
    assert.equal(await messageOf("json_value('{}', '$[a]')"), path('a', 2));
    assert.equal(await messageOf("json_value('{}', '$[1x]')"), path('x', 3));
    assert.equal(await messageOf(`json_value('{}', '$."a"x')`), path('x', 5));
    assert.equal(await messageOf(`json_value('{}', '$."a')`), path('.', 4));
  });

  test('FOR JSON embeds what JSON_QUERY and JSON_MODIFY give as it is', async () => {
    const text = `select json_query('[1]') a, json_modify('{}', '$.b', 1) b, '[1]' c for json path, without_array_wrapper`;
    const { sets } = await batch(await openSession(), text);
    assert.deepEqual(sets[0]?.rows, [['{"a":[1],"b":{"b":1},"c":"[1]"}']]);
  });
});

const opened: readonly [query: string, rows: readonly (readonly unknown[])[]][] = [
  [
    `select * from openjson('{"a":1,"b":"x","c":null,"d":true,"e":[1, 2],"f":{"g":1},"a":2}')`,
    [
      ['a', '1', 2],
      ['b', 'x', 1],
      ['c', null, 0],
      ['d', 'true', 3],
      ['e', '[1, 2]', 4],
      ['f', '{"g":1}', 5],
      ['a', '2', 2],
    ],
  ],
  [
    'select [key], value from openjson(\'["x", 5]\') as j',
    [
      ['0', 'x'],
      ['1', '5'],
    ],
  ],
  [`select value from openjson('{"a":{"b":[7,8]}}', '$.a.b')`, [['7'], ['8']]],
  ["select * from openjson('[]')", []],
  ['select * from openjson(null)', []],
  ["select * from openjson('{}', '$.a')", []],
  [
    `select * from openjson('[{"id":1,"Name":"Ann","in":{"d":"2026-01-02"},"t":[1]},{"id":2}]')
       with (id int, name nvarchar(2) '$.Name', [day] varchar(10) 'lax $.in.d', t nvarchar(max) as json, whole nvarchar(max) '$' as json)`,
    [
      [1, 'An', '2026-01-02', '[1]', '{"id":1,"Name":"Ann","in":{"d":"2026-01-02"},"t":[1]}'],
      [2, null, null, null, '{"id":2}'],
    ],
  ],
  [`select * from openjson('{"a":true,"b":"AQI="}') with (a bit, b varbinary(5))`, [[true, '0x0102']]],
  [
    "declare @p nvarchar(100) = '[3,1]' select n from (values (1), (2), (3)) v(n) where n in (select i.value from openjson(@p) with (value int '$') as i) order by n",
    [[1], [3]],
  ],
  [
    `select t.id, j.value from (values (1, '[5]'), (2, '[]'), (3, '[6,7]')) t(id, doc) cross apply openjson(t.doc) j order by t.id, j.[key]`,
    [
      [1, '5'],
      [3, '6'],
      [3, '7'],
    ],
  ],
  [
    `select count(*), max(cast([key] as int)) from openjson('[0' + replicate(cast(',1' as varchar(max)), 5000) + ']')`,
    [[5001, 5000]],
  ],
];

const unopened: readonly [query: string, number: number][] = [
  ["select * from openjson('x')", 13609],
  ["select * from openjson('[1')", 13609],
  ["select * from openjson('{}', 'strict $.a')", 13608],
  [`select * from openjson('{"a":1}', 'strict $.a')`, 13611],
  ["select * from openjson('{}') with (a int 'strict $.a')", 13608],
  ["select * from openjson('{}') with (a int 'x')", 13607],
  ["select * from openjson('{}') with (a int as json)", 13618],
  ["select * from openjson('{}') with (a text)", 13614],
  [`select * from openjson('{"a":"x"}') with (a int)`, 245],
  [`select * from openjson('{"a":"?"}') with (a varbinary(9))`, 13612],
  [`select * from openjson('{"a":"AQI="}') with (a varbinary(1))`, 13613],
  ["select * from openjson('{}', null)", 8116],
  ['select * from openjson()', 313],
];

describe('OPENJSON', () => {
  for (const [query, rows] of opened) {
    test(`${query.slice(0, 90)}: gives the rows that SQL Server gives`, async () => {
      const { sets, errors } = await batch(await openSession(), query);
      assert.deepEqual(errors, []);
      assert.deepEqual(
        sets[0]?.rows.map((row) => row.map(shown)),
        rows,
      );
    });
  }

  for (const [query, number] of unopened) {
    test(`${query.slice(0, 90)}: error ${number}`, async () => {
      const { errors } = await batch(await openSession(), query);
      assert.deepEqual(
        errors.map((error) => error.number),
        [number],
      );
    });
  }

  test('many columns that are the same long part of a document end in error 701', async () => {
    const columns = Array.from({ length: 100 }, (_, at) => `c${at} nvarchar(max) '$' as json`).join(', ');
    const text = `declare @d nvarchar(max) = '["' + replicate(cast('x' as varchar(max)), 1000000) + '"]'
      select len(c0) from openjson('[' + @d + ']') with (${columns})`;
    const { errors } = await batch(await openSession({ statementMemory: 64 * 1024 * 1024 }), text);
    assert.deepEqual(
      errors.map(({ number }) => number),
      [701],
    );
  });
});

function shown(value: unknown): unknown {
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`;
  return typeof value === 'object' && value !== null ? String(value) : value;
}
