import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from '../../src/engine/sql.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { forEachEngine } from '../support/engines.ts';
import { longestUsualTurn } from '../support/longest-turn.ts';
import { batch } from '../support/recorder.ts';
import { startServer } from '../support/server.ts';
import { openSession } from '../support/session.ts';

// Alone in its process: it measures how long others wait for the event loop.

const many = 20_000;
const times = (count: number, make: (at: number) => string, separator = ' '): string =>
  Array.from({ length: count }, (_, at) => make(at)).join(separator);
const same = (text: string, separator = ' '): string => times(many, () => text, separator);

/** Statements of very many parts. */
const chains: Readonly<Record<string, string>> = {
  joins: `select 1 from a ${times(many, (at) => `cross join t${at}`)}`,
  'joins with ON': `select 1 from a ${times(many, (at) => `join t${at} on 1 = 1`)}`,
  'queries of a UNION': `select ${same('1', ' union all select ')}`,
  'conditions of AND': `select 1 where ${same('1 = 1', ' and ')}`,
  'conditions of OR': `select 1 where ${same('1 = 1', ' or ')}`,
  NOTs: `select 1 where ${same('not')} 1 = 1`,
  signs: `select ${same('-')} 1`,
  summands: `select ${same('1', '+')}`,
  collations: `select 'a' ${same('collate Latin1_General_BIN')}`,
  'branches of CASE': `select case ${same('when 1 = 2 then 3')} end`,
  'values of IN': `select 1 where 1 in (${same('2', ', ')})`,
  'branches of IF': `if 1 = 2 print 1 ${same('else if 1 = 2 print 1')}`,
  blocks: `${same('begin')} print 1 ${same('end')}`,
  parentheses: `select ${same('(', '')}1${same(')', '')}`,
  'parentheses of FROM': `select 1 from ${same('(', '')} a ${same(')', '')}`,
  comments: `${same('/*')} ${same('*/')} select 1`,
  'parts of a name': `select a${same('.a', '')}`,
  variables: `declare ${times(many, (at) => `@v${at} int`, ', ')}`,
  labels: `${times(many, (at) => `l${at}:`)} goto none`,
  statements: same('print 1', '; '),
  'common table expressions': `with ${times(many, (at) => `c${at} as (select ${at} n)`, ', ')} select 1`,
  'common table expressions of one another': `with c0 as (select 1 n), ${times(3000, (at) => `c${at + 1} as (select n from c${at})`, ', ')} select n from c3000`,
  'keys of ORDER BY': `select 1 a order by ${same('a', ', ')}`,
  'rows of VALUES': `select 1 from (values ${same('(1)', ', ')}) v (a)`,
  aggregates: `select ${times(4000, (at) => `sum(a + ${at})`, ', ')} from (values (1)) t (a)`,
  'subqueries in one another': `select ${times(190, () => '(select')} 1 ${times(190, () => ')')}`,
  'tests of EXISTS in one another': `select 1 where ${times(190, () => 'exists (select 1 where')} 1 = 1 ${times(190, () => ')')}`,
  'doubled quotes': `select '${"''".repeat(1_000_000)}'`,
  'steps of a path of JSON': `select 1 as '${'a.'.repeat(3000)}b' for json path`,
  'steps of a path of XML': `select 1 as '${'a/'.repeat(3000)}b' for xml path`,
};

describe('a statement of very many parts is answered, and others do not wait for it', () => {
  for (const [what, text] of Object.entries(chains)) {
    test(what, async () => {
      const host = await openSession();
      const longest = await longestUsualTurn(() => batch(host, text), 150);
      assert.ok(longest <= 150, `others waited for ${Math.round(longest)} ms`);
    });
  }
});

test('SESSION_CONTEXT holds 1 MB: 15665', async () => {
  const host = await openSession();
  const { errors } = await batch(
    host,
    `declare @i int = 0, @k nvarchar(20), @v nvarchar(4000) = replicate(N'x', 4000)
     while @i < 200 and @@error = 0 begin set @i += 1 set @k = cast(@i as nvarchar(20)) exec sp_set_session_context @k, @v end`,
  );
  assert.equal(errors[0]?.number, 15_665);
});

/** Conditions on a stored table that are more than an engine takes in one statement. */
const conditions: Readonly<Record<string, string>> = {
  'a chain of OR': times(1400, (at) => `Items = ${at}`, ' or '),
  'a chain of AND': times(1400, (at) => `Items <> ${at + 2}`, ' and '),
  'a chain of OR in NOT': `not (${times(1400, (at) => `Items <> ${at}`, ' and ')})`,
  'chains in chains': times(6, () => `(${times(1400, (at) => `Items <> ${at + 2}`, ' and ')})`, ' or '),
  'lists of a few values': times(1400, () => `Items not in (${times(16, (at) => `${at + 2}`, ',')})`, ' and '),
  ranges: times(1400, (at) => `Items not between ${at + 2} and ${at + 3}`, ' and '),
  'a list of numbers that no row can have': `Items in (1, ${times(19_000, (at) => `${at}.5`, ',')})`,
  'a list of moments': `Hour in ('1970-01-01', ${times(9000, (at) => `dateadd(day, ${at}, '2020-01-01')`, ',')})`,
  'many tests of EXISTS': times(
    200,
    (at) => `not exists (select 1 from ItemCounts i where i.Items = ${at + 2})`,
    ' and ',
  ),
};

forEachEngine((engine) => {
  test('conditions on a stored table, however many, are answered, or are more than a statement may be: error 8623', async () => {
    await using server = await startServer({ kinds: [translation], engine });
    const database = (await server.granary.engine.open('TranslationServices')) ?? assert.fail('it is there');
    await database.write((db) => db.run(sql`insert into item_counts (hour, partition_id, items) values (0, 'p', 1)`));
    const client = await server.connect('TranslationServices');
    /** What a query answers: its rows, or that it is more than a statement may be. */
    const answer = async (query: string): Promise<unknown> => {
      try {
        return (await client.batch(query)).sets;
      } catch (error) {
        return error instanceof Error && 'number' in error ? error.number : error;
      }
    };
    const row = [[{ Items: '1' }]];
    for (const [what, condition] of Object.entries(conditions)) {
      const found = await answer(`select Items from ItemCounts where ${condition}`);
      if (found !== 8623) assert.deepEqual(found, row, what);
    }
    for (const tables of [65, 250]) {
      const joins = times(tables - 1, (at) => `join ItemCounts t${at} on t${at}.Items = a.Items`);
      const found = await answer(`select a.Items from ItemCounts a ${joins}`);
      if (found !== 8623) assert.deepEqual(found, row, `${tables} tables`);
    }
  });
});
