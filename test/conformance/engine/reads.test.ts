import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../src/engine/sql.ts';
import { forEachEngine } from '../../support/engines.ts';
import { memoryInUse } from '../../support/memory-in-use.ts';
import { number, openShop, text } from './fixture.ts';

// Alone in its process: it measures memory.

const total = sql`select count(*) as count from counters`;
const series = (count: number) => Array.from({ length: count }, (_, id) => [id, id]);

forEachEngine((engine) => {
  test('a read sees one state from its first query to its last', async () => {
    await using shop = await openShop(engine);
    await shop.database.write((db) => db.insert('counters', ['id', 'n'], series(10)));
    const seen = await shop.database.read(async (db) => {
      const before = await db.first({ count: number }, total);
      await shop.database.write((writer) => writer.run(sql`delete from counters`));
      return [before?.count, (await db.first({ count: number }, total))?.count];
    });
    assert.deepEqual(seen, [10, 10]);
    assert.deepEqual(await shop.database.read((db) => db.first({ count: number }, total)), { count: 0 });
  });

  test('a read cannot write', async () => {
    await using shop = await openShop(engine);
    await assert.rejects(
      shop.database.read((db) => db.run(sql`insert into counters (id, n) values (1, 1)`)),
      /readonly database|read-only transaction/,
    );
    assert.deepEqual(await shop.database.read((db) => db.first({ count: number }, total)), { count: 0 });
  });

  test('a slow consumer keeps no writer and no other reader waiting', async () => {
    await using shop = await openShop(engine);
    await shop.database.write((db) => db.insert('counters', ['id', 'n'], series(3000)));
    const slow = 3;
    const { promise: resume, resolve: go } = Promise.withResolvers<void>();
    const started = Array.from({ length: slow }, () => Promise.withResolvers<void>());
    const readers = started.map(({ resolve: begun }) =>
      shop.database.read(async (db) => {
        let sum = 0;
        for await (const { n } of db.rows({ n: number }, sql`select n from counters`)) {
          begun();
          await resume;
          sum += n;
        }
        return sum;
      }),
    );
    // A snapshot is there with its first row; what is written before that would rightly be seen.
    await Promise.all(started.map(({ promise }) => promise));
    await shop.database.write((db) => db.run(sql`update counters set n = 0`));
    assert.deepEqual(
      await shop.database.read((db) => db.first({ sum: number }, sql`select sum(n) as sum from counters`)),
      { sum: 0 },
    );
    go();
    assert.deepEqual(
      await Promise.all(readers),
      Array.from({ length: slow }, () => (2999 * 3000) / 2),
    );
  });

  test('other queries, and the same one, run while rows are read', async () => {
    await using shop = await openShop(engine);
    await shop.database.write((db) => db.insert('counters', ['id', 'n'], series(700)));
    const pairs = await shop.database.read(async (db) => {
      let count = 0;
      const outer = db.rows({ id: number }, sql`select id from counters order by id`);
      for await (const { id } of outer) {
        const same = await db.first({ n: number }, sql`select n from counters where id = ${id}`);
        assert.equal(same?.n, id);
        if (id % 100 === 0)
          for await (const _ of db.rows({ id: number }, sql`select id from counters order by id`)) count += 1;
      }
      return count;
    });
    assert.equal(pairs, 7 * 700);
  });

  test('the rows of a write may be changed while they are read', async () => {
    await using shop = await openShop(engine);
    await shop.database.write(async (db) => {
      await db.insert('counters', ['id', 'n'], series(600));
      for await (const { id } of db.rows({ id: number }, sql`select id from counters`)) {
        await db.run(sql`delete from counters where id = ${id}`);
        await db.run(sql`insert into counters (id, n) values (${id + 10_000}, 0)`);
      }
    });
    assert.deepEqual(await shop.database.read((db) => db.first({ count: number }, total)), { count: 600 });
  });

  test('a loop that stops early gives its connection back', async () => {
    await using shop = await openShop(engine);
    await shop.database.write((db) => db.insert('counters', ['id', 'n'], series(2000)));
    for (let round = 0; round < 20; round += 1) {
      await shop.database.read(async (db) => {
        for await (const { id } of db.rows({ id: number }, sql`select id from counters order by id`)) {
          if (id === 3) break;
        }
      });
    }
    await shop.database.write((db) => db.run(sql`delete from counters`));
  });

  test('a read that is cancelled between rows ends with the reason', async () => {
    await using shop = await openShop(engine);
    await shop.database.write((db) => db.insert('counters', ['id', 'n'], series(5000)));
    const cancel = new AbortController();
    const reason = new Error('the client cancelled');
    let seen = 0;
    const read = shop.database.read(async (db) => {
      for await (const _ of db.rows({ id: number }, sql`select id from counters`)) {
        seen += 1;
        if (seen === 700) cancel.abort(reason);
      }
    }, cancel);
    await assert.rejects(read, reason);
    assert.ok(seen < 5000);
    await shop.database.read((db) => db.first({ count: number }, total));
  });

  test('an engine that stops cuts off a reader that has stalled', async () => {
    await using shop = await openShop(engine);
    await shop.database.write((db) => db.insert('counters', ['id', 'n'], series(2000)));
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const { promise: resume, resolve: go } = Promise.withResolvers<void>();
    const read = shop.database.read(async (db) => {
      for await (const { id } of db.rows({ id: number }, sql`select id from counters order by id`)) {
        start();
        if (id === 1) await resume;
      }
    });
    await started;
    await shop.engine.stop();
    go();
    await assert.rejects(read, /after their unit of work had ended|cannot be reached/);
  });

  test('hundreds of thousands of rows pass through without being held in memory', async () => {
    await using shop = await openShop(engine);
    const rows = 300_000;
    const query = sql`
      with recursive numbers (id) as (select ${1} as id union all select id + 1 from numbers where id < ${rows})
      select id, ${'x'.repeat(200)} as filler from numbers`;
    let peak = 0;
    const start = memoryInUse();
    const count = await shop.database.read(async (db) => {
      let seen = 0;
      for await (const row of db.rows({ id: number, filler: text }, query)) {
        seen += 1;
        if (row.id % 30_000 === 0) peak = Math.max(peak, memoryInUse() - start);
      }
      return seen;
    });
    assert.equal(count, rows);
    // Held at once the rows would be over 60 MB.
    assert.ok(peak < 30 * 2 ** 20, `what is in use grew by ${Math.round(peak / 2 ** 20)} MB`);
  });
});
