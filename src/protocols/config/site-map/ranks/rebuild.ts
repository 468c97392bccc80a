import type { Db } from '../../../../engine/db.ts';
import { type Sql, sql } from '../../../../engine/sql.ts';
import { usualCapacity } from './capacity.ts';
import { type Order, sortColumn } from './tree.ts';

/** How full rows are when all are made at once: with room to grow. */
const leafFill = Math.floor((usualCapacity.leaf * 2) / 3);
const groupFill = Math.floor((usualCapacity.group * 2) / 3);

const scopes: readonly { readonly name: (order: Order) => Sql; readonly partition: Sql }[] = [
  { name: (order) => (order === 'path' ? sql`'path'` : sql`'id'`), partition: sql`` },
  {
    name: (order) =>
      order === 'path' ? sql`'path/application/' || application_id` : sql`'id/application/' || application_id`,
    partition: sql`partition by application_id`,
  },
  {
    name: (order) => (order === 'path' ? sql`'path/database/' || database_id` : sql`'id/database/' || database_id`),
    partition: sql`partition by database_id`,
  },
];

/** Recounts all live references: after a load that bypassed the procedures. No other writer may run. */
export async function rebuildRanks(db: Db): Promise<void> {
  await db.run(sql`delete from site_ranks`);
  await db.run(sql`delete from site_containers`);
  await db.run(sql`
    insert into site_containers (database_id, application_id, sites)
    select database_id, application_id, count(*) from site_map where deletion_time is null
    group by database_id, application_id`);
  for (const order of ['path', 'id'] as const) {
    for (const { name, partition } of scopes) await cutLeaves(db, order, name(order), partition);
  }
  await db.run(sql`
    insert into site_ranks (tree, level, low, sites, redirecting, upgraded)
    select tree, 1, min(low), sum(sites), sum(redirecting), sum(upgraded)
    from (
      select r.*, (row_number() over (partition by tree order by low) - 1) / ${groupFill} as part
      from site_ranks r where level = 0
    ) leaves
    group by tree, part`);
}

async function cutLeaves(db: Db, order: Order, name: Sql, partition: Sql): Promise<void> {
  const column = sortColumn[order];
  await db.run(sql`
    insert into site_ranks (tree, level, low, sites, redirecting, upgraded)
    select tree, 0, case when part = 0 then '' else min(sort_key) end, count(*), sum(redirects), sum(upgraded)
    from (
      select ${name} as tree, ${column} as sort_key, redirects, upgraded,
        (row_number() over (${partition} order by ${column}) - 1) / ${leafFill} as part
      from site_map where deletion_time is null
    ) cut
    group by tree, part`);
}
