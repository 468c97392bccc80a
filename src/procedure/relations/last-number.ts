import type { Db } from '../../engine/db.ts';
import { eachEngine, quoted, sql } from '../../engine/sql.ts';
import { bigint } from '../../tds/types/index.ts';
import { orNull } from '../declare.ts';
import { isStored, type Relation } from './relation.ts';

const shape = { number: orNull(bigint) };

/** The column that the engine numbers, and the table that it is in; undefined for a relation without one. */
function numberedColumn(relation: Relation): { readonly table: string; readonly column: string } | undefined {
  if (!isStored(relation) || relation.changes === undefined) return undefined;
  const column = Object.values(relation.stored).find(({ identity }) => identity)?.column;
  return column === undefined ? undefined : { table: relation.changes.table, column };
}

/** True for a relation whose rows the engine numbers. */
export const isNumbered = (relation: Relation): boolean => numberedColumn(relation) !== undefined;

/** The last number that the engine assigned in a relation; undefined before the first, and if it numbers no rows. */
export async function lastNumber(relation: Relation, db: Db): Promise<bigint | undefined> {
  const numbered = numberedColumn(relation);
  if (numbered === undefined) return undefined;
  const { table, column } = numbered;
  const query = eachEngine({
    sqlite: sql`select seq as number from sqlite_sequence where name = ${table}`,
    postgres: sql`select pg_sequence_last_value(pg_get_serial_sequence(${quoted(table)}, ${column})::regclass) as number`,
  });
  const { number = null } = (await db.first(shape, sql`${query}`)) ?? {};
  return number ?? undefined;
}
