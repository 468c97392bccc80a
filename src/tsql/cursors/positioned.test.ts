import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { runBatches } from '../../../test/support/run-batches.ts';
import { openSession } from '../../../test/support/session.ts';

const grain =
  "create table #g (id int, name varchar(10)) insert #g values (1, 'oat'), (2, 'rye'), (3, 'emmer'), (4, 'spelt')";

/** What batches on a table of four rows return and raise. */
async function run(...texts: readonly string[]) {
  const host = await openSession();
  await batch(host, grain);
  return runBatches(host, texts);
}

const all = 'select * from #g order by id';

describe('WHERE CURRENT OF', () => {
  test('UPDATE and DELETE change the row that was fetched last, and count it', async () => {
    const { sets, errors } = await run(
      `declare @id int declare c cursor for select id from #g
       open c fetch c into @id update #g set name = 'oats' where current of c select @@rowcount
       fetch c into @id delete from #g where current of c select @@rowcount`,
      all,
    );
    assert.deepEqual(errors, []);
    const left = [
      [1, 'oats'],
      [3, 'emmer'],
      [4, 'spelt'],
    ];
    assert.deepEqual(sets, [[[1]], [[1]], left]);
  });

  test('expressions see the row, OUTPUT shows it', async () => {
    const { sets, errors } = await run(
      `declare c scroll cursor for select id from #g open c fetch last from c
       update #g set name = upper(name) output deleted.name, inserted.name where current of c`,
    );
    assert.deepEqual([errors, sets[1]], [[], [['spelt', 'SPELT']]]);
  });

  test('of a join the row of the table that is changed', async () => {
    const { sets, errors } = await run(
      `create table #w (id int, weight int) insert #w values (1, 10), (2, 20)
       declare c cursor for select g.name, w.weight from #g g join #w w on w.id = g.id
       open c fetch c fetch c update #w set weight = 99 where current of c delete #g where current of c
       select weight from #w select count(*) from #g`,
    );
    assert.deepEqual(errors, []);
    assert.deepEqual(sets.slice(2), [[[10], [99]], [[3]]]);
  });

  test('a table variable through a cursor', async () => {
    const { sets, errors } = await run(
      `declare @t table (id int) insert @t values (1), (2)
       declare c cursor local for select id from @t open c fetch c delete @t where current of c select id from @t`,
    );
    assert.deepEqual([errors, sets.at(-1)], [[], [[2]]]);
  });

  const opened = (words: string, query = 'select id, name from #g'): string =>
    `declare c cursor ${words} for ${query} open c fetch c`;
  const change = "update #g set name = 'x' where current of c";
  const refused: readonly [what: string, text: string, number: number][] = [
    ['before anything was fetched', `declare c cursor for select id from #g open c ${change}`, 16931],
    ['behind the last row', `${opened('')} fetch c fetch c fetch c fetch c ${change}`, 16931],
    ['a row that the cursor has deleted', `${opened('')} delete #g where current of c ${change}`, 16947],
    ['a row that was changed meanwhile', `${opened('')} update #g set name = 'y' where id = 1 ${change}`, 16934],
    [
      'a table that the cursor is not about',
      `create table #o (id int) ${opened('')} delete #o where current of c`,
      16933,
    ],
    ['a copy', `${opened('static')} ${change}`, 16929],
    ['a cursor that is fast forward', `${opened('fast_forward')} ${change}`, 16929],
    ['a cursor that says READ_ONLY', `${opened('read_only')} ${change}`, 16929],
    ['a cursor that says FOR READ ONLY', `${opened('', 'select id from #g for read only')} ${change}`, 16929],
    ['a cursor over groups', `${opened('', 'select name from #g group by name')} ${change}`, 16929],
    ['a cursor over DISTINCT', `${opened('', 'select distinct name from #g')} ${change}`, 16929],
    [
      'a column that FOR UPDATE OF does not name',
      `${opened('', 'select * from #g for update of id')} ${change}`,
      16932,
    ],
    ['a table that was made anew', `${opened('')} alter table #g add extra int ${change}`, 16943],
    ['FOR UPDATE of a copy', 'declare c cursor static for select id from #g for update', 16957],
    ['FOR UPDATE of groups', 'declare c cursor for select name from #g group by name for update', 16957],
    ['a cursor that does not exist', 'delete #g where current of nowhere', 16916],
    ['a cursor that is closed', `${opened('')} close c ${change}`, 16917],
    ['FOR UPDATE without a cursor', 'select * from #g for update', 1003],
  ];
  for (const [what, text, number] of refused) {
    test(`${what}: ${number}`, async () => {
      const { errors, sets } = await run(text, all);
      assert.deepEqual(errors, [number]);
      assert.equal(
        sets.at(-1)?.some(([, name]) => name === 'x'),
        false,
      );
    });
  }

  test('a row whose values are what they were is not one that was changed', async () => {
    const { errors } = await run(`${opened('')} update #g set name = name where id = 1 ${change}`);
    assert.deepEqual(errors, []);
  });

  test('a column that FOR UPDATE OF names is changed, and SCROLL_LOCKS does not look for changes', async () => {
    const { errors } = await run(
      `${opened('', 'select * from #g for update of name')} ${change} close c deallocate c
       ${opened('scroll_locks')} update #g set name = 'y' where id = 1 ${change}`,
    );
    assert.deepEqual(errors, []);
  });

  test('a rollback takes the change back', async () => {
    const { sets } = await run(`begin tran ${opened('')} ${change} rollback`, all);
    assert.deepEqual(sets.at(-1)?.[0], [1, 'oat']);
  });
});

