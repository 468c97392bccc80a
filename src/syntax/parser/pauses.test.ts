import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenize } from '../lexer/tokenize.ts';
import { parse, parseSteps } from './parse.ts';

const many = (count: number, one: (at: number) => string, between = ', '): string =>
  Array.from({ length: count }, (_, at) => one(at)).join(between);

/** Long statements of every construct that has many parts. */
const long: Readonly<Record<string, string>> = {
  'a select list': `select ${many(4000, (at) => `f(${at}) + 1 as c${at}`)} from t where a = 1`,
  'a list inside of calls': `select f(g(1, h(${many(8000, String)})), (${many(1400, String, '+')})) x`,
  IN: `select 1 where a in (${many(20_000, String)}) and b in (${many(20_000, String)})`,
  CASE: `select cast(case a ${many(8000, (at) => `when ${at} then case when a = ${at} then 1 end`, ' ')} end as int)`,
  'AND and OR': `select 1 where ${many(30, () => `(${many(300, (at) => `a = ${at} or not b <> 2`, ' and ')})`, ' or ')}`,
  'sums and products': `select ${many(20, () => many(700, (at) => `${at} * 2`, ' + '))}`,
  joins: `select 1 from t ${many(700, (at) => `join u${at} on u${at}.a = 1 and u${at}.b > ${at} or f(1) < 2 cross join w${at}`, ' ')}`,
  'commas of FROM': `select 1 from ${many(5000, (at) => `t${at} as a${at}`)} order by ${many(3000, String)}`,
  UNION: many(3000, (at) => `select ${at} intersect select 1`, ' union all '),
  'UNION and EXCEPT': many(1400, (at) => `(select ${at}) union select 2`, ' except '),
  'rows of VALUES': `insert t (a, b, c) values ${many(5000, (at) => `(${at}, default, 'x')`)}`,
  WITH: `with ${many(2000, (at) => `c${at} as (select ${at} a)`)} select * from c1`,
  'a table': `create table #t (${many(2000, (at) => `c${at} int primary key check (c${at} in (1, 2)), unique (c${at})`)})`,
  'columns that are set': `update t set ${many(5000, (at) => `c${at} = ${at} + 1`)} where a = 1`,
  arguments: `exec p ${many(5000, (at) => `@a${at} = ${at}`)}`,
  'arguments without EXEC': `p ${many(5000, (at) => `@a${at} = 'x'`)}`,
  'a block': `if 1 = 1 begin ${many(4000, (at) => `declare @v${at} int = ${at}; set @v${at} += 1`, ' ')} end`,
  'a TRY': `begin try ${many(4000, () => 'print 1', ' ')} end try begin catch ${many(4000, () => 'print 2', ' ')} end catch`,
  'a procedure': `create procedure p @a int as ${many(3000, (at) => `declare @v${at} int = @a + ${at} select @v${at}`, ' ')}`,
  DECLARE: `declare ${many(4000, (at) => `@v${at} int = ${at}`)} select @v17`,
  'a DECLARE of a long value': `declare @a int = (select ${many(9000, String)}), @b int = @a set @b = 1`,
  'SET QUOTED_IDENTIFIER in a block': `begin set quoted_identifier off select "a" ${many(3000, () => 'print "x"', ' ')}
    set quoted_identifier on select "b" ${many(3000, () => 'select "y"', ' ')} end`,
};

for (const [name, text] of Object.entries(long)) {
  test(`others have their turns while ${name} is read, and it is read as it would be at once`, () => {
    const reading = parseSteps(text);
    let steps = 0;
    let step = reading.next();
    for (; !step.done; step = reading.next()) steps++;
    assert.deepEqual(step.value, parse(text));
    const tokens = tokenize(text).length;
    // A text is cut into 500 tokens at a time, and some 2,000 of them are made a tree of.
    const cutting = text.length < 20_000 ? 0 : Math.floor(tokens / 500);
    assert.ok(steps - cutting >= Math.floor(tokens / 2500), `${steps} steps for ${tokens} tokens`);
  });
}

test('what is wrong in a long statement is told as when it is read at once', () => {
  const texts = [
    `select ${many(9000, String)} fro m t`,
    `declare @a int = (select ${many(9000, String)}), @A int`,
    `begin ${many(4000, (at) => `declare @v${at} int`, '\n')} declare @V7 int end`,
    `create procedure p @a int as ${many(5000, () => 'print 1', '\n')} print @b`,
    `select 1 where a in (${many(40_000, String)}) and`,
  ];
  const errorOf = (read: () => unknown): unknown => {
    try {
      return read();
    } catch (error) {
      return error;
    }
  };
  for (const text of texts) {
    const inSteps = errorOf(() => [...parseSteps(text)]);
    assert.ok(inSteps instanceof Error);
    assert.deepEqual(
      inSteps,
      errorOf(() => parse(text)),
    );
  }
});
