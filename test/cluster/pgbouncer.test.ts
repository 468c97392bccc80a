import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log/log.ts';
import { PostgresEngine } from '../../src/engine/postgres/engine.ts';
import { sql } from '../../src/engine/sql.ts';
import { clusterPackages } from '../clients/packages.ts';
import { missing } from '../clients/run.ts';
import { number, shop } from '../conformance/engine/shop.ts';
import { newPostgresDatabase } from '../support/postgres-database.ts';
import { startPgbouncer } from './support/pgbouncer.ts';

describe('behind pgbouncer', { skip: missing(clusterPackages.pgbouncer) ?? false }, () => {
  test('with a server process a session Granary works, and a cancel reaches the statement', async () => {
    await using behind = await newPostgresDatabase();
    await using pooler = await startPgbouncer(behind.url, 'session');
    await using engine = new PostgresEngine({ url: pooler.url, schemas: [shop], clock: systemClock, log: silentLog });
    await engine.start();
    const database = await engine.create('Shop', 'shop');
    const kind = {};
    await Promise.all(
      Array.from({ length: 20 }, (_, id) =>
        database.write((db) => db.run(sql`insert into counters (id, n) values (${id}, 1)`), { like: kind }),
      ),
    );
    const transaction = await database.begin();
    await transaction.run((db) => db.run(sql`insert into counters (id, n) values (100, 1)`));
    await transaction.commit();
    const read = () => database.read((db) => db.first({ n: number }, sql`select count(*) as n from counters`));
    assert.equal((await read())?.n, 21);
    const cancel = new AbortController();
    const slow = database.read(async (db) => {
      const asked = db.all({ one: number }, sql`select 1 as one from pg_sleep(600)`);
      setImmediate(() => cancel.abort(new Error('cancelled')));
      await asked;
    }, cancel);
    await assert.rejects(slow, /cancelled/);
  });

  for (const mode of ['transaction', 'statement']) {
    test(`in ${mode} mode it is refused at start, in one line that says which mode is needed`, async () => {
      await using behind = await newPostgresDatabase();
      await using pooler = await startPgbouncer(behind.url, mode);
      await using engine = new PostgresEngine({ url: pooler.url, schemas: [shop], clock: systemClock, log: silentLog });
      await assert.rejects(engine.start(), { name: 'SqlError', message: /pool_mode = session/ });
    });
  }
});