describe('what a cursor sees of changes', () => {
  const changes = "delete #g where id = 2 update #g set name = 'bran' where id = 3 insert #g values (5, 'teff')";
  const loop = `declare @n varchar(10), @all varchar(99) = '' fetch c into @n
    while @@fetch_status <> -1 begin set @all += iif(@@fetch_status = -2, '-', @n) + ' ' fetch c into @n end select @all`;
  const seen = async (words: string, where = '') => {
    const text = `declare c cursor ${words} for select name from #g ${where} open c ${changes} ${loop}`;
    return (await run(text)).sets.at(-1);
  };

  test('a static one nothing', async () => {
    assert.deepEqual(await seen('static'), [['oat rye emmer spelt ']]);
  });

  test('one with a keyset new values, and -2 where a row is gone', async () => {
    assert.deepEqual(await seen('keyset'), [['oat - bran spelt ']]);
  });

  test('a dynamic one new values and new rows, and neither rows that are gone nor those it no longer wants', async () => {
    assert.deepEqual(await seen('dynamic'), [['oat bran spelt teff ']]);
    assert.deepEqual(await seen('', "where name <> 'bran'"), [['oat spelt teff ']]);
    assert.deepEqual(await seen('', "where name <> 'teff'"), [['oat bran spelt ']]);
  });

  test('of a join those that still belong together', async () => {
    const { sets } = await run(
      `create table #w (id int, weight int) insert #w values (1, 10), (2, 20), (3, 30)
       declare c cursor for select g.name from #g g join #w w on w.id = g.id open c
       update #w set id = 9 where weight = 20 ${loop}`,
    );
    assert.deepEqual(sets.at(-1), [['oat emmer ']]);
  });

  test('a dynamic cursor goes back over what is left, but has no places to go to: 16925', async () => {
    const { sets, errors } = await run(
      `declare c cursor dynamic for select id from #g open c fetch last from c delete #g where id in (2, 3)
       fetch prior from c fetch next from c fetch first from c fetch relative 1 from c fetch absolute 1 from c`,
    );
    assert.deepEqual(sets, [[[4]], [[1]], [[4]], [[1]], [[4]]]);
    assert.deepEqual(errors, [16925]);
  });

  test('@@CURSOR_ROWS counts keys, and not what is dynamic; a rollback closes both', async () => {
    const rows = (words: string) => `declare c cursor ${words} for select id from #g open c select @@cursor_rows`;
    assert.deepEqual((await run(rows('keyset'))).sets, [[[4]]]);
    assert.deepEqual((await run(rows('dynamic'))).sets, [[[-1]]]);
    assert.deepEqual((await run(`begin tran ${rows('keyset')} rollback fetch c`)).errors, [16917]);
  });

  test('TYPE_WARNING is silent where the cursor is what was asked for', async () => {
    const host = await openSession();
    await batch(host, grain);
    const { messages } = await batch(host, 'declare c cursor keyset type_warning for select id from #g');
    assert.deepEqual(messages, []);
  });
});
