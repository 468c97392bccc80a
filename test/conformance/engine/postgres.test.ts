import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log/log.ts';
import { SqlError } from '../../../src/base/messages/sql-error.ts';
import type { Db } from '../../../src/engine/db.ts';
import { checkRequirements } from '../../../src/engine/postgres/connect/requirements.ts';
import { PostgresEngine } from '../../../src/engine/postgres/engine.ts';
import type { Link } from '../../../src/engine/postgres/wire/link.ts';
import { sql } from '../../../src/engine/sql.ts';
import { newStore, testPostgres } from '../../support/engines.ts';
import { number, openShop, shop } from './fixture.ts';

/** Ends the server process that a piece of work runs on, as a crash of the server would. */
async function cutOff(db: Db): Promise<void> {
  const row = await db.first({ pid: number }, sql`select pg_backend_pid() as pid`);
  const client = new pg.Client({ connectionString: await testPostgres() });
  await client.connect();
  await client.query('select pg_terminate_backend($1, 5000)', [row?.pid]);
  await client.end();
}

/** Returns when a connection that has passed the gate of a schema waits for a row. */
async function untilSomebodyWaits(prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: await testPostgres() });
  await client.connect();
  for (let waiting = 0; waiting === 0; ) {
    const { rows } = await client.query(
      `select 1 from pg_locks gate join pg_class c on c.oid = relation join pg_namespace n on n.oid = relnamespace
       where relname = 'granary_gate' and starts_with(nspname, $1)
         and exists (select 1 from pg_locks waiting where waiting.pid = gate.pid and not waiting.granted)`,
      [prefix],
    );
    waiting = rows.length;
  }
  await client.end();
}

const lost = {
  name: 'SqlError',
  number: 40613,
  message: /PostgreSQL cannot be reached .* Nothing of the call was kept/,
};

test('a call whose connection is lost fails with a clear error, and the next one works', async () => {
  await using opened = await openShop('postgres');
  const { database } = opened;
  for (let round = 0; round < 6; round += 1) {
    const write = database.write(async (db) => {
      await db.run(sql`insert into counters (id, n) values (1, 1)`);
      await cutOff(db);
      await db.run(sql`insert into counters (id, n) values (2, 2)`);
    });
    await assert.rejects(write, lost);
    const read = database.read(async (db) => {
      await cutOff(db);
      await db.all({ n: number }, sql`select n from counters`);
    });
    await assert.rejects(read, lost);
  }
  assert.deepEqual(await database.read((db) => db.all({ n: number }, sql`select n from counters`)), []);
  assert.equal(await database.write((db) => db.run(sql`insert into counters (id, n) values (1, 1)`)), 1);
});

test('connections that were lost while idle are replaced', async () => {
  await using opened = await openShop('postgres');
  const { database } = opened;
  const pids = await Promise.all(
    Array.from({ length: 4 }, () =>
      database.read((db) => db.first({ pid: number }, sql`select pg_backend_pid() as pid from pg_sleep(0.05)`)),
    ),
  );
  const client = new pg.Client({ connectionString: await testPostgres() });
  await client.connect();
  await client.query('select pg_terminate_backend(pid, 5000) from unnest($1::int[]) pid', [
    pids.map((row) => row?.pid),
  ]);
  await client.end();
  await new Promise(setImmediate);
  const answers = await Promise.allSettled(
    Array.from({ length: 8 }, () => database.read((db) => db.all({ n: number }, sql`select n from counters`))),
  );
  assert.equal(answers.at(-1)?.status, 'fulfilled');
});

test('a commit that the server did not answer is asked for, and known not to be kept', async () => {
  await using opened = await openShop('postgres');
  const transaction = await opened.database.begin();
  await transaction.run((db) => db.run(sql`insert into counters (id, n) values (1, 1)`));
  await cutOff(transaction.db);
  await assert.rejects(transaction.commit(), lost);
  assert.equal(await opened.database.write((db) => db.run(sql`insert into counters (id, n) values (1, 1)`)), 1);
});

test('a server that is not there is a clear error', async () => {
  const engine = new PostgresEngine({
    url: 'postgres://granary:granary@127.0.0.1:1/postgres',
    schemas: [shop],
    clock: systemClock,
    log: silentLog,
  });
  await assert.rejects(engine.start(), lost);
});

test('a statement that runs long is cancelled in the server', async () => {
  await using opened = await openShop('postgres');
  const cancel = new AbortController();
  const reason = new Error('the client cancelled');
  const read = opened.database.read(async (db) => {
    const slow = db.all({ one: number }, sql`select 1 as one from pg_sleep(60)`);
    setImmediate(() => cancel.abort(reason));
    await slow;
  }, cancel);
  await assert.rejects(read, reason);
});

