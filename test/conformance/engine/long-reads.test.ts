import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../../src/engine/db.ts';
import { sql } from '../../../src/engine/sql.ts';
import { int } from '../../../src/tds/types/index.ts';
import { type EngineName, forEachEngine, openEngine } from '../../support/engines.ts';
import { longestUsualTurn } from '../../support/longest-turn.ts';

// Alone in its process: it measures how long others wait for the event loop.

const numbers = {
  kind: 'numbers',
  migrations: [
    {
      area: 'numbers',
      number: 1,
      name: 'numbers',
      text: 'create table numbers (id bigint not null primary key, n bigint not null, filler text not null);',
    },
  ],
};

const rows = 100_000;
const count = { n: int };
/** Looks at every pair of many rows. */
const endless = sql`select count(*) as n from numbers a join numbers b on a.n + b.n < 0`;

forEachEngine((engine: EngineName) => {
  let store: Awaited<ReturnType<typeof openEngine>>;
  let database: Database;
  before(async () => {
    store = await openEngine(engine, { schemas: [numbers] });
    database = await store.create('Numbers', 'numbers');
    const filler = 'x'.repeat(50);
    const all = function* () {
      for (let id = 0; id < rows; id++) yield [id, id % 10, filler];
    };
    await database.write((db) => db.insert('numbers', ['id', 'n', 'filler'], all()));
  });
  after(() => store.stop());

  const read = (query = sql`select count(*) as n from numbers where n <> 11`) =>
    database.read((db) => db.first(count, query), { work: 'linear' });

  test('a long read answers, and keeps nobody waiting for long', async () => {
    assert.deepEqual(await read(), { n: rows });
    const heavy = sql`select count(distinct n % 7 + length(filler || id)) as n from numbers`;
    const longest = await longestUsualTurn(() => read(heavy), 20);
    assert.ok(longest < 20, `others waited for ${longest} ms`);
  });

  test('a long read is of one snapshot, whatever is written meanwhile', async () => {
    const seen = await database.read(
      async (db) => {
        const first = await db.first(count, sql`select count(*) as n from numbers where id < 0`);
        await database.write((writing) => writing.insert('numbers', ['id', 'n', 'filler'], [[-1, 0, '']]));
        const streamed = await Array.fromAsync(db.batches({ id: int }, sql`select id from numbers where id < 1000`));
        return { first, streamed: streamed.flat().length };
      },
      { work: 'linear' },
    );
    assert.deepEqual(seen, { first: { n: 0 }, streamed: 1000 });
    assert.deepEqual(await read(sql`select count(*) as n from numbers where id < 0`), { n: 1 });
  });

  test('a long read ends when it is cancelled, and the next one works', async () => {
    const cancel = new AbortController();
    const reading = database.read((db) => db.first(count, endless), { work: 'unbounded', signal: cancel.signal });
    setTimeout(() => cancel.abort(new Error('enough')), 100);
    await assert.rejects(reading, /enough|cancel/i);
    assert.deepEqual(await read(sql`select count(*) as n from numbers where id = 1`), { n: 1 });
  });

  test('rows that nobody wants any more are not read', async () => {
    const first = await database.read(
      async (db) => {
        for await (const batch of db.batches({ id: int }, sql`select id from numbers order by id`)) return batch.length;
        return 0;
      },
      { work: 'linear' },
    );
    assert.ok(first > 0 && first <= 512);
  });
});
