import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import { int } from '../../../../tds/types/index.ts';
import type { CollectionType } from '../collection-type.ts';
import { liveIn, sortColumn, type Tree, treeName } from './tree.ts';

const before = { Before: int };

/**
 * How many references of a type come before a key in a tree: whole rows of level 1, then of level 0 from there, then
 * references one by one, so a few hundred rows are read whatever the size of the site map.
 */
export async function countBefore(db: Db, tree: Tree, type: CollectionType, key: string): Promise<number> {
  const name = treeName(tree);
  const column = sortColumn[tree.order];
  const rest = sql`${liveIn(tree.scope)} and ${column} >= (select leaf_low from spot) and ${column} < ${key}`;
  const row = await db.first(
    before,
    sql`
      with spot as (
        select
          (select max(low) from site_ranks where tree = ${name} and level = 1 and low <= ${key}) as group_low,
          (select max(low) from site_ranks where tree = ${name} and level = 0 and low <= ${key}) as leaf_low
      )
      select cast(
        coalesce((
          select sum(${type.counted}) from site_ranks
          where tree = ${name} and level = 1 and low < (select group_low from spot)), 0)
        + coalesce((
          select sum(${type.counted}) from site_ranks
          where tree = ${name} and level = 0
            and low >= (select group_low from spot) and low < (select leaf_low from spot)), 0)
        + ${type.countWhere(rest)}
        as bigint) as "Before"`,
  );
  return row?.Before ?? 0;
}
