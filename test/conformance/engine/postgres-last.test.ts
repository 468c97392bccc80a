import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log/log.ts';
import type { Database, Db, Together } from '../../../src/engine/db.ts';
import { PostgresEngine } from '../../../src/engine/postgres/engine.ts';
import { demanded, sql } from '../../../src/engine/sql.ts';
import { newStore } from '../../support/engines.ts';
import { number, shop, text } from './fixture.ts';
import { LossyWire } from './lossy-wire.ts';

const enough = demanded(sql`n < 100`);

/** A kind of call that counts, and that is committed with its one statement once it is known. */
class Counting {
  readonly #database: Database;
  readonly #kind = {};
  /** How each call was run, in their order. */
  readonly ways: ('last' | 'long')[] = [];
  /** How many calls each shared statement was for. */
  readonly shared: number[] = [];
  readonly #form: Together['form'] = {
    columns: { id: 'bigint' },
    statement: (rows) => {
      this.shared.push(rows.rows.length);
      return sql`update counters set n = n + 1 from ${rows} t where counters.id = t.id returning ${enough} as done`;
    },
  };

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds one to a counter; one that comes to 100 begins anew, with a second statement. */
  add(id: number): Promise<void> {
    const work = async (db: Db): Promise<void> => {
      const change = sql`update counters set n = n + 1 where id = ${id}`;
      this.ways.push(db.last === undefined ? 'long' : 'last');
      const together = { form: this.#form, row: [id], what: String(id) };
      if (db.last !== undefined) return db.last(sql`${change} returning ${enough} as done`, together);
      const row = await db.first({ n: number }, sql`${change} returning n`);
      if ((row?.n ?? 0) >= 100) await db.run(sql`update counters set n = 0 where id = ${id}`);
    };
    return this.#database.write(work, { like: this.#kind, byRows: 'at once' });
  }

  async settle(): Promise<void> {
    while (this.ways.at(-1) !== 'last') await this.add(0);
    this.ways.length = 0;
    this.shared.length = 0;
  }
}

describe('calls that PostgreSQL commits with their one statement', () => {
  const cleanUp = new AsyncDisposableStack();
  let wire: LossyWire;
  let database: Database;
  let calls: Counting;
  const counts = () =>
    database.read(async (db) => {
      const rows = await db.all({ n: number }, sql`select n from counters where id > 0 order by id`);
      return rows.map(({ n }) => n);
    });

  before(async () => {
    const store = cleanUp.use(await newStore('postgres'));
    const [url = '', prefix = ''] = store.place;
    wire = cleanUp.use(await LossyWire.open(url));
    const options = { schemas: [shop], clock: systemClock, log: silentLog, prefix, poolSize: 4 };
    const engine = cleanUp.use(new PostgresEngine({ url: wire.url, ...options }));
    await engine.start();
    database = await engine.create('Shop', 'shop');
  });
  after(() => cleanUp.disposeAsync());

  /** The counters 1 to 3 begin anew, and a kind of calls is known. */
  beforeEach(async () => {
    await database.write(async (db) => {
      await db.run(sql`delete from counters`);
      await db.insert(
        'counters',
        ['id', 'n'],
        [0, 1, 2, 3].map((id) => [id, 0]),
      );
    });
    calls = new Counting(database);
    await calls.settle();
  });

  test('one call is one message', async () => {
    const before = wire.messages;
    for (let made = 0; made < 5; made++) await calls.add(1);
    assert.equal(wire.messages - before, 5);
    assert.deepEqual(await counts(), [5, 0, 0]);
  });

  test('those of one group that end alike share a statement', async () => {
    const before = wire.messages;
    await Promise.all([calls.add(1), calls.add(2), calls.add(3)]);
    assert.deepEqual(calls.shared, [3]);
    assert.equal(wire.messages - before, 1);
    assert.deepEqual(await counts(), [1, 1, 1]);
  });

  test('those of one group that change the same take effect one after another', async () => {
    await Promise.all([calls.add(1), calls.add(2), calls.add(1)]);
    assert.deepEqual(calls.shared, []);
    assert.deepEqual(await counts(), [2, 1, 0]);
  });

  test('one that would have more to do leaves nothing, and is run again the long way', async () => {
    await database.write((db) => db.run(sql`update counters set n = 99 where id = 1`));
    await Promise.all([calls.add(2), calls.add(1), calls.add(3)]);
    assert.deepEqual(await counts(), [0, 1, 1]);
    assert.ok(calls.ways.includes('last') && calls.ways.includes('long'), calls.ways.join());
  });

  for (const [loss, ways] of [
    ['message', ['last', 'long']],
    ['punctuality', ['last', 'long']],
    ['answer', ['last']],
  ] as const) {
    test(`one is kept once though its ${loss} is lost`, async () => {
      wire.lose(loss);
      await calls.add(1);
      assert.deepEqual(calls.ways, ways);
      if (loss === 'punctuality') await wire.deliver();
      assert.deepEqual(await counts(), [1, 0, 0]);
    });
  }

  test('one that would wait for a row is run by itself, and keeps nobody waiting', async () => {
    const transaction = await database.begin();
    await transaction.run((db) => db.run(sql`update counters set n = 50 where id = 1`));
    const waiting = calls.add(1);
    await calls.add(2);
    await transaction.commit();
    await waiting;
    assert.deepEqual(await counts(), [51, 1, 0]);
  });

  test('while others write, a group waits for those who were answered a moment ago', async () => {
    const often = async (id: number) => {
      for (let made = 0; made < 10; made++) {
        await calls.add(id);
        await nextTurn();
      }
    };
    // Its number comes between those of the groups.
    await database.write((db) => db.run(sql`update counters set n = 0 where id = 1`));
    await calls.add(0);
    const before = wire.messages;
    await Promise.all([often(1), often(2), often(3)]);
    const messages = wire.messages - before;
    assert.ok(messages < 15, `${messages} messages for 30 calls of three callers`);
    assert.deepEqual(await counts(), [10, 10, 10]);
  });

  test('a crowd of first calls, which wait for connections, share transactions afterwards', async () => {
    const like = {};
    const call = (seconds: number) => {
      const work = (db: Db) => db.first({ id: text }, sql`select pg_current_xact_id() as id from pg_sleep(${seconds})`);
      return database.write(work, { like });
    };
    // Two connections are there for them, so that the last ones wait for half a second.
    await Promise.all(Array.from({ length: 200 }, () => call(0.004)));
    // On a busy machine those took long, and long ones go alone; fewer than make up for a slow one show that they do not.
    for (let made = 0; made < 5; made++) await call(0);
    const rows = await Promise.all(Array.from({ length: 16 }, () => call(0)));
    const transactions = new Set(rows.map((row) => row?.id));
    assert.ok(transactions.size < 8, `${transactions.size} transactions`);
  });
});
