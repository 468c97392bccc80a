import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { sql } from '../../../src/engine/sql.ts';
import { Connection } from '../../../src/engine/sqlite/connection.ts';
import { openEngine } from '../../support/engines.ts';
import { number, shop } from './fixture.ts';
import { heldSync, insert, openFile, turn } from './sqlite-file.ts';

test('a call that waited before a client’s transaction began minds its lock timeout', async () => {
  await using file = await openFile();
  const begin = file.database.begin();
  const write = file.database.write(() => assert.fail('it was run'), { lockTimeout: 20 });
  const transaction = await begin;
  await assert.rejects(write, { number: 1222 });
  await transaction.rollback();
});

test('a call that fills the disk fails alone; those beside it are kept', async () => {
  await using file = await openFile();
  // The limit is a property of the connection, so it is set through the writer itself.
  await file.database.write((db) => db.run(sql`pragma max_page_count = 300`));
  const outcomes = await Promise.allSettled([
    file.database.write((db) => db.run(insert(1))),
    file.database.write(async (db) => {
      await db.run(insert(2));
      await db.run(sql`insert into things (id, name) values (1, ${'x'.repeat(4_000_000)})`);
    }),
    file.database.write((db) => db.run(insert(3))),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.match(String(outcomes[1]?.status === 'rejected' && outcomes[1].reason), /is full due to 'DISK_FULL'/);
  const kept = await file.database.read((db) => db.all({ id: number }, sql`select id from counters order by id`));
  assert.deepEqual(kept, [{ id: 1 }, { id: 3 }]);
});

test('the log starts over under writing without a pause', async () => {
  await using file = await openFile();
  let last = 0;
  // About 400 MB of log in all: without checkpoints that catch up with the writers the file would be as long.
  const caller = async () => {
    while (last < 4000) {
      const id = ++last;
      const filler = String(id).padStart(8).repeat(12_500);
      await file.database.write((db) =>
        db.run(sql`insert into things (id, name) values (${id % 40}, ${filler})
                   on conflict (id) do update set name = excluded.name`),
      );
    }
  };
  await Promise.all(Array.from({ length: 4 }, caller));
  const { size } = await stat(`${file.path}-wal`);
  assert.ok(size < 200 * 2 ** 20, `the log is ${Math.round(size / 2 ** 20)} MB long`);
});

test('a database has pages of the size that its schema asks for, and keeps them', async () => {
  const sizes: unknown[] = [];
  await using storage = await openEngine('sqlite', { schemas: [{ ...shop, pageSize: 1024 }] });
  const database = await storage.create('Pages', 'shop');
  const size = { page_size: number };
  sizes.push((await database.read((db) => db.first(size, sql`pragma page_size`)))?.page_size);
  await using plain = await openFile();
  sizes.push((await plain.database.read((db) => db.first(size, sql`pragma page_size`)))?.page_size);
  assert.deepEqual(sizes, [1024, 4096]);
});

test('a hundred readers at once all get a snapshot', async () => {
  await using file = await openFile();
  await file.database.write((db) =>
    db.insert(
      'counters',
      ['id', 'n'],
      Array.from({ length: 1000 }, (_, id) => [id, id]),
    ),
  );
  const { promise: resume, resolve: go } = Promise.withResolvers<void>();
  let started = 0;
  const reads = Array.from({ length: 100 }, () =>
    file.database.read(async (db) => {
      let rows = 0;
      for await (const _ of db.rows({ id: number }, sql`select id from counters`)) {
        if (rows++ === 0 && ++started === 100) go();
        await resume;
      }
      return rows;
    }),
  );
  assert.deepEqual(await Promise.all(reads), Array(100).fill(1000));
});

test('work that has given way to others goes no further when its transaction is undone by a close', async () => {
  const held = heldSync();
  await using file = await openFile(held.sync);
  const before = file.database.write((db) => db.run(insert(0)));
  const finish = await held.nextAsked();
  const transaction = await file.database.begin();
  function* rows() {
    for (let id = 1; id <= 50_000; id++) yield [id, 0];
  }
  const inserted = Promise.allSettled([transaction.run((db) => db.insert('counters', ['id', 'n'], rows()))]);
  await turn();
  const closed = file.database.close(); // it waits for the sync that is held back
  const [{ status }] = await inserted;
  finish();
  await Promise.all([before, closed]);
  assert.equal(status, 'rejected');
  const reader = new Connection(file.path, 'reader');
  assert.deepEqual(reader.prepare('select id from counters').all(), [{ __proto__: null, id: 0 }]);
  reader.close();
});
