import { writeSync } from 'node:fs';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log/log.ts';
import { PostgresEngine } from '../../../src/engine/postgres/engine.ts';
import { sql } from '../../../src/engine/sql.ts';
import { SqliteEngine } from '../../../src/engine/sqlite/engine.ts';
import { shop } from './shop.ts';

/**
 * Writes until it is killed: `node durability-child.ts sqlite FOLDER` or `… postgres URL PREFIX`. Each call inserts a pair
 * of rows; every fifth fails between the two. An id is printed once its call was acknowledged.
 */
const [engineName, place = '', prefix = ''] = process.argv.slice(2);
const options = { schemas: [shop], clock: systemClock, log: silentLog };
const engine =
  engineName === 'sqlite'
    ? new SqliteEngine({ folder: place, ...options })
    : new PostgresEngine({ url: place, prefix, poolSize: 4, ...options });
await engine.start();
const database = (await engine.open('Hard')) ?? (await engine.create('Hard', 'shop'));

let last = 0;

async function caller(): Promise<void> {
  for (;;) {
    const id = ++last;
    const call = database.write(async (db) => {
      await db.run(sql`insert into log (number, note) values (${id}, 'first')`);
      if (id % 5 === 0) throw new Error('half-way');
      await db.run(sql`insert into log (number, note) values (${-id}, 'second')`);
    });
    const kept = await call.then(
      () => true,
      () => false,
    );
    if (kept) writeSync(1, `${id}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, caller));
