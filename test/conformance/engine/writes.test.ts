import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database, Db } from '../../../src/engine/db.ts';
import { sql } from '../../../src/engine/sql.ts';
import { forEachEngine } from '../../support/engines.ts';
import { number, openShop } from './fixture.ts';

const countOf = (database: Database) =>
  database.read(async (db) => (await db.first({ n: number }, sql`select n from counters where id = 1`))?.n);

/** Reads, gives others their turn, and writes what it read plus one: wrong whenever another comes between. */
async function addOne(db: Db): Promise<void> {
  const row = await db.first({ n: number }, sql`select n from counters where id = 1`);
  await new Promise(setImmediate);
  await db.run(sql`update counters set n = ${(row?.n ?? 0) + 1} where id = 1`);
}

forEachEngine((engine) => {
  test('a write returns what its work returned and is there for the next read', async () => {
    await using shop = await openShop(engine);
    assert.equal(await shop.database.write(async (db) => db.run(sql`insert into counters (id, n) values (1, 5)`)), 1);
    assert.equal(await countOf(shop.database), 5);
  });

  test('statements that go out together run in their order, and one that fails leaves nothing of them', async () => {
    await using shop = await openShop(engine);
    const add = (n: number) => sql`update counters set n = n * 10 + ${n} where id = 1`;
    await shop.database.write((db) =>
      db.runAll([sql`insert into counters (id, n) values (1, 0)`, add(1), add(2), add(3)]),
    );
    assert.equal(await countOf(shop.database), 123);
    const twice = [add(4), sql`insert into counters (id, n) values (1, 0)`, add(5)];
    await assert.rejects(
      shop.database.write((db) => db.runAll(twice)),
      { number: 2627 },
    );
    assert.equal(await countOf(shop.database), 123);
    await shop.database.write((db) => db.runAll([]));
  });

  test('a failing call undoes only itself among those that ran with it', async () => {
    await using shop = await openShop(engine);
    const calls = Array.from({ length: 40 }, (_, id) =>
      shop.database.write(async (db) => {
        await db.run(sql`insert into counters (id, n) values (${id}, 0)`);
        if (id % 4 === 3) throw new Error(`no ${id}`);
        return id;
      }),
    );
    const outcomes = await Promise.allSettled(calls);
    outcomes.forEach((outcome, id) => {
      if (id % 4 === 3) assert.ok(outcome.status === 'rejected' && outcome.reason.message === `no ${id}`);
      else assert.deepEqual(outcome, { status: 'fulfilled', value: id });
    });
    const kept = await shop.database.read((db) => db.all({ id: number }, sql`select id from counters order by id`));
    assert.deepEqual(
      kept.map(({ id }) => id),
      Array.from({ length: 40 }, (_, id) => id).filter((id) => id % 4 !== 3),
    );
  });

  test('a constraint that is checked at commit fails the call that broke it, not those beside it', async () => {
    await using shop = await openShop(engine);
    await shop.database.write(async (db) => {
      await db.run(
        sql`create table late (id bigint not null primary key, box bigint references boxes (id) deferrable initially deferred)`,
      );
    });
    const insert = (id: number, box: number | null) =>
      shop.database.write((db) => db.run(sql`insert into late (id, box) values (${id}, ${box})`));
    const outcomes = await Promise.allSettled([insert(1, null), insert(2, 99), insert(3, null)]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    await assert.rejects(insert(4, 99), { number: 547 });
    const kept = await shop.database.read((db) => db.all({ id: number }, sql`select id from late order by id`));
    assert.deepEqual(kept, [{ id: 1 }, { id: 3 }]);
  });

  test('16 callers that read, wait and write the same row end with the right sum', async () => {
    await using shop = await openShop(engine);
    await shop.database.write((db) => db.run(sql`insert into counters (id, n) values (1, 0)`));
    const caller = async () => {
      for (let round = 0; round < 10; round += 1) await shop.database.write(addOne);
    };
    await Promise.all(Array.from({ length: 16 }, caller));
    assert.equal(await countOf(shop.database), 160);
  });

  test('two calls that each look at what the other writes end as if one had come first', async () => {
    await using shop = await openShop(engine);
    await shop.database.write((db) =>
      db.insert(
        'counters',
        ['id', 'n'],
        [
          [1, 1],
          [2, 1],
        ],
      ),
    );
    // Each takes one only while two are left: run one after another, exactly one of them may.
    const take = (id: number) =>
      shop.database.write(async (db) => {
        const row = await db.first({ left: number }, sql`select sum(n) as left from counters`);
        await new Promise(setImmediate);
        if (row?.left === 2) await db.run(sql`update counters set n = 0 where id = ${id}`);
      });
    for (let round = 0; round < 10; round += 1) {
      await shop.database.write((db) => db.run(sql`update counters set n = 1`));
      await Promise.all([take(1), take(2)]);
      const row = await shop.database.read((db) =>
        db.first({ left: number }, sql`select sum(n) as left from counters`),
      );
      assert.equal(row?.left, 1);
    }
  });

  test('serial calls are numbered in the order of their commits, without a gap', async () => {
    await using shop = await openShop(engine);
    const numbered = async (db: Db) => {
      const row = await db.first({ next: number }, sql`select coalesce(max(number), 0) + 1 as next from log`);
      await new Promise(setImmediate);
      await db.run(sql`insert into log (number, note) values (${row?.next ?? 0}, 'x')`);
      return row?.next ?? 0;
    };
    const numbers = await Promise.all(
      Array.from({ length: 30 }, () => shop.database.write(numbered, { serial: true })),
    );
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  });

  test('a read between serial calls never sees a number without all that came before it', async () => {
    await using shop = await openShop(engine);
    let writing = true;
    const watch = async () => {
      while (writing) {
        const shape = { count: number, last: number };
        const row = await shop.database.read((db) =>
          db.first(shape, sql`select count(*) as count, coalesce(max(number), 0) as last from log`),
        );
        assert.equal(row?.count, row?.last);
        await new Promise(setImmediate);
      }
    };
    const watching = watch();
    const write = (db: Db) =>
      db.run(sql`insert into log (number, note) select coalesce(max(number), 0) + 1, 'x' from log`);
    await Promise.all(Array.from({ length: 50 }, () => shop.database.write(write, { serial: true })));
    writing = false;
    await watching;
  });

  test('a call that was cancelled before its turn is not run', async () => {
    await using shop = await openShop(engine);
    const reason = new Error('the client cancelled');
    await assert.rejects(
      shop.database.write(() => assert.fail('it was run'), { signal: AbortSignal.abort(reason) }),
      reason,
    );
  });

  test('a call that is cancelled half-way leaves nothing', async () => {
    await using shop = await openShop(engine);
    const cancel = new AbortController();
    const reason = new Error('the client cancelled');
    const call = shop.database.write(
      async (db) => {
        await db.run(sql`insert into counters (id, n) values (1, 1)`);
        cancel.abort(reason);
        await db.run(sql`insert into counters (id, n) values (2, 2)`);
      },
      { signal: cancel.signal },
    );
    await assert.rejects(call, reason);
    assert.equal(await countOf(shop.database), undefined);
  });
});
