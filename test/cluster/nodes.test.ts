import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log/log.ts';
import type { Db } from '../../src/engine/db.ts';
import { Server } from '../../src/engine/postgres/connect/server.ts';
import { assureKept } from '../../src/engine/postgres/doubt.ts';
import { PostgresEngine, type PostgresEngineOptions } from '../../src/engine/postgres/engine.ts';
import { sql } from '../../src/engine/sql.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { number, shop } from '../conformance/engine/shop.ts';
import { until } from '../robustness/support/until.ts';
import { newPostgresDatabase } from '../support/postgres-database.ts';
import { startServer } from '../support/server.ts';
import { PostgresProcess } from './support/postgres-process.ts';
import { Valve } from './support/valve.ts';

/** A node that is to stand still, another one, and the database as each of them has it. */
async function twoNodes(still: PostgresEngineOptions, other: PostgresEngineOptions) {
  await using starting = new AsyncDisposableStack();
  const engines = [new PostgresEngine(still), new PostgresEngine(other)] as const;
  for (const engine of engines) await starting.use(engine).start();
  const here = await engines[0].create('Shop', 'shop');
  const there = await engines[1].open('Shop');
  assert(there);
  const running = starting.move();
  return { here, there, other: engines[1], [Symbol.asyncDispose]: () => running.disposeAsync() };
}

test('a node that stands still in the midst of a call keeps others waiting no longer than the server lets it', async () => {
  await using place = await newPostgresDatabase();
  const options = { url: place.url, schemas: [shop], clock: systemClock, log: silentLog };
  await using nodes = await twoNodes({ ...options, longestRest: 200 }, options);
  const { here, there } = nodes;
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
  await there.write((db) => db.run(sql`insert into counters (id, n) values (3, 3)`), { serial: true });
  goOn.resolve();
  await call;
  assert.ok(runs >= 2, 'it wakes up to a transaction that is gone, and the call is run again');
  const rows = await there.read((db) => db.all({ id: number }, sql`select id from counters order by id`));
  assert.deepEqual(rows, [{ id: 1 }, { id: 2 }, { id: 3 }]);
});

test('a client’s transaction rests as long as the client likes, and is given up when its node stands still', async () => {
  await using place = await newPostgresDatabase();
  await using valve = await Valve.open(place.url);
  const options = { schemas: [shop], clock: systemClock, log: silentLog };
  const still = { ...options, url: `${valve.url}?application_name=still`, longestRest: 2500 };
  await using nodes = await twoNodes(still, { ...options, url: place.url });
  const { here, there } = nodes;
  await here.write((db) => db.run(sql`insert into counters (id, n) values (1, 1)`));
  const transaction = await here.begin();
  await transaction.run((db) => db.run(sql`update counters set n = 2 where id = 1`));
  const resting = sql`select count(*) as n from pg_stat_activity
    where application_name = 'still' and state = 'idle in transaction' and query = 'select 1'`;
  await until('the node says that it is there', async () => {
    const seen = await there.read((db) => db.first({ n: number }, resting));
    return (seen?.n ?? 0) > 0;
  });
  valve.shut();
  await there.write((db) => db.run(sql`update counters set n = n + 10 where id = 1`));
  valve.openAgain();
  await assert.rejects(transaction.commit(), { number: 40613 });
  const rows = await there.read((db) => db.all({ n: number }, sql`select n from counters`));
  assert.deepEqual(rows, [{ n: 11 }]);
});

test('a database in which a client of another node has a transaction is in use: DROP is refused (3702) until that has ended', async () => {
  await using place = await newPostgresDatabase();
  const options = { url: place.url, schemas: [shop], clock: systemClock, log: silentLog };
  await using nodes = await twoNodes(options, options);
  const transaction = await nodes.here.begin();
  await transaction.run((db) => db.run(sql`insert into counters (id, n) values (1, 1)`));
  await assert.rejects(nodes.other.drop('Shop'), {
    number: 3702,
    cause: /^process \d+ of granary .*idle in transaction for \d+ ms, transaction open for \d+ ms$/,
  });
  await transaction.commit();
  await nodes.other.drop('Shop');
  assert.equal(await nodes.other.open('Shop'), undefined);
});

test('a bulk load of a node that stands still is ended by whoever waits for it', async () => {
  // Of its own: what is stuck in a copy keeps others from dropping their databases.
  await using store = await PostgresProcess.make();
  await store.start();
  await using valve = await Valve.open(store.url());
  const options = { schemas: [shop], clock: systemClock, log: silentLog, longestRest: 300 };
  const other = { ...options, url: `${store.url()}?tcp_user_timeout=300` };
  await using nodes = await twoNodes({ ...options, url: valve.url }, other);
  const { here, there } = nodes;
  const standing = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  async function* rows(): AsyncGenerator<number[][], void> {
    yield [[1, 1]];
    standing.resolve();
    await goOn.promise;
    yield [[2, 2]];
  }
  const loaded = here.write((db) => db.load('counters', ['id', 'n'], rows()));
  await standing.promise;
  valve.shut();
  await there.write((db) => db.run(sql`insert into counters (id, n) values (3, 3)`), { serial: true });
  valve.openAgain();
  goOn.resolve();
  assert.equal(await loaded, 2, 'it is run again');
  const found = await there.read((db) => db.all({ id: number }, sql`select id from counters order by id`));
  assert.deepEqual(found, [{ id: 1 }, { id: 2 }, { id: 3 }]);
});

test('the number of a transaction that a crash took away, and that another has since, does not vouch for it', async () => {
  await using store = await PostgresProcess.make();
  await store.start();
  const server = new Server({ url: store.url(), log: silentLog });
  const asked = { settings: {} };
  const [id, history] = await server.once(asked, async ({ client, history: then }) => {
    await client.query('begin');
    const { rows } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id');
    client.on('error', () => {}); // it is lost with the server
    await store.kill();
    return [String(rows[0]?.id), then];
  });
  await store.start();
  const next = () => store.ask('select pg_current_xact_id()::text as id').then(([row]) => BigInt(String(row?.['id'])));
  while ((await next()) < BigInt(id));
  await assert.rejects(assureKept(server, id, history, new Error('lost')), { number: 40197 });
  const { kept, now } = await server.once(asked, async ({ client, history: since }) => {
    const { rows } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id');
    return { kept: String(rows[0]?.id), now: since };
  });
  await assureKept(server, kept, now, new Error('lost'));
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
