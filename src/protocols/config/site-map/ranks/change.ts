import type { Db } from '../../../../engine/db.ts';
import { sql, table } from '../../../../engine/sql.ts';
import { int, nvarchar } from '../../../../tds/types/index.ts';
import { type Capacity, usualCapacity } from './capacity.ts';
import { splitLeaf } from './split.ts';
import { type Ranked, sortKey, type Tree, treeName, treesOf } from './tree.ts';

const text = nvarchar('max');
const changed = { Tree: text, Level: int, Low: text, Sites: int };

/** Counts a reference that has become live, in all of its trees. Call it after the reference is stored. */
export async function addToRanks(db: Db, site: Ranked, capacity: Capacity = usualCapacity): Promise<void> {
  const trees = treesOf(site);
  const rows = await change(db, site, trees, 1);
  const missing = trees.filter((tree) => !rows.some(({ Tree }) => Tree === treeName(tree)));
  if (missing.length > 0) {
    await openTrees(db, missing);
    await change(db, site, missing, 1);
  }
  for (const tree of trees) {
    const leaf = rows.find(({ Tree, Level }) => Level === 0 && Tree === treeName(tree));
    if (leaf && leaf.Sites > capacity.leaf) await splitLeaf(db, tree, leaf, capacity);
  }
}

/** Takes a reference out of the count of all of its trees. */
export async function removeFromRanks(db: Db, site: Ranked): Promise<void> {
  const rows = await change(db, site, treesOf(site), -1);
  const empty = rows.filter(({ Sites, Low }) => Sites === 0 && Low !== '');
  if (empty.length > 0) await dropEmpty(db, empty);
}

/** Gives every tree its first row of each level, which begins before all keys. */
async function openTrees(db: Db, trees: readonly Tree[]): Promise<void> {
  const rows = trees.map((tree) => [treeName(tree)]);
  await db.run(sql`
    insert into site_ranks (tree, level, low, sites, redirecting, upgraded)
    select t.tree, l.level, '', 0, 0, 0
    from ${table({ tree: 'text' }, rows)} t cross join (select 0 as level union all select 1) l
    where true
    on conflict (tree, level, low) do nothing`);
}

/**
 * Adds to the row of each level that a reference belongs to, in each tree, and returns those rows with their new
 * values.
 */
function change(db: Db, site: Ranked, trees: readonly Tree[], by: 1 | -1) {
  const spots = trees.flatMap((tree) => {
    const key = sortKey(tree.order, site);
    return [
      [treeName(tree), 0, key],
      [treeName(tree), 1, key],
    ];
  });
  return db.all(
    changed,
    sql`
      update site_ranks
      set sites = sites + ${by}, redirecting = redirecting + ${site.Redirects ? by : 0},
        upgraded = upgraded + ${site.Upgraded ? by : 0}
      from (
        select s.tree, s.level, (
          select max(r.low) from site_ranks r where r.tree = s.tree and r.level = s.level and r.low <= s.sort_key
        ) as low
        from ${table({ tree: 'text', level: 'bigint', sort_key: 'text' }, spots)} s
      ) spot
      where site_ranks.tree = spot.tree and site_ranks.level = spot.level and site_ranks.low = spot.low
      returning site_ranks.tree as "Tree", site_ranks.level as "Level", site_ranks.low as "Low",
        site_ranks.sites as "Sites"`,
  );
}

/**
 * Removes empty rows; their stretch falls to the row before. A row of level 0 stays while one of level 1 begins with
 * it.
 */
async function dropEmpty(db: Db, empty: readonly { Tree: string; Level: number; Low: string }[]): Promise<void> {
  for (const { Tree, Low } of empty.filter(({ Level }) => Level === 1)) {
    await db.run(sql`delete from site_ranks where tree = ${Tree} and low = ${Low}`);
  }
  for (const { Tree, Low } of empty.filter(({ Level }) => Level === 0)) {
    await db.run(sql`
      delete from site_ranks
      where tree = ${Tree} and level = 0 and low = ${Low} and not exists (
        select 1 from site_ranks g where g.tree = ${Tree} and g.level = 1 and g.low = ${Low})`);
  }
}
