import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { ledger } from './ledger.ts';

const name = fc.constantFrom("'a'", "'A'", "'b '", "'b'", "N'é'", "'ab'", "'longer text'", 'null');
const number = fc.constantFrom('1', '2', '3', "'2'", '1.7', 'null');
const value = fc.constantFrom('0', '1', '2', 'null', 'default', "'x'");
const operator = fc.constantFrom('=', '<>', '<', '>=');

const { condition } = fc.letrec<{ condition: string; simple: string }>((tie) => ({
  simple: fc.oneof(
    fc.tuple(operator, name).map(([is, to]) => `Name ${is} ${to}`),
    fc.tuple(operator, number).map(([is, to]) => `Number ${is} ${to}`),
    fc.tuple(operator, fc.constantFrom('0', '1', 'Number', '@v')).map(([is, to]) => `Value ${is} ${to}`),
    fc.constantFrom(
      'Value is null',
      'Value is not null',
      "Name like 'a%'",
      "Name in ('A', 'b')",
      'Number between 1 and 2',
    ),
    fc.constantFrom(
      'Value < (select max(Number) from T)',
      'exists (select 1 from T x where x.Number > T.Number)',
      'len(Name) = 1',
    ),
  ),
  condition: fc.oneof(
    { maxDepth: 2 },
    tie('simple'),
    fc
      .tuple(tie('condition'), fc.constantFrom('and', 'or'), tie('condition'))
      .map(([a, both, b]) => `(${a} ${both} ${b})`),
    tie('condition').map((a) => `not (${a})`),
  ),
}));

const rows = fc.array(
  fc.tuple(name, number, value).map((cells) => `(${cells.join(', ')})`),
  { minLength: 1, maxLength: 3 },
);
const set = fc.oneof(
  fc.constantFrom(
    'Value = @v',
    'Value = null',
    'Value = default',
    'Value = Value + 1',
    'Value = Number * 10',
    "Value = 'x'",
  ),
  fc.constantFrom(
    'Number = 2',
    'Number = 3 - Number',
    'Number = null',
    "Name = 'a'",
    "Name = N'longer text'",
    'Name = null',
  ),
  fc.constantFrom("Name = Name + 'x', Value = 1", 'Value = (select count(*) from T), Number = Number'),
);
const statement = fc.oneof(
  { weight: 3, arbitrary: rows.map((all) => `insert T (Name, Number, Value) values ${all.join(', ')}`) },
  {
    weight: 1,
    arbitrary: condition.map((where) => `insert T (Number, Name) select Number + 1, Name from T where ${where}`),
  },
  { weight: 3, arbitrary: fc.tuple(set, condition).map(([what, where]) => `update T set ${what} where ${where}`) },
  { weight: 1, arbitrary: set.map((what) => `update T set ${what}`) },
  { weight: 2, arbitrary: condition.map((where) => `delete T where ${where}`) },
);

/** What these statements may fail with. */
const expected: ReadonlySet<number> = new Set([245, 515, 2627, 2628]);

forEachEngine((engine) => {
  let server: TestServer;
  let client: TestClient;
  before(async () => {
    server = await startServer({ engine, kinds: [ledger] });
    client = await server.connect('Ledger');
    await client.batch(`create table #T (
      Name nvarchar(6) not null, Number int not null, Value int null default 5, primary key (Name, Number))`);
  });
  after(() => server[Symbol.asyncDispose]());

  /** What a statement does to a table: its error or count, and the rows after it. */
  async function effect(text: string, table: string): Promise<{ readonly outcome: unknown; readonly rows: unknown }> {
    const batch = `declare @v int = 2 ${text.replaceAll(/\bT\b/g, table)} select @@rowcount as n`;
    const outcome = await client.batch(batch).then(
      ({ sets }) => sets[0]?.[0]?.['n'],
      // Which error it is depends on which of several rows is looked at first.
      (error: { number?: number; errors?: { number: number }[] }) => {
        const found = error.errors?.[0]?.number ?? error.number ?? 0;
        assert.ok(expected.has(found), `${text} failed with ${found}`);
        return 'an error';
      },
    );
    const { sets } = await client.batch(`select Name, Number, Value from ${table}`);
    return { outcome, rows: (sets[0] ?? []).map((row) => JSON.stringify(row)).sort() };
  }

  test('INSERT, UPDATE and DELETE do to a table of the database what they do to a temporary one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { minLength: 2, maxLength: 6 }), async (statements) => {
        await client.batch('delete Cells delete #T');
        for (const text of statements) assert.deepEqual(await effect(text, 'Cells'), await effect(text, '#T'), text);
      }),
      { numRuns: 60 },
    );
  });
});
