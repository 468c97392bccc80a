import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SqlError } from '../../base/messages/sql-error.ts';
import { atOnce } from '../../base/threads/steps.ts';
import { parse, parseParameters, parseSteps } from './parse.ts';

const kindsOf = (text: string): string[] => parse(text).statements.map(({ kind }) => kind);

const batches: readonly [string, readonly string[]][] = [
  ['', []],
  [';;', []],
  ['select 1 select 2;select 3', ['select', 'select', 'select']],
  ['sp_who', ['execute']],
  ['dbo.[p] 1, @x = 2', ['execute']],
  [
    'set ansi_nulls on\nset datefirst 7\nset language us_english\nset transaction isolation level read committed',
    ['setOption', 'setOption', 'setOption', 'setOption'],
  ],
  ['select precision, t.precision as precision from sys.types as t where precision > 3', ['select']],
  [
    'SELECT @@MAX_PRECISION\r\nSET IMPLICIT_TRANSACTIONS OFF\r\nSET TEXTSIZE 2147483647',
    ['select', 'setOption', 'setOption'],
  ],
  ['IF @@TRANCOUNT > 0 COMMIT TRAN', ['if']],
  ['begin tran t1 save tran s rollback tran s commit', ['transaction', 'transaction', 'transaction', 'transaction']],
  ['begin try select 1 end try begin catch throw end catch', ['try']],
  ["create table #t (a int not null primary key, b nvarchar(max) default (N'x'))", ['createTable']],
  ['create procedure #p @a int = 1 output as select @a return 2', ['createProcedure']],
  ['insert bulk t([id] int, [name] nvarchar(50) collate X) with (KEEP_NULLS, ORDER(id))', ['insertBulk']],
  ['SET FMTONLY ON select * from T SET FMTONLY OFF', ['setOption', 'select', 'setOption']],
  ["waitfor delay '00:00:01' print 1", ['waitfor', 'print']],
  ['l: goto l', ['label', 'goto']],
];

for (const [text, kinds] of batches) {
  test(`reads ${JSON.stringify(text)}`, () => {
    assert.deepEqual(kindsOf(text), kinds);
  });
}

const mistakes: readonly [string, number, number][] = [
  ['select 1\nfrom', 102, 2],
  ['select from t', 156, 1],
  ['select 1\n\nselect where', 156, 3],
  ['select 1\nmerge into t using s on 1 = 1 when matched then delete', 10713, 2],
  ['merge t using s on 1 = 1 when matched then insert default values;', 156, 1],
  ['merge t using s on 1 = 1;', 102, 1],
  ['\n\nbackup database x', 40510, 3],
  ["restore database x from disk = 'y'", 40510, 1],
  ['grant select on t to u', 102, 1],
  ['select @x', 137, 1],
  ['select * from @t', 1087, 1],
  ['declare @x int declare @X int', 134, 1],
  ['select cast(1 as nosuchtype)', 2715, 1],
  ['declare @x varchar(9000)', 131, 1],
  ['if 1 select 1', 4145, 1],
  ['select 1 where 5', 4145, 1],
  ['select (1 = 1)', 102, 1],
  ['begin select 1', 102, 1],
  ['exec p 1, @b = 2,\n3', 119, 2],
  ['insert into t values', 102, 1],
  ['select * from a.b.c.d.e', 7202, 1],
];

for (const [text, number, line] of mistakes) {
  test(`answers ${JSON.stringify(text)} with ${number}`, () => {
    assert.throws(() => parse(text), { number, line });
  });
}

test('answers an expression nested too deeply with 191 instead of running out of stack', () => {
  assert.throws(() => parse(`select ${'('.repeat(5000)}1${')'.repeat(5000)}`), { number: 191 });
  assert.throws(() => parse(`select ${'-'.repeat(1)} ${'- '.repeat(5000)}1`), { number: 191 });
  assert.throws(() => parse('begin '.repeat(5000)), { number: 191 });
  assert.throws(() => parse(`select * from ${'(select * from '.repeat(5000)}`), { number: 191 });
});

test('a row of operators may be long, but not endless', () => {
  assert.equal(kindsOf(`select ${'1+'.repeat(1000)}1`).length, 1);
  assert.throws(() => parse(`select ${'1+'.repeat(20_000)}1`), { number: 191 });
  assert.throws(() => parse(`select 1 where ${'1=1 or '.repeat(20_000)}1=1`), { number: 191 });
  assert.throws(() => parse(`select 1 ${'union select 1 '.repeat(20_000)}`), { number: 191 });
});

test('reads the declaration list of sp_executesql', () => {
  const params = parseParameters('@a int, @b nvarchar(20) OUTPUT, @c decimal(10,2) out');
  assert.deepEqual(
    params.map(({ name, type, output }) => [name, type.declaration, output]),
    [
      ['@a', 'int', false],
      ['@b', 'nvarchar(20)', true],
      ['@c', 'decimal(10,2)', true],
    ],
  );
  assert.throws(() => parseParameters('a int'), { number: 102 });
});

