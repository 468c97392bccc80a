import { type Sql, sql } from '../../../engine/sql.ts';

/** The two ways to find documents `h` by a hash; a search uses both, one after the other. */
type Ways = (isHash: (column: Sql) => Sql) => readonly [same: Sql, other: Sql];

/** Most have that hash as access hash; the others are in an index of documents whose hashes differ. */
const besideAccess =
  (own: Sql): Ways =>
  (isHash) => [
    sql`${isHash(sql`h.access_hash`)} and ${own} = h.access_hash`,
    sql`${isHash(own)} and ${own} is distinct from h.access_hash`,
  ];

/** Where documents `h` with a hash of the display URL are. */
export const byDisplay: Ways = besideAccess(sql`h.display_hash`);

/** Where documents `h` with a hash of the compact URL are. */
export const byCompact: Ways = besideAccess(sql`h.compact_hash`);
