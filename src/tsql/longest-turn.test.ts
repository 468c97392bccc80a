import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { longestUsualTurn } from '../../test/support/longest-turn.ts';
import { nastyTexts } from '../../test/support/nasty-text.ts';
import { batch, Recorder } from '../../test/support/recorder.ts';
import { openSession } from '../../test/support/session.ts';
import { SqlError } from '../base/messages/sql-error.ts';
import type { Argument } from '../procedure/run/bind.ts';
import type { SessionHost } from '../session/session-host.ts';
import { typeNames } from '../syntax/parser/data-type.ts';
import { nvarchar, varbinary, varchar } from '../tds/types/index.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import { callProcedure } from './call-procedure.ts';
import { aggregateNames } from './functions/aggregate-names.ts';
import { functions } from './functions/functions.ts';

// Alone in its process: it measures how long others wait for the event loop.

/** Milliseconds that everybody else may have to wait for one statement. */
const bound = 50;

async function run(host: SessionHost, text: string, type: AnyType, value: unknown): Promise<void> {
  const argument = (name: string, of: AnyType, given: unknown): Argument => ({
    name,
    type: of,
    value: given,
    output: false,
    byDefault: false,
  });
  const args = [
    argument('', nvarchar('max'), text),
    argument('', nvarchar('max'), `@x ${type.declaration}`),
    argument('@x', type, value),
  ];
  try {
    await callProcedure(host, 'sp_executesql', args, new Recorder(), new AbortController().signal);
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
  }
}

/** Runs statements on every nasty input and lists those that kept others waiting. */
async function slowOnes(
  statements: readonly string[],
  length: number,
  type: AnyType,
  shapes: readonly string[] = Object.keys(nastyTexts),
): Promise<string[]> {
  const host = await openSession();
  const slow: string[] = [];
  for (const shape of shapes) {
    const text = nastyTexts[shape]?.(length) ?? '';
    const value = type.name === 'varbinary' ? new Uint8Array(Buffer.from(text)) : text;
    for (const statement of statements) {
      const longest = await longestUsualTurn(() => run(host, statement, type, value), bound);
      if (longest > bound) slow.push(`${statement} on ${length} of ${shape}: ${longest.toFixed(0)} ms`);
    }
  }
  return slow;
}

const one = "'1'";

/** Calls of a function with the input in every place alone, and in all of them. */
function* callsOf(name: string): Generator<string> {
  const spec = functions[name];
  if (spec === undefined) return;
  const { min, max, datePart } = spec;
  for (const count of new Set([min, Math.min(max, 4)])) {
    const places = Array.from({ length: count - (datePart ? 1 : 0) }, (_, at) => at);
    const shown = (args: readonly string[]) => `select ${name}(${[...(datePart ? ['day'] : []), ...args].join(', ')})`;
    if (places.length === 0) continue;
    yield shown(places.map(() => '@x'));
    if (places.length > 1) for (const at of places) yield shown(places.map((place) => (place === at ? '@x' : one)));
  }
}

const comparisons = ['=', '<', '<>', '>=', 'like', 'not like'];
const collations = ['Latin1_General_BIN2', 'Latin1_General_CS_AS', 'Latin1_General_CI_AI', 'Japanese_CI_AS'];
const operators = [
  ...['+', '-', '*', '/', '%', '&', '|', '^'].flatMap((operator) => [
    `select @x ${operator} @x`,
    `select @x ${operator} 1`,
    `select 1.5 ${operator} @x`,
    `select getdate() ${operator} @x`,
  ]),
  ...comparisons.flatMap((operator) => [
    `select 1 where @x ${operator} @x`,
    `select 1 where @x ${operator} @x + N'x'`,
    `select 1 where N'a' + @x ${operator} @x`,
    `select 1 where @x ${operator} N'a'`,
    `select 1 where N'a' ${operator} @x`,
  ]),
  ...collations.flatMap((collation) =>
    ['=', '<', 'like'].flatMap((operator) => [
      `select 1 where @x collate ${collation} ${operator} @x + N'x'`,
      `select 1 where @x collate ${collation} ${operator} @x`,
    ]),
  ),
  "select 1 where @x like @x escape N'a'",
  'select -@x',
  'select ~@x',
  'select 1 where @x between @x and @x',
  "select 1 where @x in (N'a', @x, N'b')",
  'select case @x when @x then @x else 1 end',
  'select distinct @x from (values (1), (2)) v (a)',
  'select @x from (values (1), (2)) v (a) order by @x',
  'select count(*) from (values (1), (2)) v (a) group by @x',
  'select a.v from (select @x v) a join (select @x v) b on a.v = b.v',
  'select @x union select @x',
  'select @x a for xml path',
  'select @x a for xml raw',
  'select @x a for json path',
  'print @x',
  'raiserror(@x, 0, 1)',
  'raiserror(@x, 0, 1, @x)',
  'declare @y nvarchar(max) = @x; set @y += @x; select len(@y)',
  'exec(@x)',
  'exec @x',
  "create table #t (v nvarchar(max) check (v <> N'a'), w as reverse(v)) insert #t (v) values (@x)",
  'declare c cursor for select @x; open c; fetch c; close c; deallocate c',
];

