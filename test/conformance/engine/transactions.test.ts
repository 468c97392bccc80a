import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database, Db } from '../../../src/engine/db.ts';
import { sql } from '../../../src/engine/sql.ts';
import { forEachEngine } from '../../support/engines.ts';
import { number, openShop } from './fixture.ts';

const add = (id: number) => (db: Db) => db.run(sql`insert into counters (id, n) values (${id}, 0)`);
const count = (id: number) => (db: Db) => db.run(sql`update counters set n = n + 1 where id = ${id}`);
const word = { fromStore: String };
const countOf = async (database: Database, id: number) =>
  (await database.read((db) => db.first({ n: number }, sql`select n from counters where id = ${id}`)))?.n;
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
    await assert.rejects(transaction.run(add(2)), /already ended/);
    await assert.rejects(transaction.commit(), /already ended/);
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

  test('who wants the rows of a transaction waits, up to the lock timeout, and then gets error 1222', async () => {
    await using shop = await openShop(engine);
    await shop.database.write(add(1));
    const transaction = await shop.database.begin();
    await transaction.run(count(1));
    const patient = shop.database.write(count(1));
    for (const lockTimeout of [0, 50, 600]) {
      await assert.rejects(shop.database.write(count(1), { lockTimeout }), { number: 1222 });
    }
    await transaction.commit();
    await patient;
    await shop.database.write(count(1), { lockTimeout: 0 });
    assert.equal(await countOf(shop.database, 1), 3);
  });

  test('a transaction keeps waiting whoever would change its rows: on SQLite the whole database is one', async () => {
    await using shop = await openShop(engine);
    await shop.database.write(add(1));
    await shop.database.write(add(2));
    const transaction = await shop.database.begin();
    await transaction.run(count(1));
    const blocked = shop.database.write(count(1));
    const lockTimeout = engine === 'sqlite' ? 50 : 120_000;
    const others = async () => {
      for (let times = 0; times < 5; times++) {
        await shop.database.write(count(2), { lockTimeout });
        await shop.database.write(count(2), { lockTimeout, serial: true });
        await shop.database.write(count(2), { lockTimeout, like: shop });
      }
      const beside = await shop.database.begin({ lockTimeout });
      await beside.run(count(2), { serial: true });
      await beside.commit();
    };
    if (engine === 'sqlite') await assert.rejects(others(), { number: 1222 });
    else await others();
    await transaction.commit();
    await blocked;
    assert.equal(await countOf(shop.database, 1), 2);
    assert.equal(await countOf(shop.database, 2), engine === 'sqlite' ? 0 : 16);
  });

  test('transactions that cannot be put in order: one gets error 3960 and leaves nothing, the other is kept', async () => {
    await using shop = await openShop(engine);
    if (engine === 'sqlite') return; // they never run beside each other there
    await shop.database.write(add(1));
    const first = await shop.database.begin({ who: 51 });
    const second = await shop.database.begin({ who: 52 });
    const seen = await idsIn(first.db);
    assert.deepEqual(await idsIn(second.db), seen);
    await first.run(count(1));
    const late = second.run(count(1));
    const refused = assert.rejects(late, { number: 3960 });
    await first.commit();
    await refused;
    await second.rollback();
    assert.equal(await countOf(shop.database, 1), 1);
  });

  test('a snapshot becomes a transaction after commits that changed nothing, or nothing that calls can see', async () => {
    await using shop = await openShop(engine);
    await shop.database.write(add(1));
    for (const serializable of [false, true]) {
      const snapshot = await shop.database.hold({ serializable });
      assert.deepEqual(await idsIn(snapshot.db), [1]);
      const removed = await shop.database.write((db) => db.run(sql`delete from counters where id = ${7}`));
      assert.equal(removed, 0);
      await shop.database.write((db) => db.run(sql`insert into tickets (note) values (${'unseen'})`), {
        isUnseen: true,
      });
      const transaction = await snapshot.claim();
      await transaction.run(count(1));
      await transaction.commit();
    }
    assert.equal(await countOf(shop.database, 1), 2);
  });

  test('a snapshot does not become a transaction that would overwrite a change, whoever shared its commit: 3960', async () => {
    await using shop = await openShop(engine);
    await shop.database.write(add(1));
    const snapshot = await shop.database.hold({ serializable: true });
    assert.deepEqual(await idsIn(snapshot.db), [1]);
    const unseen = (db: Db) => db.run(sql`insert into tickets (note) values (${'unseen'})`);
    await Promise.all([
      shop.database.write(unseen, { isUnseen: true }),
      shop.database.write(count(1)),
      shop.database.write(unseen, { isUnseen: true }),
    ]);
    await assert.rejects(
      async () => {
        const transaction = await snapshot.claim();
        try {
          await transaction.run(count(1));
        } finally {
          await transaction.rollback();
        }
      },
      { number: 3960 },
    );
    await snapshot.end();
    assert.equal(await countOf(shop.database, 1), 1);
  });

  test('what transactions number is numbered in the order of their commits', async () => {
    await using shop = await openShop(engine);
    const numbered = (note: string) => (db: Db) =>
      db.run(sql`insert into log (number, note) select coalesce(max(number), 0) + 1, ${note} from log`);
    const transaction = await shop.database.begin({ serial: true });
    await transaction.run(numbered('first'), { serial: true });
    const second = shop.database.write(numbered('second'), { serial: true });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await transaction.commit();
    await second;
    const rows = await shop.database.read((db) =>
      db.all({ number, note: word }, sql`select number, note from log order by number`),
    );
    assert.deepEqual(rows, [
      { number: 1, note: 'first' },
      { number: 2, note: 'second' },
    ]);
  });

  test('who is cancelled while waiting leaves the queue', async () => {
    await using shop = await openShop(engine);
    await shop.database.write(add(1));
    const transaction = await shop.database.begin();
    await transaction.run(count(1));
    const cancel = new AbortController();
    const reason = new Error('the client cancelled');
    const { signal } = cancel;
    const write = shop.database.write(count(1), { signal });
    // On PostgreSQL another transaction begins at once and waits where it meets the first.
    const begin = shop.database.begin({ signal }).then((other) => other.run(count(1), { signal }));
    const both = Promise.allSettled([write, begin]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    cancel.abort(reason);
    for (const outcome of await both) assert.deepEqual(outcome, { status: 'rejected', reason });
    await transaction.run(add(3));
    await transaction.commit();
    await shop.database.write(add(2));
    assert.deepEqual(await ids(shop.database), [1, 2, 3]);
    assert.equal(await countOf(shop.database, 1), 1);
  });

  test('readers do not wait for a transaction', async () => {
    await using shop = await openShop(engine);
    await shop.database.write(add(1));
    const transaction = await shop.database.begin();
    await transaction.run((db) => db.run(sql`delete from counters`));
    const waiting = Array.from({ length: 12 }, () => shop.database.write(count(1)).catch(() => {}));
    assert.deepEqual(await Promise.all(Array.from({ length: 20 }, () => ids(shop.database))), Array(20).fill([1]));
    await transaction.rollback();
    await Promise.all(waiting);
  });

  test('an engine that stops undoes the transactions that are open', async () => {
    await using shop = await openShop(engine);
    const transaction = await shop.database.begin();
    await transaction.run(add(1));
    await shop.engine.stop();
    await assert.rejects(transaction.run(add(2)), /already ended/);
  });
});
