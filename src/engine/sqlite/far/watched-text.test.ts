import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { Plans } from '../plans.ts';
import { tick, watchedText } from './watched-text.ts';

/** Two tables, one without rowids, and how often a statement calls the watch. */
function open() {
  const database = new DatabaseSync(':memory:');
  let calls = 0;
  database.function(tick, { varargs: true }, () => {
    calls++;
    return 1;
  });
  database.exec(`
    create table items (id integer primary key, owner integer, name text) strict;
    create table owners (id integer, name text, primary key (id)) strict, without rowid;
    create index items_owner on items (owner);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 100)
    insert into items select i, i % 2, 'item ' || i from n;
    insert into owners values (0, 'even'), (1, 'odd');`);
  const plans = new Plans(database);
  const watched = (text: string) => watchedText(text, (table) => plans.keyColumn(table));
  return {
    plans,
    watched,
    /** The rows of a statement as it is and watched, and how often it called. */
    run(text: string) {
      const answer = (own: string) => {
        database.exec('begin');
        const rows = database.prepare(own).all();
        const after = database.prepare('select (select count(*) from items), (select sum(owner) from items)').all();
        database.exec('rollback');
        return JSON.stringify([rows, after]);
      };
      const plain = answer(text);
      calls = 0;
      assert.equal(answer(watched(text)), plain, watched(text));
      return calls;
    },
  };
}

describe('a watched statement does what it did, and calls for each row of', () => {
  const { run } = open();
  const statements: Readonly<Record<string, [text: string, calls: number]>> = {
    'a query': ["select id from items where owner = 1 or name = 'x'", 100],
    'a query without conditions': ['select count(name) from items', 100],
    'one that is sorted and limited': ['select id from items order by name limit 3', 100],
    groups: ["select owner, count(*) from items where name like 'item%' group by owner having count(*) > 1", 100],
    'an update': ['update items set owner = owner + 1 where owner = 0 or owner = 5', 50],
    'an update of all': ['update items set owner = 7', 100],
    'a delete of all': ['delete from items', 100],
    'a delete with a subquery': ["delete from items where owner in (select id from owners where name = 'odd')", 52],
    'an insert of a query': ['insert into items (owner, name) select owner, name from items', 100],
    'an insert that may meet others': [
      'insert into items (id, owner) select id, 9 from items where owner = 1 on conflict (id) do update set owner = 9 where items.owner <> 9',
      50,
    ],
    'the inner loop of a join': [
      'select count(*) from owners o cross join items i on i.owner = o.id where o.id = 1',
      52,
    ],
    'the inner loop of an outer join': [
      'select count(*), count(i.id) from owners as o left join items as i on i.owner = o.id and i.id > 90',
      0,
    ],
    'an update from another table': [
      'update items set owner = 3 from owners o where o.id = items.owner and o.id = 1',
      0,
    ],
    'each arm of a union': ['select id from items where owner = 1 union all select id from owners', 52],
    'a common table expression': [
      'with odd as (select id from items where owner = 1) delete from items where id in (select id from odd) returning id',
      0,
    ],
    'a recursive one': [
      'with recursive n (i) as (select 1 union all select i + 1 from n where i < 50) select max(i) from n',
      100,
    ],
    'a subquery in FROM': ['select count(*) from (select owner from items where owner = 1) as x', 0],
    'rows of a document': ["select value from json_each('[1,2,3]') where value > 1", 3],
    'names and texts that look like words': [
      `select "name" as "where", ' where (' as "from" -- where )
      from items /* from */ where name is not distinct from 'item 1'`,
      100,
    ],
    'a condition without a table': [
      "insert into items (name) select 'x' where not exists (select 1 from items where owner = 8)",
      1,
    ],
  };
  for (const [name, [text, least]] of Object.entries(statements)) {
    test(name, () => {
      const calls = run(text);
      assert.ok(calls >= Math.max(1, least), `${calls} calls`);
    });
  }
});

describe('only what may take long is watched', () => {
  const { plans } = open();
  const cases: readonly [text: string, long: boolean][] = [
    ['update items set name = ? where id = ?', false],
    ['select name from owners where id = ?', false],
    ['insert into items (owner) values (?)', false],
    [
      'insert into items (id) values (?) on conflict (id) do update set name = excluded.name where items.name <> ?',
      false,
    ],
    ['select o.name from items i join owners o on o.id = i.owner where i.id = ?', true],
    ['update items set name = ? where owner = ?', true],
    ['delete from items', true],
    ['select id from items where id > ? limit 1', true],
    ['update items set name = ? where id in (select value from json_each(?))', true],
    ['savepoint call', false],
  ];
  for (const [text, long] of cases) test(text, () => assert.equal(plans.mayBeLong(text), long));
});
