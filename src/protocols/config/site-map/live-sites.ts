import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { bit, datetime, int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { addToRanks, removeFromRanks } from './ranks/change.ts';
import type { Ranked } from './ranks/tree.ts';

const text = nvarchar('max');

/** What is read of a reference to count it or to take it out of the counts. */
export const ranked = {
  ApplicationId: uniqueidentifier,
  DatabaseId: uniqueidentifier,
  PathOrder: text,
  IdOrder: text,
  Redirects: bit,
  Upgraded: bit,
};

/** The columns of `ranked`, for `select` and `returning`. */
export const rankedColumns = sql`
  application_id as "ApplicationId", database_id as "DatabaseId", path_order as "PathOrder", id_order as "IdOrder",
  redirects as "Redirects", upgraded as "Upgraded"`;

/** Counts a reference that has become live. Call it after it is stored so. */
export async function enterCounts(db: Db, site: Ranked): Promise<void> {
  await db.run(sql`
    insert into site_containers (database_id, application_id, sites) values (${site.DatabaseId}, ${site.ApplicationId}, 1)
    on conflict (database_id, application_id) do update set sites = site_containers.sites + 1`);
  await addToRanks(db, site);
}

/** Takes a reference that was live out of the counts. */
export async function leaveCounts(db: Db, site: Ranked): Promise<void> {
  await db.run(sql`
    update site_containers set sites = sites - 1
    where database_id = ${site.DatabaseId} and application_id = ${site.ApplicationId}`);
  await db.run(sql`
    delete from site_containers
    where database_id = ${site.DatabaseId} and application_id = ${site.ApplicationId} and sites = 0`);
  await removeFromRanks(db, site);
}

/** How many live references a content database has; NULL: all together. */
export async function countSites(db: Db, databaseId: string | null): Promise<number> {
  const row = await db.first(
    { Sites: int },
    sql`
      select cast(coalesce(sum(sites), 0) as bigint) as "Sites" from site_containers
      where ${databaseId === null ? sql`1 = 1` : sql`database_id = ${databaseId}`}`,
  );
  return row?.Sites ?? 0;
}

const dropped = { ...ranked, DeletionTime: orNull(datetime) };

/** Deletes the references of a site collection, live or hidden: in one content database, or in all for undefined. */
export async function dropReferences(db: Db, id: string | null, databaseId?: string | null): Promise<void> {
  const rows = await db.all(
    dropped,
    sql`
      delete from site_map
      where id = ${id} ${databaseId === undefined ? sql`` : sql`and database_id = ${databaseId}`}
      returning ${rankedColumns}, deletion_time as "DeletionTime"`,
  );
  for (const row of rows) if (row.DeletionTime === null) await leaveCounts(db, row);
}
