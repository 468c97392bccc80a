import { type Sql, sql } from '../../../engine/sql.ts';

/**
 * Where documents `h` with a hash of the display URL are: mostly among those with that access hash, and else in an index of
 * those whose hashes differ. What looks for them asks both ways, one after the other.
 */
export const byDisplay = (isHash: (column: Sql) => Sql): readonly [same: Sql, other: Sql] => [
  sql`${isHash(sql`h.access_hash`)} and h.display_hash = h.access_hash`,
  sql`${isHash(sql`h.display_hash`)} and h.display_hash is distinct from h.access_hash`,
];
