import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Db } from '../../src/engine/db.ts';
import { PostgresEngine } from '../../src/engine/postgres/engine.ts';
import { sql } from '../../src/engine/sql.ts';
import { number, shop } from '../conformance/engine/shop.ts';
import { newPostgresDatabase } from '../support/postgres-database.ts';

test('a node that stands still in the midst of a call keeps others waiting no longer than the server lets it', async () => {
  await using place = await newPostgresDatabase();
  const options = { url: place.url, schemas: [shop], clock: systemClock, log: silentLog };
  await using still = new PostgresEngine({ ...options, longestRest: 200 });
  await using other = new PostgresEngine(options);
  await still.start();
  await other.start();
  const here = await still.create('Shop', 'shop');
  const there = await other.open('Shop');
  const standing = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let runs = 0;
  const call = here.write(
    async (db: Db) => {
      await db.run(sql`insert into counters (id, n) values (1, 1)`);
      runs++;
      standing.resolve();
      if (runs === 1) await goOn.promise;
      await db.run(sql`insert into counters (id, n) values (2, 2)`);
    },
    { serial: true },
  );
  await standing.promise;
  await there?.write((db) => db.run(sql`insert into counters (id, n) values (3, 3)`), { serial: true });
  goOn.resolve();
  await call;
  assert.equal(runs, 2, 'it wakes up to a transaction that is gone, and the call is run again');
  const rows = await there?.read((db) => db.all({ id: number }, sql`select id from counters order by id`));
  assert.deepEqual(rows, [{ id: 1 }, { id: 2 }, { id: 3 }]);
});

test('a commit is on disk when it is answered, whatever the role or the database says', async () => {
  await using place = await newPostgresDatabase();
  const options = { url: place.url, schemas: [shop], clock: systemClock, log: silentLog };
  await using engine = new PostgresEngine(options);
  await engine.start();
  const database = await engine.create('Shop', 'shop');
  // The server of the tests has it off for all.
  const setting = await database.read((db) =>
    db.first(
      { is: number },
      sql`select case current_setting('synchronous_commit') when 'on' then 1 else 0 end as "is"`,
    ),
  );
  assert.equal(setting?.is, 1);
});
