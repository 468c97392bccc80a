import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredValue } from '../../../src/base/stored.ts';
import type { BoundRows } from '../../../src/engine/db.ts';
import { sql } from '../../../src/engine/sql.ts';
import { forEachEngine } from '../../support/engines.ts';
import { bytes, number, openShop, text, wide } from './fixture.ts';

async function* batches(...rows: readonly BoundRows[]): AsyncGenerator<BoundRows, void> {
  yield* rows;
}

async function* manyCounters(count: number): AsyncGenerator<BoundRows, void> {
  for (let at = 0; at < count; at += 700)
    yield Array.from({ length: Math.min(700, count - at) }, (_, index) => [at + index, index]);
}

const counters = ['id', 'n'];
const count = { n: number };

forEachEngine((engine) => {
  test('load takes every kind of value as it is', async () => {
    await using shop = await openShop(engine);
    const rows: StoredValue[][] = [
      [1, 'Zoë 🌾', -1, 0.5, Buffer.from([0, 255])],
      [2, '', -4294967296, -1e300, Buffer.alloc(0)],
      [3, null, null, null, null],
      [4, 'x'.repeat(400_000), 9007199254740991, 3, Buffer.alloc(300_000, 7)],
      [5, 'ß'.repeat(100_000), -9223372036854775808n, null, null],
      [6n, 'last', 9223372036854775807n, null, null],
    ];
    const loaded = await shop.database.write((db) =>
      db.load('things', ['id', 'name', 'big', 'part', 'body'], batches(rows.slice(0, 2), [], rows.slice(2))),
    );
    assert.equal(loaded, 6);
    const part = { fromStore: Number };
    const shape = {
      id: number,
      name: { orNull: text },
      big: { orNull: wide },
      part: { orNull: part },
      body: { orNull: bytes },
    };
    const kept = await shop.database.read((db) =>
      db.all(shape, sql`select id, name, big, part, body from things order by id`),
    );
    const expected = rows.map(([id, name, big, half, body]) => ({
      id: Number(id),
      name,
      big: big === null ? null : BigInt(String(big)),
      part: half,
      body: body instanceof Uint8Array ? new Uint8Array(body) : null,
    }));
    assert.deepEqual(kept, expected);
  });

  test('load takes many rows, and the engine numbers them in their order', async () => {
    await using shop = await openShop(engine);
    const notes = Array.from({ length: 1001 }, (_, at) => [`note ${at}`]);
    assert.equal(await shop.database.write((db) => db.load('counters', counters, manyCounters(20_000))), 20_000);
    await shop.database.write((db) => db.load('tickets', ['note'], batches(notes.slice(0, 500), notes.slice(500))));
    const tickets = await shop.database.read((db) =>
      db.all({ id: number, note: text }, sql`select id, note from tickets order by id`),
    );
    assert.deepEqual(
      tickets,
      notes.map(([note], at) => ({ id: at + 1, note })),
    );
  });

  test('a key that is there already is 2627 with its value, and nothing of the load is kept', async () => {
    await using shop = await openShop(engine);
    await shop.database.write((db) => db.run(sql`insert into counters (id, n) values (15000, 1)`));
    await assert.rejects(
      shop.database.write((db) => db.load('counters', counters, manyCounters(20_000))),
      { number: 2627, message: /'dbo\.counters'\. The duplicate key value is \(15000\)\.$/ },
    );
    assert.deepEqual(await shop.database.read((db) => db.first(count, sql`select count(*) as n from counters`)), {
      n: 1,
    });
    assert.equal(await shop.database.write((db) => db.load('counters', counters, batches([[2, 2]]))), 1);
  });

  test('rows that end in an error leave nothing, and the database is good for more', async () => {
    await using shop = await openShop(engine);
    async function* broken(): AsyncGenerator<BoundRows, void> {
      yield [[1, 1]];
      throw new Error('the client is gone');
    }
    await assert.rejects(
      shop.database.write((db) => db.load('counters', counters, broken())),
      /the client is gone/,
    );
    assert.equal(await shop.database.write((db) => db.load('counters', counters, batches([[1, 2]]))), 1);
  });

  test("a load in a client's transaction fails alone and is undone with it", async () => {
    await using shop = await openShop(engine);
    const transaction = await shop.database.begin();
    await transaction.run((db) => db.load('counters', counters, batches([[1, 1]])));
    await assert.rejects(
      transaction.run((db) => db.load('counters', counters, batches([[2, 2]], [[1, 1]]))),
      { number: 2627 },
    );
    await transaction.run((db) => db.load('counters', counters, batches([[3, 3]])));
    const ids = await transaction.run((db) => db.all({ id: number }, sql`select id from counters order by id`));
    assert.deepEqual(ids, [{ id: 1 }, { id: 3 }]);
    await transaction.rollback();
    assert.deepEqual(await shop.database.read((db) => db.first(count, sql`select count(*) as n from counters`)), {
      n: 0,
    });
  });

  test('a cancelled load stops, and leaves nothing', async () => {
    await using shop = await openShop(engine);
    const cancel = new AbortController();
    async function* endless(): AsyncGenerator<BoundRows, void> {
      for (let id = 0; ; id++) {
        if (id === 1000) cancel.abort(new Error('cancelled'));
        yield [[id, id]];
      }
    }
    const load = shop.database.write((db) => db.load('counters', counters, endless()), { signal: cancel.signal });
    await assert.rejects(load, /cancelled/);
    assert.deepEqual(await shop.database.read((db) => db.first(count, sql`select count(*) as n from counters`)), {
      n: 0,
    });
  });
});
