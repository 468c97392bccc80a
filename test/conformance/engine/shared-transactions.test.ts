import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sqlError } from '../../../src/base/messages/sql-error.ts';
import type { Database, Db } from '../../../src/engine/db.ts';
import { sql } from '../../../src/engine/sql.ts';
import { forEachEngine } from '../../support/engines.ts';
import { number, openShop } from './fixture.ts';

/** A kind of calls that the engine has seen go well, so that it lets them share transactions. */
async function trusted<K extends object>(database: Database, like: K): Promise<K> {
  for (let count = 0; count < 12; count++)
    await database.write((db) => db.run(sql`update counters set n = n where id = 0`), { like });
  return like;
}

const addOne = (id: number) => (db: Db) => db.run(sql`update counters set n = n + 1 where id = ${id}`);
/** Reads as a procedure of a kind does: with others where the engine lets it, else by itself. */
async function readLike<T>(database: Database, like: object, work: (db: Db) => Promise<T>): Promise<T> {
  const brief = await database.readBriefly?.(work, { like });
  return brief === undefined ? database.read(work, { like }) : brief.value;
}

const countAt = (database: Database, id: number): Promise<number | undefined> =>
  database.read(async (db) => (await db.first({ n: number }, sql`select n from counters where id = ${id}`))?.n);
const fill = (database: Database, ...ids: number[]): Promise<void> =>
  database.write((db) =>
    db.insert(
      'counters',
      ['id', 'n'],
      ids.map((id) => [id, 0]),
    ),
  );

