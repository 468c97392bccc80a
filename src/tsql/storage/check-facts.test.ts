import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { inTempDb, rows } from '../../../test/support/tempdb-session.ts';

/** The definition that the catalog has for a CHECK. */
async function shown(condition: string): Promise<unknown> {
  const host = await inTempDb(`create table t (a int, b int, c nvarchar(50), d datetime, check (${condition}))`);
  return (await rows(host, 'select definition from sys.check_constraints'))?.[0]?.[0];
}

describe('sys.check_constraints.definition', () => {
  const written: Readonly<Record<string, string>> = {
    'a > 0': '([a]>(0))',
    '((a)>(0))': '([a]>(0))',
    "a >= -5 and t.b != 1.50 or [c] = N'it''s'": "([a]>=(-5) AND [b]<>(1.50) OR [c]=N'it''s')",
    '(a = 1 or b = 2) and not a = b': '(([a]=(1) OR [b]=(2)) AND NOT [a]=[b])',
    "c in ('x', 'y', N'z')": "([c]=N'z' OR [c]='y' OR [c]='x')",
    'b = 1 and a in (1, 2)': '([b]=(1) AND ([a]=(2) OR [a]=(1)))',
    'a between 1 and b + 5': '([a]>=(1) AND [a]<=[b]+(5))',
    'a not between 1 and 5': '(NOT ([a]>=(1) AND [a]<=(5)))',
    "c LIKE 'a!%%' escape '!' and c is not null": "([c] like 'a!%%' escape '!' AND [c] IS NOT NULL)",
    'b is null or len(ltrim(c)) > 3000000000': '([b] IS NULL OR len(ltrim([c]))>(3000000000.))',
    '(a + b) * 2 - (a - b) < 1e3 % a': '(([a]+[b])*(2)-([a]-[b])<(1.000000000000000e+003)%[a])',
    'datediff(day, d, getdate()) < $5': '(datediff(day,[d],getdate())<($5.0000))',
    'cast(c as varchar(10)) = convert(nvarchar(10), d, 112)':
      '(CONVERT([varchar](10),[c])=CONVERT([nvarchar](10),[d],(112)))',
    "case when a = 1 then 'x' else c end = c collate Latin1_General_BIN":
      "(case when [a]=(1) then 'x' else [c] end=[c] collate Latin1_General_BIN)",
  };
  for (const [condition, definition] of Object.entries(written)) {
    test(`${condition} is ${definition}`, async () => assert.equal(await shown(condition), definition));
  }

  test('one that would grow beyond 8,000 characters stays as it was written', async () => {
    const few = `a + ${'1 + '.repeat(600)}b in (${Array.from({ length: 600 }, (_, at) => at).join(', ')})`;
    assert.equal(await shown(few), `(${few})`);
    const long = `a in (${Array.from({ length: 3000 }, (_, at) => at).join(',')})`;
    assert.equal(await shown(long), `(${long})`);
  });
});

