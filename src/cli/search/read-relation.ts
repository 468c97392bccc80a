import type { Db } from '../../engine/db.ts';
import { identifier, type Sql, sql } from '../../engine/sql.ts';
import { isStored, type Relation } from '../../procedure/relation.ts';

/** All rows of a relation, in the order of its key, as a client would read them. */
export async function readRelation(db: Db, relation: Relation): Promise<readonly Readonly<Record<string, unknown>>[]> {
  if (!isStored(relation)) throw new TypeError(`${relation.name} is not kept in a database`);
  const columns = Object.entries(relation.stored).reduce<Sql | undefined>((all, [name, column]) => {
    const one = sql`${column.sql} as ${identifier(name)}`;
    return all === undefined ? one : sql`${all}, ${one}`;
  }, undefined);
  const [first = ''] = relation.primaryKey ?? Object.keys(relation.columns);
  return await db.all(
    relation.columns,
    sql`select ${columns ?? sql`1`} from ${relation.from} order by ${identifier(first)}`,
  );
}