function* conversions(): Generator<string> {
  for (const name of typeNames) {
    yield `select cast(@x as ${name})`;
    for (const style of [1, 2, 103, 126, 130]) yield `select try_convert(${name}, @x, ${style})`;
  }
}

const aggregates = [...aggregateNames].flatMap((name) =>
  name === 'STRING_AGG'
    ? [`select ${name}(@x, @x) from (values (1), (2), (3)) v (a)`]
    : [
        `select ${name}(@x) from (values (1), (2), (3)) v (a)`,
        `select ${name}(distinct @x) from (values (1), (2), (3)) v (a)`,
      ],
);

const short = 8000;
/** What is still read as a name: longer texts are none. */
const asLongAsNames = 996;
const long = 2_000_000;
/** What long texts are made of: the shapes that cost most. */
const longShapes = [
  'blanks before a letter',
  'digits',
  'letters in turn',
  'lone surrogates',
  'percent signs and letters',
];

/** The call of a function with the input in all its places. */
const everywhere = (name: string): string[] => [...callsOf(name)].slice(0, 1);

describe('no statement keeps others waiting for more than 50 ms', () => {
  const names = Object.keys(functions);
  test('functions of 8000 characters', async () => {
    assert.deepEqual(
      await slowOnes(
        names.flatMap((name) => [...callsOf(name)]),
        short,
        nvarchar('max'),
      ),
      [],
    );
  });
  test('functions of texts that are as long as names may be', async () => {
    const calls = names.flatMap((name) => [...callsOf(name)]);
    assert.deepEqual(await slowOnes(calls, asLongAsNames, nvarchar('max')), []);
  });
  test('operators and aggregates of 8000 characters', async () => {
    assert.deepEqual(await slowOnes([...operators, ...aggregates], short, nvarchar('max')), []);
  });
  test('conversions of 8000 characters', async () => {
    assert.deepEqual(await slowOnes([...conversions()], short, nvarchar('max')), []);
  });
  test('functions of 2000000 characters', async () => {
    assert.deepEqual(await slowOnes(names.flatMap(everywhere), long, nvarchar('max'), longShapes), []);
  });
  test('operators and aggregates of 2000000 characters', async () => {
    assert.deepEqual(await slowOnes([...operators, ...aggregates], long, nvarchar('max'), longShapes), []);
  });
  test('conversions of 2000000 characters', async () => {
    const casts = typeNames.map((name) => `select cast(@x as ${name})`);
    assert.deepEqual(await slowOnes(casts, long, nvarchar('max'), [...longShapes, 'tags of XML']), []);
  });
  test('documents of XML that are one text, one value or one tag', async () => {
    const host = await openSession();
    const attributes = Array.from({ length: 9000 }, (_, at) => `a${at}=""`).join(' ');
    const documents: Readonly<Record<string, string>> = {
      'references in a text': `<a>${'&lt;'.repeat(1_200_000)}</a>`,
      'references in a value': `<a b="${'&lt;'.repeat(1_200_000)}"/>`,
      'what is to be escaped': `<a><![CDATA[${'&'.repeat(3_000_000)}]]></a>`,
      'blanks to be escaped': `<a>${'\r'.repeat(3_000_000)}x</a>`,
      'tags of many attributes': `<a ${attributes}/>`.repeat(20),
      'lines before a mistake': `<a>${'\n'.repeat(4_000_000)}<`,
    };
    for (const [what, document] of Object.entries(documents)) {
      const statement = 'declare @y xml = @x select @y = @x';
      const turn = await longestUsualTurn(() => run(host, statement, nvarchar('max'), document), bound);
      assert.ok(turn <= bound, `${what}: ${turn} ms`);
    }
  });
  test('documents of JSON of 8000000 characters', async () => {
    const host = await openSession();
    const documents: Record<string, string> = {
      'an array of numbers': `[${'12345678,'.repeat(900_000)}0]`,
      'an array of objects': `[${'{"a":{"b":[]}},'.repeat(500_000)}0]`,
      'many members': `{${'"member":null,'.repeat(500_000)}"a":1}`,
      'a long text': `["${'text and \\n'.repeat(700_000)}"]`,
      'a long name': `{"${'name'.repeat(2_000_000)}":1}`,
      blanks: `[${' '.repeat(8_000_000)}1]`,
    };
    const statements = [
      "select json_value(@x, '$.a'), json_value(@x, '$[10000000]')",
      "select isjson(@x), len(json_query(@x)), len(json_modify(@x, 'append $', @x))",
      'select count(*), max(len(value)) from openjson(@x)',
      "select count(*) from openjson(@x) with (a nvarchar(max) '$.a.b' as json)",
    ];
    for (const [what, document] of Object.entries(documents)) {
      for (const statement of statements) {
        const turn = await longestUsualTurn(() => run(host, statement, nvarchar('max'), document), bound);
        assert.ok(turn <= bound, `${statement} of ${what}: ${turn} ms`);
      }
    }
  });
  test('FOR XML and FOR JSON of 20000 rows', async () => {
    const host = await openSession();
    const filled = `select top 20000 a.name n, a.column_id c, b.name m into #t
      from sys.all_columns a cross join (select top 8 name from sys.all_columns) b`;
    assert.deepEqual((await batch(host, filled)).errors, []);
    for (const wish of ['xml path', "xml raw, root('r')", 'xml auto, elements', 'json path', 'json auto']) {
      const turn = await longestUsualTurn(async () => {
        const { errors, sets } = await batch(host, `select * from #t for ${wish}`);
        assert.deepEqual(errors, []);
        assert.ok((sets[0]?.rows.length ?? 0) > 100);
      }, bound);
      assert.ok(turn <= bound, `${wish}: ${turn} ms`);
    }
  });
  test('expressions that use a value several times, each within the next', async () => {
    const host = await openSession();
    const uses: readonly ((value: string) => string)[] = [
      (value) => `~${value}`,
      (value) => `nullif(${value}, 5)`,
      (value) => `case when ${value} between 1 and 2 then 1 else 0 end`,
      (value) => `case ${value} when 7 then 1 when 8 then 2 else 1 end`,
      (value) => `case when ${value} in (8, @a, @a + 1) then 1 else 0 end`,
      (value) => `case when ${value} in (select 8) then 0 else 1 end`,
    ];
    for (const use of uses) {
      const nested = Array.from({ length: 24 }).reduce<string>(use, '1');
      const turn = await longestUsualTurn(async () => {
        const { errors, sets } = await batch(host, `declare @a int = 0 select ${nested}`);
        assert.deepEqual([errors, sets[0]?.rows], [[], [[1]]]);
      }, bound);
      assert.ok(turn <= bound, `${use('x')}: ${turn} ms`);
    }
  });
  test('a statement that would take longer to read is error 8623', async () => {
    const host = await openSession();
    const errorsOf = async (values: number) => {
      const { errors } = await batch(host, `select 1 where 1 in (${'1,'.repeat(values)}1)`);
      return errors.map(({ number }) => number);
    };
    assert.deepEqual(await errorsOf(49_000), []);
    assert.deepEqual(await errorsOf(51_000), [8623]);
    const decimals = `select 1 where 1 in (${'1.5,'.repeat(49_000)}1.0)`;
    const turn = await longestUsualTurn(async () => {
      assert.deepEqual((await batch(host, decimals)).sets[0]?.rows, [[1]]);
    }, bound);
    assert.ok(turn <= bound, `decimals: ${turn} ms`);
  });
  test('a statement that would take longer to compile is error 8623', async () => {
    const host = await openSession();
    const errorsOf = async (text: string) => (await batch(host, text)).errors.map(({ number }) => number);
    const exist = (count: number) =>
      Array.from({ length: count }, (_, at) => `exists (select 1 from sys.databases where database_id = ${at})`);
    const any = (count: number) => `select 1 where ${exist(count).join(' or ')}`;
    assert.deepEqual(await errorsOf(any(800)), []);
    assert.deepEqual(await errorsOf(any(1000)), [8623]);
    const scalars = Array.from({ length: 4096 }, (_, at) => `(select ${at})`);
    assert.deepEqual(await errorsOf(`select ${scalars.join()}`), [8623]);
    const branches = Array.from({ length: 1400 }, (_, at) => `select ${at}, name from sys.databases`);
    assert.deepEqual(await errorsOf(branches.join(' union all ')), [8623]);
    assert.deepEqual(await errorsOf(branches.slice(0, 200).join(' union all ')), []);
    const floats = `select 1 where 1 in (${'1.5e0,'.repeat(30_000)}1)`;
    assert.deepEqual(await errorsOf(floats), [8623]);
  });
  test('a UNION of as many rows as are written to be inserted at once takes no longer than they do', async () => {
    const host = await openSession();
    for (const operator of ['union all', 'union']) {
      const rows = Array.from(
        { length: 2000 },
        (_, at) => `select ${at}, N'name ${at}', 'x', cast(${at} as bigint), 1.5`,
      );
      const text = `${rows.join(` ${operator} `)} order by 1`;
      const turn = await longestUsualTurn(async () => {
        const { errors, sets } = await batch(host, text);
        assert.deepEqual(errors, []);
        assert.equal(sets[0]?.rows.length, 2000);
      }, bound);
      assert.ok(turn <= bound, `${operator}: ${turn} ms`);
    }
  });
  test('equalities that join tables by commas are compiled once for all of them', async () => {
    const tables = Array.from({ length: 250 }, (_, at) => `(select ${at} a, ${at} b, ${at} c, ${at} d) t${at}`);
    const equal = tables
      .slice(1)
      .flatMap((_, at) => [...'abcd'].map((name) => `t${at}.${name} + 1 = t${at + 1}.${name}`));
    // For each of the joins anew they would be half a million expressions, which is more than a statement may be.
    const { errors, sets } = await batch(await openSession(), `select 1 from ${tables} where ${equal.join(' and ')}`);
    assert.deepEqual(errors, []);
    assert.deepEqual(sets[0]?.rows, [[1]]);
  });
  test('as many tables joined by commas as a statement may name are compiled in one turn', async () => {
    const host = await openSession();
    const tables = Array.from({ length: 250 }, (_, at) => `sys.databases t${at}`);
    const joined = Array.from({ length: 7 }, (_, at) => `(select 1 a from ${tables} where 1 = 0) d${at}`);
    const turn = await longestUsualTurn(async () => {
      const { errors, sets } = await batch(host, `select 1 from ${joined}`);
      assert.deepEqual([errors, sets[0]?.rows], [[], []]);
    }, bound);
    assert.ok(turn <= bound, `${turn} ms`);
  });
  test('views that read thousands of tables are looked through in turns', async () => {
    const host = await openSession();
    await batch(host, 'use tempdb create table straw (a int)');
    const views = Array.from({ length: 80 }, (_, at) => `select a from bale${at}`);
    const straws = Array.from({ length: 700 }, () => 'select a from straw').join(' union all ');
    for (const at of views.keys())
      assert.deepEqual((await batch(host, `create view bale${at} as ${straws}`)).errors, []);
    const turn = await longestUsualTurn(async () => {
      const { errors, sets } = await batch(host, `with unused as (${views.join(' union all ')}) select 1`);
      assert.deepEqual([errors, sets[0]?.rows], [[], [[1]]]);
    }, bound);
    assert.ok(turn <= bound, `${turn} ms`);
  });
  test('conversions and comparisons of 2000000 bytes, and of as many characters of a code page', async () => {
    const statements = [
      ...typeNames.map((name) => `select cast(@x as ${name})`),
      ...['LEN', 'REVERSE', 'HASHBYTES', 'CHECKSUM'].flatMap(everywhere),
      ...['LEFT_SHIFT', 'RIGHT_SHIFT', 'BIT_COUNT', 'GET_BIT', 'SET_BIT'].flatMap((name) => [...callsOf(name)]),
      'select @x << 3',
      'select @x >> 5',
      'select 1 where @x < @x + @x',
    ];
    assert.deepEqual(await slowOnes(statements, long, varbinary('max'), ['digits']), []);
    assert.deepEqual(await slowOnes(statements, long, varchar('max'), ['digits', 'lone surrogates']), []);
  });
});
