import { sql } from '../../engine/sql.ts';
import type { Rule } from '../../procedure/kind.ts';

/** What holds of a configuration database. */
export const configRules: readonly Rule[] = [
  {
    rule: 'no object has a version above the last that was given out',
    broken: sql`select o.id as broken from objects o where o.version > (select r.last from row_version r where r.id = 1)`,
  },
  {
    rule: 'a piece of a file belongs to a file',
    broken: sql`
      select c.object_id as broken from file_chunks c where not exists (select 1 from files f where f.object_id = c.object_id)`,
  },
  {
    rule: 'a file has the bytes that its length says',
    broken: sql`
      select f.object_id as broken from files f
      where f.length <> coalesce((select sum(length(c.bytes)) from file_chunks c where c.object_id = f.object_id), 0)`,
  },
  {
    rule: 'a content database has the references that it counts',
    broken: sql`
      select c.database_id as broken from site_containers c
      where c.sites <> (
        select count(*) from site_map s
        where s.database_id = c.database_id and s.application_id = c.application_id and s.deletion_time is null)`,
  },
];
