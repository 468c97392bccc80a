import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Db } from '../../../src/engine/db.ts';
import { sql } from '../../../src/engine/sql.ts';
import { forEachEngine, newStore } from '../../support/engines.ts';
import { number, openShop, shop } from './fixture.ts';

/** More rows than any engine inserts in one turn of the event loop. */
const many = 50_000;

function* rows(count = many): Generator<readonly number[]> {
  for (let id = 1; id <= count; id++) yield [id, 0];
}

const insertMany = (db: Db) => db.insert('counters', ['id', 'n'], rows());

async function countOf(db: Db): Promise<number | undefined> {
  return (await db.first({ Count: number }, sql`select count(*) as "Count" from counters`))?.Count;
}

forEachEngine((engine) => {
  describe('long work of a writer', () => {
    test('gives way to readers, who see nothing of it, and to no other writer', async () => {
      await using opened = await openShop(engine);
      const { database } = opened;
      const order: string[] = [];
      const inserted = database.write(insertMany).then(() => order.push('inserted'));
      const other = database
        .write(async (db) => order.push(`another writer sees ${await countOf(db)}`))
        .then(() => order.push('the other wrote'));
      await nextTurn();
      order.push(`a reader sees ${await database.read(countOf)}`);
      await Promise.all([inserted, other]);
      assert.ok(order.indexOf('a reader sees 0') < order.indexOf('inserted'), order.join());
      assert.equal(await database.read(countOf), many);
      // On PostgreSQL writers run beside each other.
      if (engine === 'sqlite') assert.ok(order.includes(`another writer sees ${many}`), order.join());
    });

    test('gives way between two statements too', async () => {
      await using opened = await openShop(engine);
      const { database } = opened;
      let turns = 0;
      let counting = setImmediate(function count() {
        turns++;
        counting = setImmediate(count);
      });
      const during = await database.write(async (db) => {
        await db.insert('counters', ['id', 'n'], rows(2000));
        const before = turns;
        for (let time = 0; time < 60; time++) await db.run(sql`update counters set n = n + 1`);
        return turns - before;
      });
      clearImmediate(counting);
      assert.ok(during > 0);
    });

    test('that is cancelled meanwhile leaves nothing', async () => {
      await using opened = await openShop(engine);
      const { database } = opened;
      const cancel = new AbortController();
      const inserted = database.write(insertMany, { signal: cancel.signal });
      const cancelled = assert.rejects(inserted, { message: 'cancelled' });
      await nextTurn();
      cancel.abort(new Error('cancelled'));
      await cancelled;
      assert.equal(await database.read(countOf), 0);
      await database.write((db) => db.insert('counters', ['id', 'n'], rows(1)));
      assert.equal(await database.read(countOf), 1);
    });

    test('whose rows fail to be made leaves nothing, though the work went on', async () => {
      await using opened = await openShop(engine);
      const { database } = opened;
      function* broken(): Generator<readonly number[]> {
        yield* rows(100);
        throw new Error('no more rows');
      }
      const work = async (db: Db) => {
        await db.insert('counters', ['id', 'n'], broken()).catch(() => {});
      };
      await assert.rejects(database.write(work), { message: 'no more rows' });
      assert.equal(await database.read(countOf), 0);
    });

    test('in a client’s transaction leaves nothing when the engine stops', async () => {
      await using store = await newStore(engine);
      const first = store.connect({ schemas: [shop] });
      await first.start();
      const transaction = await (await first.create('Shop', 'shop')).begin();
      const inserted = transaction.run(insertMany).catch(() => {});
      await nextTurn();
      await first.stop();
      await inserted;
      const second = store.connect({ schemas: [shop] });
      await second.start();
      const database: Database | undefined = await second.open('Shop');
      assert.equal(await database?.read(countOf), 0);
      await second.stop();
    });
  });
});
