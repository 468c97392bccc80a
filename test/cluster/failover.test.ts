import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log/log.ts';
import type { Database } from '../../src/engine/db.ts';
import { PostgresEngine } from '../../src/engine/postgres/engine.ts';
import { sql } from '../../src/engine/sql.ts';
import { number, shop } from '../conformance/engine/shop.ts';
import { until } from '../robustness/support/until.ts';
import { type Pair, startPair } from './support/pair.ts';
import { Writers } from './support/writers.ts';

/** Numbers on which drivers try again. */
const tryAgain = [40613, 40197];

describe('a PostgreSQL with a standby', () => {
  let pair: Pair;
  let engine: PostgresEngine;
  let database: Database;

  before(async () => {
    pair = await startPair();
    // Longer than a test takes: none waits until it is over.
    const patience = 3_600_000;
    engine = new PostgresEngine({ url: pair.url, schemas: [shop], clock: systemClock, log: silentLog, patience });
    await engine.start();
    database = await engine.create('Shop', 'shop');
  });
  after(async () => {
    await engine?.stop();
    await pair?.[Symbol.asyncDispose]();
  });

  test('is restarted under load: nothing acknowledged is lost, and callers only wait', async () => {
    const writers = new Writers(database, 4);
    await until('writers are at work', () => writers.acknowledged.length > 20);
    await pair.primary.stop();
    const atStop = writers.acknowledged.length;
    await pair.primary.start();
    await until('calls go on', () => writers.acknowledged.length > atStop + 20);
    await writers.stop();
    assert.deepEqual(
      writers.errors.map(({ number: n, message }) => `${n} ${message}`),
      [],
    );
    assert.deepEqual(await writers.wrong(), { lost: [], halves: [] });
    await database.write((db) => db.run(sql`delete from counters`));
  });

  test('fails over under load: nothing acknowledged is lost, and what callers see they may try again', async () => {
    const writers = new Writers(database, 4);
    await until('writers are at work', () => writers.acknowledged.length > 20);
    await pair.primary.kill();
    const atKill = writers.acknowledged.length;
    const read = database.read((db) => db.all({ n: number }, sql`select count(*) as n from counters`));
    await pair.standby.promote();
    await until('calls go on', () => writers.acknowledged.length > atKill + 20);
    await writers.stop();
    assert.ok(((await read)[0]?.n ?? 0) > 0, 'a read that came while there was no server was answered');
    for (const { number: n, message } of writers.errors) assert.ok(tryAgain.includes(n), `${n} ${message}`);
    assert.deepEqual(await writers.wrong(), { lost: [], halves: [] });
  });

  test('is gone while the server is to stop: who waits for it is told so at once (40613), and the server stops', async () => {
    await pair.standby.kill();
    const waiting = new Writers(database, 4);
    const read = database.read((db) => db.all({ n: number }, sql`select count(*) as n from counters`));
    const refused = assert.rejects(read, { number: 40613 });
    engine.giveUp();
    await refused;
    await waiting.stop();
    assert.deepEqual(new Set(waiting.errors.map(({ number: n }) => n)), new Set([40613]));
    await engine.stop();
  });
});
