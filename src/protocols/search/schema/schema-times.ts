import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';

const columns = {
  category: sql`last_category_change`,
  crawledProperty: sql`last_crawled_property_add`,
  managedProperty: sql`last_managed_property`,
};

/** Records that a part of the schema has changed now; the time of the server is UTC, as from GETDATE. */
export const noteChange = (db: Db, of: keyof typeof columns, now: Date): Promise<number> =>
  db.run(sql`update schema_times set ${columns[of]} = ${now} where one = 1`);
