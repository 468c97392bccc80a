import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import { int, nvarchar } from '../../../../tds/types/index.ts';
import { afterAll } from '../path-order.ts';
import type { Capacity } from './capacity.ts';
import { liveIn, sortColumn, type Tree, treeName } from './tree.ts';

const text = nvarchar('max');
const key = { Low: text };
const counts = { Sites: int, Redirecting: int, Upgraded: int };

/** Cuts a row of level 0 in two at its middle reference, and the row of level 1 above it when that has too many. */
export async function splitLeaf(
  db: Db,
  tree: Tree,
  leaf: { readonly Low: string; readonly Sites: number },
  capacity: Capacity,
): Promise<void> {
  const low = leaf.Low;
  const high = await nextLow(db, tree, 0, low);
  const column = sortColumn[tree.order];
  const middle = await db.first(
    key,
    sql`
      select ${column} as "Low" from site_map where ${liveIn(tree.scope)} and ${column} >= ${low} and ${column} < ${high}
      order by ${column} limit 1 offset ${leaf.Sites >> 1}`,
  );
  if (middle === undefined) return;
  const upper = await db.first(
    counts,
    sql`
      select count(*) as "Sites", cast(coalesce(sum(redirects), 0) as bigint) as "Redirecting",
        cast(coalesce(sum(upgraded), 0) as bigint) as "Upgraded"
      from site_map
      where ${liveIn(tree.scope)} and ${column} >= ${middle.Low} and ${column} < ${high}`,
  );
  if (upper) await cut(db, tree, { level: 0, low, at: middle.Low, upper });
  await splitGroupAround(db, tree, low, capacity);
}

async function splitGroupAround(db: Db, tree: Tree, leaf: string, capacity: Capacity): Promise<void> {
  const name = treeName(tree);
  const group = await db.first(
    key,
    sql`
      select low as "Low" from site_ranks where tree = ${name} and level = 1 and low <= ${leaf}
      order by low desc limit 1`,
  );
  if (group === undefined) return;
  const high = await nextLow(db, tree, 1, group.Low);
  const lows = await db.all(
    key,
    sql`
      select low as "Low" from site_ranks where tree = ${name} and level = 0 and low >= ${group.Low} and low < ${high}
      order by low`,
  );
  const middle = lows[lows.length >> 1];
  if (lows.length <= capacity.group || middle === undefined) return;
  const upper = await db.first(
    counts,
    sql`
      select cast(sum(sites) as bigint) as "Sites", cast(sum(redirecting) as bigint) as "Redirecting",
        cast(sum(upgraded) as bigint) as "Upgraded"
      from site_ranks where tree = ${name} and level = 0 and low >= ${middle.Low} and low < ${high}`,
  );
  if (upper) await cut(db, tree, { level: 1, low: group.Low, at: middle.Low, upper });
}

/** Where the stretch of a row ends. */
async function nextLow(db: Db, tree: Tree, level: 0 | 1, low: string): Promise<string> {
  const next = await db.first(
    key,
    sql`
      select low as "Low" from site_ranks where tree = ${treeName(tree)} and level = ${level} and low > ${low}
      order by low limit 1`,
  );
  return next?.Low ?? afterAll;
}

interface Cut {
  readonly level: 0 | 1;
  readonly low: string;
  readonly at: string;
  readonly upper: { readonly Sites: number; readonly Redirecting: number; readonly Upgraded: number };
}

async function cut(db: Db, tree: Tree, { level, low, at, upper }: Cut): Promise<void> {
  const name = treeName(tree);
  await db.run(sql`
    update site_ranks
    set sites = sites - ${upper.Sites}, redirecting = redirecting - ${upper.Redirecting},
      upgraded = upgraded - ${upper.Upgraded}
    where tree = ${name} and level = ${level} and low = ${low}`);
  await db.run(sql`
    insert into site_ranks (tree, level, low, sites, redirecting, upgraded)
    values (${name}, ${level}, ${at}, ${upper.Sites}, ${upper.Redirecting}, ${upper.Upgraded})`);
}
