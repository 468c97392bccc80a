import { sqlError } from '../../../base/messages/sql-error.ts';
import { type Sql, sql } from '../../../engine/sql.ts';
import type { Call } from '../../../procedure/call.ts';
import { int, uniqueidentifier } from '../../../tds/types/index.ts';
import { takeVersions, versionStep } from '../row-version.ts';

const total = { Count: int };
const found = { Id: uniqueidentifier };

/** Error 547 for an object that cannot go because another depends on it (3.1.5.18). */
export const dependedUpon = (database: string) =>
  sqlError(
    547,
    'DELETE',
    'REFERENCE',
    'FK_Dependencies_DependantId',
    database,
    'dbo.Dependencies',
    ", column 'DependantId'",
  );

/**
 * Removes the objects that `roots` selects (a query for identifiers of stored objects) with all their descendants,
 * their files, their earlier versions and their own dependencies, and leaves a tombstone for each. Returns how many
 * went. Throws error 547 when an object that would stay depends on one that would go.
 */
export async function removeObjects(call: Call, roots: Sql): Promise<number> {
  const { db, database } = call;
  const doomed = sql`
    with recursive doomed (id) as (
      select id from objects where id in (${roots})
      union
      select o.id from objects o join doomed d on o.parent_key = d.id
    )`;
  const counted = await db.first(total, sql`${doomed} select count(*) as "Count" from doomed`);
  const count = counted?.Count ?? 0;
  if (count === 0) return 0;

  const first = await takeVersions(call, count);
  await db.run(sql`
    ${doomed}
    insert into tombstones (id, version)
    select id, ${first} + ${versionStep} * (row_number() over (order by id) - 1) from doomed`);
  // From here on the tombstones of these versions are the list of what is removed. There are none above the last of
  // them: a range with two ends tells PostgreSQL's planner that it is narrow.
  const last = first + versionStep * BigInt(count - 1);
  const gone = sql`select id from tombstones where version >= ${first} and version <= ${last}`;

  const survivor = await db.first(
    found,
    sql`
      select object_id as "Id" from dependencies
      where dependee_id in (${gone}) and object_id not in (${gone}) limit 1`,
  );
  if (survivor) throw dependedUpon(database);

  await db.run(sql`delete from dependencies where object_id in (${gone})`);
  await db.run(sql`delete from file_chunks where object_id in (${gone})`);
  await db.run(sql`delete from files where object_id in (${gone})`);
  await db.run(sql`delete from object_versions where id in (${gone})`);
  await db.run(sql`delete from objects where id in (${gone})`);
  return count;
}