const words = fc.constantFrom(
  'select',
  'from',
  'where',
  'group',
  'by',
  'order',
  'having',
  'union',
  'all',
  'insert',
  'into',
  'values',
  'update',
  'set',
  'delete',
  'exec',
  'declare',
  '@a',
  '@@spid',
  'int',
  'nvarchar',
  '(',
  ')',
  ',',
  ';',
  '.',
  '=',
  '<>',
  '+',
  '-',
  '*',
  '/',
  '1',
  '1.5',
  "'x'",
  "N'y'",
  '0xAB',
  '[id]',
  '"q"',
  't',
  'a',
  'begin',
  'end',
  'try',
  'catch',
  'if',
  'else',
  'while',
  'case',
  'when',
  'then',
  'and',
  'or',
  'not',
  'null',
  'is',
  'in',
  'like',
  'between',
  'exists',
  'join',
  'left',
  'on',
  'top',
  'with',
  'as',
  'cast',
  'convert',
  'tran',
  'commit',
  'rollback',
  'print',
  'raiserror',
  'throw',
  'create',
  'table',
  '#t',
  'procedure',
  'return',
  'goto',
  ':',
  '{',
  '}',
  'over',
  'partition',
  'offset',
  'rows',
  'fetch',
  'bulk',
  'output',
  'default',
  'waitfor',
  'delay',
);

/** Reading ends in statements or in the error of a client's mistake, never in anything else. */
function endsWell(text: string): void {
  try {
    parse(text);
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    assert.ok(error.number > 0 && error.line >= 1);
  }
}

test('any sequence of tokens ends in statements or in a SqlError', () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 40 }), (tokens) => endsWell(tokens.join(' '))),
    { numRuns: 3000 },
  );
});

test('any text ends in statements or in a SqlError', () => {
  fc.assert(fc.property(fc.string({ maxLength: 200 }), endsWell), { numRuns: 2000 });
});

test('a good batch with tokens taken out, doubled or swapped ends in statements or in a SqlError', () => {
  const good = batches.map(([text]) => text.split(/\s+/));
  const edit = fc.record({
    batch: fc.nat(good.length - 1),
    at: fc.nat(30),
    other: fc.nat(30),
    way: fc.constantFrom('drop', 'double', 'swap'),
  });
  fc.assert(
    fc.property(edit, ({ batch, at, other, way }) => {
      const tokens = [...(good[batch] ?? [])];
      const i = tokens.length === 0 ? 0 : at % tokens.length;
      const j = tokens.length === 0 ? 0 : other % tokens.length;
      if (way === 'drop') tokens.splice(i, 1);
      else if (way === 'double') tokens.splice(i, 0, tokens[i] ?? '');
      else [tokens[i], tokens[j]] = [tokens[j] ?? '', tokens[i] ?? ''];
      endsWell(tokens.join(' '));
    }),
    { numRuns: 2000 },
  );
});

test('a long statement is read in steps, and so are long constants, comments and blanks', () => {
  const stepsOf = (text: string) => {
    const work = parseSteps(text);
    let count = 0;
    for (let step = work.next(); ; step = work.next()) {
      if (step.done) return { count, statements: step.value.statements.length };
      count++;
    }
  };
  const long = 1_000_000;
  for (const text of [
    `select 1 where 1 in (${'1,'.repeat(49_000)}1)`,
    `select '${"''".repeat(long)}'`,
    `select N'${"''".repeat(long)}', [a]`,
    `/*${'\n'.repeat(long)}*/ select 1`,
    `${'\n'.repeat(long)} select '${'\n'.repeat(long)}'`,
  ]) {
    const { count, statements } = stepsOf(text);
    assert.equal(statements, 1);
    assert.ok(count >= 9, `${text.slice(0, 20)}: ${count} steps`);
  }
  assert.deepEqual(stepsOf('select 1'), { count: 1, statements: 1 });
});

test('what is wrong further on in a long text is told after what is wrong before, and its line is right', () => {
  const lines = '\n'.repeat(50_000);
  assert.throws(() => atOnce(parseSteps(`select from t ${lines} 'unclosed`)), { number: 156, line: 1 });
  assert.throws(() => atOnce(parseSteps(`select 1 ${lines} 'unclosed`)), { number: 105, line: 50_001 });
});

test('SET QUOTED_IDENTIFIER holds for what follows it in a long text too', () => {
  const blanks = ' '.repeat(50_000);
  const { statements } = atOnce(parseSteps(`set quoted_identifier off\nselect "a"${blanks}\nselect "b"`));
  assert.equal(statements.length, 3);
  const literals = JSON.stringify(statements).match(/"kind":"literal"/g);
  assert.equal(literals?.length, 2);
});
