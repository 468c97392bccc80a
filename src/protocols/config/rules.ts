import { sql } from '../../engine/sql.ts';
import type { Rule } from '../../procedure/kind.ts';

const lastVersion = sql`(select r.last from row_version r where r.id = 1)`;

/** What holds of a configuration database. */
export const configRules: readonly Rule[] = [
  {
    rule: 'no object has a version above the last that was given out',
    broken: sql`select o.id as broken from objects o where o.version > ${lastVersion}`,
  },
  {
    rule: 'no object was deleted at a version above the last that was given out',
    broken: sql`select t.id as broken from tombstones t where t.version > ${lastVersion}`,
  },
  {
    rule: 'no change of a distribution list has a version above the last that was given out',
    broken: sql`select p.group_name as broken from pending_distribution_lists p where p.version > ${lastVersion}`,
  },
  {
    rule: 'what an object said before is of an earlier version',
    broken: sql`
      select v.id as broken from object_versions v join objects o on o.id = v.id where v.version >= o.version`,
  },
  {
    rule: 'no entry of the history of jobs has a number above the last that was given out',
    broken: sql`
      select h.id as broken from job_history h where h.id > (select l.last from job_history_last_id l where l.one = 1)`,
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
  {
    rule: 'the ranks of references count all of them, on each level',
    broken: sql`
      select r.tree as broken from site_ranks r
      group by r.tree
      having sum(case r.level when 0 then r.sites end) <> sum(case r.level when 1 then r.sites end)
        or sum(case r.level when 0 then r.redirecting end) <> sum(case r.level when 1 then r.redirecting end)
        or sum(case r.level when 0 then r.upgraded end) <> sum(case r.level when 1 then r.upgraded end)
        or r.tree in ('path', 'id') and sum(case r.level when 0 then r.sites end) <>
          (select count(*) from site_map s where s.deletion_time is null)`,
  },
];
