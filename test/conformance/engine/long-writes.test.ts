import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Db, Transaction } from '../../../src/engine/db.ts';
import { type Sql, sql } from '../../../src/engine/sql.ts';
import { int, nvarchar } from '../../../src/tds/types/index.ts';
import { type EngineName, forEachEngine, newStore } from '../../support/engines.ts';
import { longestUsualTurn } from '../../support/longest-turn.ts';

// Alone in its process: it measures how long others wait for the event loop.

const numbers = {
  kind: 'numbers',
  migrations: [
    {
      area: 'numbers',
      number: 1,
      name: 'numbers',
      text: `
        create table numbers (id bigint not null primary key, n bigint not null, filler text not null);
        create index numbers_n on numbers (n);
        create table copies (id bigint not null primary key, n bigint not null, filler text not null);
        create unique index copies_filler on copies (filler);`,
    },
  ],
};

/** On PostgreSQL they are changed elsewhere anyway, and take longer. */
const rowsOn: Record<EngineName, number> = { sqlite: 200_000, postgres: 10_000 };
/** Milliseconds of this thread that a turn may take: a statement may take 10 of them here before it goes elsewhere. */
const bound = 50;
const count = { n: int };

const statements: Readonly<Record<string, Sql>> = {
  'a delete of many rows': sql`delete from numbers where n < 5`,
  'a delete of all rows': sql`delete from numbers`,
  'an update of all rows': sql`update numbers set filler = filler || '!'`,
  'an update that looks for few rows': sql`update numbers set n = 20 where filler like '%no such filler%'`,
  'an insert of a query': sql`insert into copies select id, n, filler from numbers`,
  'an update from another table': sql`update numbers set n = o.n + 1 from numbers o where o.id = numbers.id and numbers.n <> o.n + 1`,
};

