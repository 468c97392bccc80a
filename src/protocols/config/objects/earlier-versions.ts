import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';

/** How many earlier versions of an object are kept. */
const kept = 5;

/**
 * Stores an object's contents before they are changed. No procedure reads them: people can see what a change has
 * changed (the relation ObjectVersions).
 */
export async function keepVersion(db: Db, now: Date, id: string): Promise<void> {
  await db.run(sql`
    insert into object_versions (id, version, replaced_time, properties)
    select id, version, ${now}, properties from objects where id = ${id}`);
  await db.run(sql`
    delete from object_versions where id = ${id} and version <= (
      select v.version from object_versions v where v.id = ${id} order by v.version desc limit 1 offset ${kept})`);
}
