import type { Db } from '../../engine/db.ts';
import { sql } from '../../engine/sql.ts';
import type { Call } from '../../procedure/call.ts';
import { rowversion } from '../../tds/types/index.ts';

/** The distance between two row versions: it leaves room for the LastUpdate mark and a number that is neither. */
export const versionStep = 4n;

/** Row versions a millisecond of the clock is worth: 256 changes a millisecond before the numbers run ahead of it. */
const perMillisecond = 1024n;

/**
 * The highest version that this process has handed out, in whatever database. A number that a client saw inside a
 * transaction and then rolled back is gone from the database but not from here, so nobody gets it again.
 */
let handedOut = 0n;

const counter = { Last: rowversion };

/**
 * Takes the next `count` row versions of the database and returns the first; each is `versionStep` above the one
 * before. Only for procedures with access 'serial': alone among the writers, so the order of the numbers is the order
 * of the commits and a reader that has seen a number has seen all below it.
 *
 * A number is above the last committed one, above all this process handed out, and above the clock. The clock is what
 * keeps the numbers rising when a database comes back from an older backup (docs/readings/config-objects.md).
 */
export async function takeVersions({ db, now }: Pick<Call, 'db' | 'now'>, count = 1): Promise<bigint> {
  const clock = BigInt(now.getTime()) * perMillisecond;
  const floor = clock > handedOut ? clock : handedOut;
  const taken = versionStep * BigInt(count);
  const row = await db.first(
    counter,
    sql`
      update row_version
      set last = greatest(last, ${floor}) + ${taken}
      where id = 1
      returning last as "Last"`,
  );
  if (!row) throw new Error('the table row_version has lost its row');
  if (row.Last > handedOut) handedOut = row.Last;
  return row.Last - taken + versionStep;
}

/** The last row version of the database: @@DBTS. */
export async function lastVersion(db: Db): Promise<bigint> {
  const row = await db.first(counter, sql`select last as "Last" from row_version where id = 1`);
  return row?.Last ?? 0n;
}