forEachEngine((engine: EngineName) => {
  const rows = rowsOn[engine];
  describe('a statement of a writer that takes long', () => {
    let store: Awaited<ReturnType<typeof newStore>>;
    let opened: ReturnType<typeof store.connect>;
    let database: Database;
    const read = async (query: Sql) => (await database.read((db) => db.first(count, query)))?.n;
    const fill = (db: Db) =>
      db.insert(
        'numbers',
        ['id', 'n', 'filler'],
        (function* () {
          for (let id = 0; id < rows; id++) yield [id, id % 10, `filler ${id} ${'x'.repeat(30)}`];
        })(),
      );
    before(async () => {
      store = await newStore(engine);
      opened = store.connect({ schemas: [numbers] });
      await opened.start();
      database = await opened.create('Numbers', 'numbers');
      await database.write(fill);
    });
    after(async () => {
      await opened.stop();
      await store[Symbol.asyncDispose]();
    });
    const transactions: Transaction[] = [];
    afterEach(async () => {
      for (const transaction of transactions.splice(0)) await transaction.rollback();
      assert.equal(
        await read(sql`select count(*) as n from numbers where n < 10`),
        rows,
        'each test leaves what was there',
      );
      assert.equal(await read(sql`select count(*) as n from copies`), 0);
    });
    const begin = async () => {
      const transaction = await database.begin();
      transactions.push(transaction);
      return transaction;
    };

    for (const [name, statement] of Object.entries(statements)) {
      test(`${name} keeps no other session waiting, in a call`, async () => {
        const undo = new Error('undone');
        const work = () =>
          assert.rejects(
            database.write(async (db) => {
              await db.run(statement);
              throw undo;
            }),
            undo,
          );
        const longest = await longestUsualTurn(work, bound, 3);
        assert.ok(longest < bound, `others waited for ${longest} ms`);
      });

      test(`${name} keeps no other session waiting, in a client’s transaction`, async () => {
        const work = async () => {
          const transaction = await begin();
          await transaction.run((db) => db.run(statement));
          await transaction.rollback();
        };
        const longest = await longestUsualTurn(work, bound, 3);
        assert.ok(longest < bound, `others waited for ${longest} ms`);
      });
    }

    test('a long query of a writer keeps no other session waiting, and sees what was written', async () => {
      const transaction = await begin();
      await transaction.run((db) => db.run(sql`update numbers set filler = 'new' where id = 5`));
      const query = sql`select count(*) as n from numbers where length(filler || n) < 6`;
      const longest = await longestUsualTurn(async () => {
        assert.deepEqual(await transaction.db.first(count, query), { n: 1 });
      }, bound);
      assert.ok(longest < bound, `others waited for ${longest} ms`);
      const batches = await Array.fromAsync(
        transaction.db.batches({ filler: nvarchar(4000) }, sql`select filler from numbers where id < 1000 order by id`),
      );
      assert.deepEqual(batches.flat()[5], ['new']);
    });

    test('is one with what came before it and what comes after it', async () => {
      const seen = await database.write(async (db) => {
        await db.insert('copies', ['id', 'n', 'filler'], [[1, 0, 'one']]);
        const two = await db.first(count, sql`insert into copies values (2, 7, 'two') returning n`);
        const changed = await db.run(sql`update numbers set n = n + 100`);
        await db.insert('copies', ['id', 'n', 'filler'], [[3, 0, 'three']]);
        const above: number[] = [];
        // The loop changes what it reads.
        for await (const { n } of db.rows(count, sql`select distinct n from numbers where n > 107 order by n`)) {
          above.push(n);
          if (n === 108) await db.run(sql`update numbers set n = n - 100`);
        }
        const copies = await db.all({ filler: nvarchar(4000) }, sql`select filler from copies order by id`);
        await db.truncate('copies');
        return { two: two?.n, changed, above, copies: copies.map(({ filler }) => filler) };
      });
      assert.deepEqual(seen, { two: 7, changed: rows, above: [108, 109], copies: ['one', 'two', 'three'] });
    });

    test('is told apart by its errors, and a call that fails after it leaves nothing', async () => {
      const failing = (statement: Sql) =>
        database.write(async (db) => {
          await db.run(sql`insert into copies values (-1, 0, 'filler 7 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')`);
          await db.run(sql`update numbers set n = n + 100`);
          await db.run(statement);
        });
      await assert.rejects(failing(sql`insert into copies select id, n, filler from numbers`), {
        number: 2627,
        message: /copies_filler/,
      });
      await assert.rejects(failing(sql`insert into copies values (-1, 1, 'another')`), { number: 2627 });
      const row = database.write(async (db) => {
        await db.run(sql`update numbers set n = n + 100`);
        await db.insert(
          'copies',
          ['id', 'n', 'filler'],
          [
            [1, 1, 'a'],
            [1, 2, 'b'],
          ],
        );
      });
      await assert.rejects(row, { number: 2627 });
    });

    test('runs among other calls, each of which is kept or fails by itself', async () => {
      // Calls of a kind are run without savepoints until one of them needed one.
      const [short, long] = [{ like: {} }, { like: {} }];
      const put = (id: number) =>
        database.write((db) => db.run(sql`insert into copies values (${id}, 0, ${`${id}`})`), short);
      const answers = await Promise.allSettled([
        put(1),
        put(1),
        put(2),
        database.write(async (db) => {
          await db.run(sql`insert into copies values (3, 0, '3')`);
          return db.run(sql`update numbers set n = n + 0`);
        }, long),
        put(3),
        put(4),
      ]);
      assert.deepEqual(
        answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.number)),
        [1, 2627, 1, rows, 2627, 1],
      );
      assert.equal(await database.write((db) => db.run(sql`delete from copies`)), 4);
    });

    test('in a client’s transaction leaves its savepoints as they were', async () => {
      const transaction = await begin();
      const put = (id: number) =>
        transaction.run((db) => db.run(sql`insert into copies values (${id}, 0, ${`${id}`})`)).then(() => id);
      await put(1);
      await transaction.save('first');
      await put(2);
      await assert.rejects(put(1), { number: 2627 });
      await transaction.save('second');
      await transaction.run((db) => db.run(sql`update numbers set n = n + 100`));
      await put(3);
      const ids = async () =>
        (await transaction.db.all({ id: int }, sql`select id from copies order by id`)).map(({ id }) => id);
      assert.deepEqual(await ids(), [1, 2, 3]);
      assert.equal(await transaction.rollbackTo('second'), true);
      assert.deepEqual(await ids(), [1, 2]);
      assert.deepEqual(await transaction.db.first(count, sql`select max(n) as n from numbers`), { n: 9 });
      assert.equal(await transaction.rollbackTo('first'), true);
      await put(4);
      await transaction.commit();
      assert.equal(await read(sql`select sum(id) as n from copies`), 5);
      await database.write((db) => db.truncate('copies'));
    });

    test('that is cancelled ends soon and leaves nothing', async () => {
      const cancel = new AbortController();
      const endless = sql`update numbers set n = (select count(*) from numbers a join numbers b on a.n + b.n < 0) + n`;
      const cancelled = assert.rejects(
        database.write((db) => db.run(endless), { signal: cancel.signal }),
        { message: 'cancelled' },
      );
      await delay(300);
      cancel.abort(new Error('cancelled'));
      await cancelled;
      assert.equal(await database.write((db) => db.run(sql`update numbers set n = n where id = 1`)), 1);
    });

    test('holds the write lock: who has waited for long enough gets 1222', { skip: engine !== 'sqlite' }, async () => {
      const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const long = database.write(async (db) => {
        begun.resolve();
        const changed = await db.run(sql`update numbers set n = n + 0, filler = filler || ''`);
        await end.promise;
        return changed;
      });
      await begun.promise;
      await assert.rejects(
        database.write((db) => db.run(sql`update numbers set n = n where id = 1`), { lockTimeout: 20 }),
        { number: 1222 },
      );
      end.resolve();
      assert.equal(await long, rows);
    });

    test('a load of many rows in a client’s transaction, and what follows it, keeps nobody waiting', async () => {
      const load = async () => {
        const transaction = await begin();
        await transaction.run((db) =>
          db.load(
            'copies',
            ['id', 'n', 'filler'],
            (async function* () {
              for (let at = 0; at < rows; at += 100)
                yield Array.from({ length: 100 }, (_, i) => [at + i, 0, `f${at + i}`]);
            })(),
          ),
        );
        assert.equal(await transaction.run((db) => db.run(sql`update copies set n = n + 1`)), rows);
        await transaction.rollback();
      };
      const longest = await longestUsualTurn(load, bound, 3);
      assert.ok(longest < bound, `others waited for ${longest} ms`);
    });
  });

  test('a stop of the engine ends a client’s transaction whose statement takes long', {
    skip: engine !== 'sqlite',
  }, async () => {
    await using store = await newStore(engine);
    const first = store.connect({ schemas: [numbers] });
    await first.start();
    const database = await first.create('Numbers', 'numbers');
    const many = Array.from({ length: 20_000 }, (_, id) => [id, 0, '']);
    await database.write((db) => db.insert('numbers', ['id', 'n', 'filler'], many));
    const transaction = await database.begin();
    const endless = sql`update numbers set n = (select count(*) from numbers a join numbers b on a.n + b.n < 0) + 1`;
    const failed = assert.rejects(
      transaction.run((db) => db.run(endless)),
      /being closed/,
    );
    await delay(200);
    await first.stop();
    await failed;
    const second = store.connect({ schemas: [numbers] });
    await second.start();
    const again = await second.open('Numbers');
    assert.deepEqual(await again?.read((db) => db.first(count, sql`select sum(n) as n from numbers`)), { n: 0 });
    await second.stop();
  });
});
