import { type Sql, sql } from '../../../engine/sql.ts';

/** A query for a class and all that derive from it, at any depth; `union` ends the walk where classes form a ring. */
export const classAndDerived = (classId: string | null): Sql => sql`
  with recursive derived (id) as (
    select id from classes where id = ${classId}
    union
    select c.id from classes c join derived d on c.base_id = d.id
  )
  select id from derived`;
