import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import { int, nvarchar } from '../../../../tds/types/index.ts';
import type { CollectionType } from '../collection-type.ts';
import { afterAll } from '../path-order.ts';
import { type Tree, treeName } from './tree.ts';

export type Direction = 'ascending' | 'descending';

/** A stretch of an order that contains the wanted reference, and the number of references of the type before it. */
interface Place {
  readonly low: string;
  readonly high: string;
  readonly skip: number;
}

const text = nvarchar('max');
const stretch = { Low: text, High: text, Skipped: int };
/** How rows of `site_ranks` are walked in a direction, and which of the two next to a row begins after it. */
const walks = {
  ascending: { sorted: sql`low`, next: sql`lead(low)` },
  descending: { sorted: sql`low desc`, next: sql`lag(low)` },
};

/** Finds the reference of a type at an index, counted from 0 in a direction; undefined beyond the last one. */
export async function seek(
  db: Db,
  tree: Tree,
  type: CollectionType,
  index: number,
  direction: Direction,
): Promise<Place | undefined> {
  const whole: Place = { low: '', high: afterAll, skip: index };
  const group = await narrow(db, tree, type, 1, whole, direction);
  return group && narrow(db, tree, type, 0, group, direction);
}

/** The row of a level, within a stretch, that the wanted reference lies in. */
async function narrow(
  db: Db,
  tree: Tree,
  type: CollectionType,
  level: 0 | 1,
  { low, high, skip }: Place,
  direction: Direction,
): Promise<Place | undefined> {
  const { sorted, next } = walks[direction];
  // One window for both functions: two would sort twice, which took four times as long on SQLite.
  const row = await db.first(
    stretch,
    sql`
      select low as "Low", high as "High", skipped as "Skipped"
      from (
        select low, coalesce(${next} over walk, ${high}) as high, ${type.counted} as amount,
          cast(sum(${type.counted}) over walk as bigint) - ${type.counted} as skipped
        from site_ranks
        where tree = ${treeName(tree)} and level = ${level} and low >= ${low} and low < ${high}
        window walk as (order by ${sorted} rows unbounded preceding)
      ) s
      where skipped <= ${skip} and ${skip} < skipped + amount`,
  );
  return row && { low: row.Low, high: row.High, skip: skip - row.Skipped };
}
