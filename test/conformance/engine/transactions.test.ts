import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database, Db } from '../../../src/engine/db.ts';
import { sql } from '../../../src/engine/sql.ts';
import { forEachEngine } from '../../support/engines.ts';
import { number, openShop } from './fixture.ts';

const add = (id: number) => (db: Db) => db.run(sql`insert into counters (id, n) values (${id}, 0)`);
const idsIn = async (db: Db) =>
  (await db.all({ id: number }, sql`select id from counters order by id`)).map(({ id }) => id);
const ids = (database: Database) => database.read(idsIn);

forEachEngine((engine) => {
  test('what a client’s transaction did is seen by others after its commit, and by itself before', async () => {
    await using shop = await openShop(engine);
    const transaction = await shop.database.begin();
    await transaction.run(add(1));
    assert.deepEqual(await idsIn(transaction.db), [1]);
    assert.deepEqual(await ids(shop.database), []);
    await transaction.commit();
    assert.deepEqual(await ids(shop.database), [1]);
  });

  test('a rollback leaves nothing, and a second one does no harm', async () => {
    await using shop = await openShop(engine);
    const transaction = await shop.database.begin();
    await transaction.run(add(1));
    await transaction.rollback();
    await transaction.rollback();
    assert.deepEqual(await ids(shop.database), []);
    await assert.rejects(transaction.run(add(2)), /ended already/);
    await assert.rejects(transaction.commit(), /ended already/);
  });

  test('a failed call inside a transaction undoes itself and the transaction goes on', async () => {
    await using shop = await openShop(engine);
    const transaction = await shop.database.begin();
    await transaction.run(add(1));
    await assert.rejects(
      transaction.run(async (db) => {
        await add(2)(db);
        await add(1)(db);
      }),
      { number: 2627 },
    );
    await assert.rejects(transaction.db.all({ id: number }, sql`select id from nowhere`), /nowhere/);
    await transaction.run(add(3));
    await transaction.commit();
    assert.deepEqual(await ids(shop.database), [1, 3]);
  });

  test('savepoints may repeat a name: a rollback goes to the latest', async () => {
    await using shop = await openShop(engine);
    const transaction = await shop.database.begin();
    await transaction.run(add(1));
    await transaction.save('here');
    await transaction.run(add(2));
    await transaction.save('here');
    await transaction.run(add(3));
    await transaction.save('there "quoted"; drop');
    await transaction.run(add(4));
    assert.equal(await transaction.rollbackTo('here'), true);
    assert.deepEqual(await idsIn(transaction.db), [1, 2]);
    assert.equal(await transaction.rollbackTo('there "quoted"; drop'), false);
    assert.equal(await transaction.rollbackTo('Here'), false);
    await transaction.run(add(5));
    await transaction.commit();
    assert.deepEqual(await ids(shop.database), [1, 2, 5]);
  });

  test('a transaction streams rows and runs other queries meanwhile', async () => {
    await using shop = await openShop(engine);
    const transaction = await shop.database.begin();
    await transaction.run((db) =>
      db.insert(
        'counters',
        ['id', 'n'],
        Array.from({ length: 1200 }, (_, id) => [id, 1]),
      ),
    );
    let sum = 0;
    for await (const { id } of transaction.db.rows({ id: number }, sql`select id from counters`)) {
      if (id % 300 === 0) sum += (await idsIn(transaction.db)).length;
    }
    await transaction.rollback();
    assert.equal(sum, 4 * 1200);
  });

  test('others wait for a transaction, up to the lock timeout, and then get error 1222', async () => {
    await using shop = await openShop(engine);
    const transaction = await shop.database.begin();
    await transaction.run(add(1));
    const patient = shop.database.write(add(2));
    for (const lockTimeout of [0, 50]) {
      await assert.rejects(shop.database.write(add(3), { lockTimeout }), { number: 1222 });
      await assert.rejects(shop.database.begin({ lockTimeout }), { number: 1222 });
    }
    await transaction.commit();
    await patient;
    await shop.database.write(add(4), { lockTimeout: 0 });
    assert.deepEqual(await ids(shop.database), [1, 2, 4]);
  });

  test('who is cancelled while waiting leaves the queue', async () => {
    await using shop = await openShop(engine);
    const transaction = await shop.database.begin();
    const cancel = new AbortController();
    const reason = new Error('the client cancelled');
    const write = shop.database.write(() => assert.fail('it was run'), { signal: cancel.signal });
    const begin = shop.database.begin({ signal: cancel.signal });
    const both = Promise.allSettled([write, begin]);
    cancel.abort(reason);
    for (const outcome of await both) assert.deepEqual(outcome, { status: 'rejected', reason });
    await transaction.run(add(1));
    await transaction.commit();
    await shop.database.write(add(2));
    assert.deepEqual(await ids(shop.database), [1, 2]);
  });

  test('readers do not wait for a transaction', async () => {
    await using shop = await openShop(engine);
    await shop.database.write(add(1));
    const transaction = await shop.database.begin();
    await transaction.run((db) => db.run(sql`delete from counters`));
    const waiting = Array.from({ length: 12 }, () => shop.database.write(add(2)).catch(() => {}));
    assert.deepEqual(await Promise.all(Array.from({ length: 20 }, () => ids(shop.database))), Array(20).fill([1]));
    await transaction.rollback();
    await Promise.all(waiting);
  });

  test('an engine that stops undoes the transactions that are open', async () => {
    await using shop = await openShop(engine);
    const transaction = await shop.database.begin();
    await transaction.run(add(1));
    await shop.engine.stop();
    await assert.rejects(transaction.run(add(2)), /ended already/);
  });
});
