import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Db } from '../../src/engine/db.ts';
import { PostgresEngine } from '../../src/engine/postgres/engine.ts';
import { sql } from '../../src/engine/sql.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { number, shop } from '../conformance/engine/shop.ts';
import { newPostgresDatabase } from '../support/postgres-database.ts';
import { startServer } from '../support/server.ts';

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

test('all nodes go by the clock of the database: one whose own is ten minutes ahead tells the same time', async (context) => {
  await using server = await startServer({ engine: 'postgres', kinds: [translation] });
  const client = await server.connect(translation.firstDatabase);
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 600_000 });
  await using ahead = await startServer({
    kinds: [translation],
    settings: { engine: server.granary.settings.engine },
  });
  const other = await ahead.connect(translation.firstDatabase);
  const told = async (asked: typeof client) =>
    Number((await asked.batch("select datediff(second, '2026-01-01', sysutcdatetime()) as n")).sets[0]?.[0]?.['n']);
  const [now, there] = [await told(client), await told(other)];
  context.mock.timers.reset();
  assert.ok(Math.abs(there - now) < 300, `${there - now} seconds`);
});