test('an engine that stops does not wait for the lock of another node', async () => {
  await using store = await newStore('postgres');
  await using one = store.connect({ schemas: [shop] });
  const other = store.connect({ schemas: [shop] });
  await one.start();
  await other.start();
  const transaction = await (await one.create('Shared', 'shop')).begin();
  await transaction.run((db) => db.run(sql`insert into counters (id, n) values (1, 1)`));
  const there = await other.open('Shared');
  const waiting = Array.from({ length: 6 }, () =>
    there
      ?.write((db) => db.run(sql`insert into counters (id, n) values (1, 1)`))
      .then(
        () => 'ran',
        () => 'refused',
      ),
  );
  await untilSomebodyWaits(store.place[1] ?? '');
  await other.stop();
  assert.deepEqual(await Promise.all(waiting), Array(6).fill('refused'));
  await transaction.rollback();
});

test('a server that lacks what Granary builds on is refused in one line that names it', async () => {
  const asked: string[] = [];
  const link = {
    broken: false,
    query: async () => ({ rows: [['160004']] }),
    exec: async (text: string) => {
      asked.push(text);
      if (text.includes('lock table')) throw new Error('syntax error at or near "lock"');
      return '';
    },
    rollback: async () => {},
  };
  // A stand-in for a cluster that cannot be had here: it answers as one without LOCK TABLE does.
  await assert.rejects(checkRequirements(link as unknown as Link), {
    message: /lacks what Granary needs: LOCK TABLE .* \(syntax error at or near "lock"\)\.$/,
  });
  assert.ok(asked.length >= 5);
});

test('a server of an older major version is refused with both versions named', async () => {
  const link = { query: async () => ({ rows: [['130011']] }) };
  await assert.rejects(checkRequirements(link as unknown as Link), {
    message: 'PostgreSQL 14 or later is needed, and the server is version 13.',
  });
});

test('a group whose commit fails takes nothing from the group that was sent behind it', async () => {
  await using opened = await openShop('postgres');
  const { database } = opened;
  await database.write((db) => db.run(sql`create table passes (n bigint unique deferrable initially deferred)`));
  await database.write((db) => db.run(sql`insert into counters (id, n) values (1, 0)`));
  const like = {};
  const addOne = (db: Db) => db.run(sql`update counters set n = n + 1 where id = 1`);
  for (let count = 0; count < 12; count++) await database.write(addOne, { like });
  // That a pass is there already is only found at the commit, when calls behind it are under way.
  const take = (n: number) => (db: Db) => db.run(sql`insert into passes (n) values (${n})`);
  const clients = Array.from({ length: 16 }, async (_, client) => {
    for (let count = 0; count < 25; count++) {
      await database.write(addOne, { like });
      const taken = database.write(take(client % 4 === 0 ? 1 : client * 100 + count), { like });
      if (client % 4 !== 0) await taken;
      else
        await taken.catch((error: unknown) =>
          assert.ok(error instanceof SqlError && error.number === 2627, String(error)),
        );
    }
  });
  await Promise.all(clients);
  const counted = await database.read((db) => db.first({ n: number }, sql`select n from counters where id = 1`));
  assert.equal(counted?.n, 12 + 16 * 25);
  const kept = await database.read((db) => db.first({ n: number }, sql`select count(*) as n from passes`));
  assert.equal(kept?.n, 12 * 25 + 1);
});

test('who reads the same in the same turn gets one answer, as rows of its own', async () => {
  await using opened = await openShop('postgres');
  const kind = {};
  const moment = (of: number) =>
    opened.database.readBriefly?.(
      (db) =>
        db.first(
          { n: number, of: number },
          sql`select extract(epoch from clock_timestamp()) as n, ${of}::bigint as of from pg_sleep(0.001)`,
        ),
      { like: kind },
    );
  // The first has a snapshot of its own, the second one that it may share; then the kind is known.
  await opened.database.read((db) => db.first({ n: number }, sql`select 1 as n`), { like: kind });
  for (let made = 0; made < 2; made++) await moment(0);
  const [one, same, other] = (await Promise.all([moment(1), moment(1), moment(2)])).map((read) => read?.value);
  assert.deepEqual(same, one);
  assert.notEqual(same, one);
  assert.deepEqual([one?.of, other?.of], [1, 2]);
  assert.notEqual(other?.n, one?.n);
});