forEachEngine((engine) => {
  test('calls that are used to one statement and then read and write count as if one had come after the other', async () => {
    await using shop = await openShop(engine);
    await fill(shop.database, 1);
    const like = await trusted(shop.database, {});
    const readAndWrite = async (db: Db) => {
      const row = await db.first({ n: number }, sql`select n from counters where id = 1`);
      await db.run(sql`update counters set n = ${(row?.n ?? 0) + 1} where id = 1`);
    };
    await Promise.all(Array.from({ length: 100 }, () => shop.database.write(readAndWrite, { like })));
    assert.equal(await countAt(shop.database, 1), 100);
  });

  test('a call that fails among a hundred leaves nothing, and the others are kept', async () => {
    await using shop = await openShop(engine);
    await fill(shop.database, 1);
    const like = await trusted(shop.database, {});
    const failing = (db: Db) => db.run(sql`insert into boxes (id, label, size) values (1, 'x', -1)`);
    const changedAndRefused = async (db: Db) => {
      await addOne(1)(db);
      throw sqlError(515, 'a', 'b', 'UPDATE');
    };
    const calls = Array.from({ length: 100 }, (_, index) =>
      shop.database.write(index % 25 === 7 ? failing : index % 25 === 9 ? changedAndRefused : addOne(1), { like }),
    );
    const ends = await Promise.allSettled(calls);
    const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.number] : []));
    assert.deepEqual(errors.toSorted(), [515, 515, 515, 515, 547, 547, 547, 547]);
    assert.equal(await countAt(shop.database, 1), 92);
  });

  test('a refusal before any change is told to its caller alone', async () => {
    await using shop = await openShop(engine);
    await fill(shop.database, 1);
    const like = await trusted(shop.database, {});
    const refuse = async (db: Db) => {
      await db.first({ n: number }, sql`select n from counters where id = 1`);
      throw sqlError(515, 'a', 'b', 'UPDATE');
    };
    const ends = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => shop.database.write(index % 2 ? refuse : addOne(1), { like })),
    );
    assert.equal(ends.filter((end) => end.status === 'rejected' && end.reason.number === 515).length, 20);
    assert.equal(await countAt(shop.database, 1), 20);
  });

  test('a call that is cancelled in the midst of others leaves nothing, and the others are kept', async () => {
    await using shop = await openShop(engine);
    await fill(shop.database, 1, 2);
    const like = await trusted(shop.database, {});
    const cancel = new AbortController();
    const reason = new Error('the client cancelled');
    const cancelled = shop.database.write(
      async (db) => {
        await addOne(2)(db);
        cancel.abort(reason);
        await addOne(2)(db);
      },
      { like, signal: cancel.signal },
    );
    const others = Array.from({ length: 30 }, () => shop.database.write(addOne(1), { like }));
    await assert.rejects(cancelled, reason);
    await Promise.all(others);
    assert.equal(await countAt(shop.database, 1), 30);
    assert.equal(await countAt(shop.database, 2), 0);
  });

  test('serial calls among others are numbered in the order of their commits, without a gap', async () => {
    await using shop = await openShop(engine);
    await fill(shop.database, 1);
    const like = await trusted(shop.database, {});
    const numbered = (db: Db) =>
      db.run(sql`insert into log (number, note) select coalesce(max(number), 0) + 1, 'x' from log`);
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        index % 2 ? shop.database.write(numbered, { like, serial: true }) : shop.database.write(addOne(1), { like }),
      ),
    );
    const row = await shop.database.read((db) =>
      db.first({ count: number, last: number }, sql`select count(*) as count, max(number) as last from log`),
    );
    assert.deepEqual(row, { count: 30, last: 30 });
  });

  test('a call waits for one of a kind that takes long, and is answered before the next one', async () => {
    await using shop = await openShop(engine);
    const { database } = shop;
    await fill(database, 1, 2);
    const long = { like: {}, serial: true };
    const light = { like: await trusted(database, {}) };
    const work = (until: () => Promise<unknown>) => async (db: Db) => {
      await addOne(1)(db);
      await until();
      await addOne(1)(db);
    };
    // As many in a row as a kind must show that it may share transactions.
    for (let calm = 0; calm < 9; ) {
      const start = performance.now();
      await database.write(
        work(() => delay(50)),
        long,
      );
      calm = performance.now() - start < 240 ? calm + 1 : 0;
    }
    const order: string[] = [];
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const hold = work(async () => {
      begun.resolve();
      await end.promise;
    });
    const first = database.write(hold, long).then(() => order.push('long'));
    await begun.promise;
    const second = database.write(hold, long).then(() => order.push('next long'));
    const other = database.write(addOne(2), light).then(() => order.push('light'));
    end.resolve();
    await Promise.all([first, second, other]);
    assert.deepEqual(order, ['long', 'light', 'next long']);
    assert.equal(await countAt(database, 2), 1);
  });

  test("calls wait for a client's transaction, and get 1222 when their lock timeout has come", async () => {
    await using shop = await openShop(engine);
    await fill(shop.database, 1);
    const like = await trusted(shop.database, {});
    const transaction = await shop.database.begin();
    await transaction.run(addOne(1));
    await assert.rejects(shop.database.write(addOne(1), { like, lockTimeout: 50 }), { number: 1222 });
    const patient = shop.database.write(addOne(1), { like });
    await transaction.commit();
    await patient;
    assert.equal(await countAt(shop.database, 1), 2);
  });

  test('a hundred reads at once each see what was committed before they came, large results too', async () => {
    await using shop = await openShop(engine);
    await fill(shop.database, ...Array.from({ length: 1200 }, (_, index) => index + 1));
    const like = {};
    const count = async (db: Db) => {
      let seen = 0;
      for await (const { n } of db.rows({ n: number }, sql`select n from counters order by id`)) seen += 1 + n;
      return seen;
    };
    const first = async (db: Db) => (await db.first({ n: number }, sql`select n from counters where id = 1`))?.n;
    for (let round = 0; round < 10; round++) await readLike(shop.database, like, first);
    for (let round = 1; round <= 5; round++) {
      await shop.database.write(addOne(1));
      const reads = Array.from({ length: 100 }, (_, index) =>
        readLike(shop.database, like, index % 10 ? first : count),
      );
      const seen = await Promise.all(reads);
      assert.deepEqual(new Set(seen), new Set([round, 1200 + round]));
    }
  });

  test('a read that fails does not fail those beside it', async () => {
    await using shop = await openShop(engine);
    await fill(shop.database, 1);
    const like = {};
    const first = async (db: Db) => (await db.first({ n: number }, sql`select n from counters where id = 1`))?.n;
    const broken = async (db: Db) => (await db.first({ n: number }, sql`select n from no_such_table`))?.n;
    for (let round = 0; round < 10; round++) await readLike(shop.database, like, first);
    const ends = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => readLike(shop.database, like, index === 5 ? broken : first)),
    );
    assert.equal(ends.filter((end) => end.status === 'fulfilled').length, 59);
  });
});
