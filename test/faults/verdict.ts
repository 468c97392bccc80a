import { accountsSchema } from '../../src/accounts/schema.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log/log.ts';
import type { Stored } from '../../src/base/stored.ts';
import { sql } from '../../src/engine/sql.ts';
import { SqliteEngine } from '../../src/engine/sqlite/engine.ts';
import { allKinds } from '../../src/kinds.ts';
import { database, type Ledger, twin } from './load.ts';

const wide: Stored<bigint> = { wide: true, fromStore: (stored) => BigInt(String(stored)) };

/** What is wrong with a folder of data: acknowledged calls that are gone, transactions by half, damage. Empty when all is well. */
export async function wrongIn(folder: string, { acknowledged }: Ledger): Promise<string[]> {
  const schemas = [accountsSchema, ...allKinds.map(({ schema }) => schema)];
  await using engine = new SqliteEngine({ folder, schemas, clock: systemClock, log: silentLog });
  await engine.start();
  const damage = [...(await engine.damage())].map(([name, found]) => `${name}: ${found.join(', ')}`);
  const opened = await engine.open(database);
  if (opened === undefined) return acknowledged.size === 0 ? damage : [...damage, 'the database is gone'];
  const rows = await opened.read((db) => db.all({ id: wide }, sql`select job_id as id from jobs`));
  const there = new Set(rows.map(({ id }) => id));
  const lost = [...acknowledged].filter((id) => !there.has(id));
  const halves = [...there].filter((id) => id > twin && !there.has(id - twin));
  return [
    ...damage,
    ...(lost.length > 0 ? [`${lost.length} acknowledged jobs are gone, such as ${lost[0]}`] : []),
    ...(halves.length > 0 ? [`${halves.length} transactions are there by half, such as ${halves[0]}`] : []),
  ];
}
