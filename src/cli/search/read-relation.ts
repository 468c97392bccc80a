import type { Db } from '../../engine/db.ts';
import { isStored, type Relation } from '../../procedure/relation.ts';
import { selectFrom } from '../../procedure/select-relation.ts';

/** All rows of a relation, in the order of its key, as a client would read them. */
export async function readRelation(db: Db, relation: Relation): Promise<readonly Readonly<Record<string, unknown>>[]> {
  if (!isStored(relation)) throw new TypeError(`${relation.name} is not kept in a database`);
  const { shape, query } = selectFrom(relation, {
    columns: Object.keys(relation.columns),
    order: (relation.primaryKey ?? []).map((column) => ({ column })),
  });
  return await db.all(shape, query);
}
