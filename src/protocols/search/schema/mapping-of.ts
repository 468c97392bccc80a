import type { Row } from '../../../base/stored.ts';
import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { int } from '../../../tds/types/index.ts';
import { noteChange } from './schema-times.ts';

const mapping = { pid: int, order: int };

/** A managed property that a crawled property is mapped to, and its place among those that are. */
export type Mapping = Row<typeof mapping>;

/** The first managed property that a crawled property is mapped to. */
export const firstMapping = (db: Db, crawledProperty: number): Promise<Mapping | undefined> =>
  db.first(
    mapping,
    sql`
      select pid as "pid", mapping_order as "order" from property_mappings
      where crawled_property_id = ${crawledProperty} order by mapping_order, pid limit 1`,
  );

/** Maps a crawled property to a managed one, after those already mapped to it, unless it is one of them. */
export async function ensureMapping(db: Db, pid: number, crawledProperty: number, now: Date): Promise<Mapping> {
  const added = await db.run(sql`
    insert into property_mappings (pid, crawled_property_id, mapping_order, last_modified)
    select ${pid}, ${crawledProperty}, coalesce(max(mapping_order), 0) + 1, ${now}
    from property_mappings where pid = ${pid}
    on conflict (pid, crawled_property_id) do nothing`);
  if (added > 0) await noteChange(db, 'crawledProperty', now);
  const found = await db.first(
    mapping,
    sql`
      select pid as "pid", mapping_order as "order" from property_mappings
      where pid = ${pid} and crawled_property_id = ${crawledProperty}`,
  );
  if (found === undefined) throw new Error('a mapping that was made is not there');
  return found;
}