describe('CHECK constraints of tables that clients made', () => {
  const tables = `create table t (a int constraint ck_a check (a > 0), b int, constraint ck_ab check (a < b), check (1 = 1))
    alter table t add constraint ck_b check (b <> 7)
    alter table t nocheck constraint ck_b`;

  test('the catalog has them, with the column of those that are about one', async () => {
    const host = await inTempDb(tables);
    assert.deepEqual(
      await rows(
        host,
        `select name, type, type_desc, col_name(parent_object_id, parent_column_id), definition, is_disabled, is_system_named
         from sys.check_constraints where object_name(parent_object_id) = 't' and name not like 'CK[_][_]%' order by name`,
      ),
      [
        ['ck_a', 'C ', 'CHECK_CONSTRAINT', 'a', '([a]>(0))', false, false],
        ['ck_ab', 'C ', 'CHECK_CONSTRAINT', null, '([a]<[b])', false, false],
        ['ck_b', 'C ', 'CHECK_CONSTRAINT', 'b', '([b]<>(7))', true, false],
      ],
    );
    assert.deepEqual(await rows(host, "select count(*), min(left(name, 4)) from sys.objects where type = 'C'"), [
      [4, 'CK__'],
    ]);
    assert.deepEqual(
      await rows(
        host,
        `select object_definition(object_id('ck_ab')), objectproperty(object_id('dbo.ck_b', 'C'), 'IsCheckCnst'),
           objectproperty(object_id('ck_b'), 'CnstIsDisabled'), objectproperty(object_id('ck_a'), 'IsConstraint'),
           (select text from syscomments where id = object_id('ck_a'))`,
      ),
      [['([a]<[b])', 1, 1, 1, '([a]>(0))']],
    );
  });

  test('INFORMATION_SCHEMA has them, and the columns that they are about', async () => {
    const host = await inTempDb(tables);
    assert.deepEqual(
      await rows(
        host,
        `select c.CONSTRAINT_NAME, CHECK_CLAUSE, CONSTRAINT_TYPE, TABLE_NAME from INFORMATION_SCHEMA.CHECK_CONSTRAINTS c
         join INFORMATION_SCHEMA.TABLE_CONSTRAINTS t on t.CONSTRAINT_NAME = c.CONSTRAINT_NAME
         where c.CONSTRAINT_NAME in ('ck_a', 'ck_ab') order by 1`,
      ),
      [
        ['ck_a', '([a]>(0))', 'CHECK', 't'],
        ['ck_ab', '([a]<[b])', 'CHECK', 't'],
      ],
    );
    assert.deepEqual(
      await rows(
        host,
        `select CONSTRAINT_NAME, COLUMN_NAME from INFORMATION_SCHEMA.CONSTRAINT_COLUMN_USAGE
         where TABLE_NAME = 't' order by 1, 2`,
      ),
      [
        ['ck_a', 'a'],
        ['ck_ab', 'a'],
        ['ck_ab', 'b'],
        ['ck_b', 'b'],
      ],
    );
  });

  test('sp_helpconstraint lists them', async () => {
    const host = await inTempDb(tables);
    const listed = await rows(host, "exec sp_helpconstraint 't', 'nomsg'");
    assert.deepEqual(
      listed?.filter(([, name]) => !String(name).startsWith('CK__')).map((row) => [row[0], row[1], row[4], row[6]]),
      [
        ['CHECK on column a', 'ck_a', 'Enabled', '([a]>(0))'],
        ['CHECK Table Level', 'ck_ab', 'Enabled', '([a]<[b])'],
        ['CHECK on column b', 'ck_b', 'Disabled', '([b]<>(7))'],
      ],
    );
  });
});

test('5074: a column that a check or a computed column names is not dropped', async () => {
  const host = await inTempDb(
    `create table t (a int, b int constraint ck_b check (b > 0), c int, twice as c * 2, d int)
     create index ix_d on t (d)`,
  );
  for (const [column, message] of [
    ['b', "The object 'ck_b' is dependent on column 'b'."],
    ['c', "The column 'twice' is dependent on column 'c'."],
    ['d', "The index 'ix_d' is dependent on column 'd'."],
  ]) {
    const { errors } = await batch(host, `alter table t drop column ${column}`);
    assert.deepEqual(
      errors.map((error) => [error.number, error.message]),
      [[5074, message]],
    );
  }
  const { errors } = await batch(host, 'alter table t drop column twice, c, constraint ck_b, column b');
  assert.deepEqual(errors, []);
});

test('547 names the statement that conflicts with a check, and the column of a check about one', async () => {
  const host = await inTempDb(
    'create table t (a int constraint ck_a check (a > 0), b int, constraint ck_ab check (a < b)) insert t values (1, 2)',
  );
  const conflict = (statement: string, check: string, column: string) =>
    `The ${statement} statement conflicted with the CHECK constraint "${check}". ` +
    `The conflict occurred in database "tempdb", table "dbo.t"${column}.`;
  for (const [text, message] of [
    ['insert t values (0, 1)', conflict('INSERT', 'ck_a', ", column 'a'")],
    ['update t set a = 3', conflict('UPDATE', 'ck_ab', '')],
    ['alter table t add constraint ck_b check (b > 5)', conflict('ALTER TABLE', 'ck_b', ", column 'b'")],
  ]) {
    const { errors } = await batch(host, text ?? '');
    assert.deepEqual(
      errors.map((error) => [error.number, error.message]),
      [[547, message]],
    );
  }
});
