import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import { stage } from '../../stage.ts';

/** Recounts the documents of hosts: crawled ones by their result, and deleted URLs. */
export async function countHosts(db: Db): Promise<void> {
  await db.run(sql`
    update crawled_hosts set success_count = n.successes, warning_count = n.warnings, error_count = n.errors,
      level_high_error_count = n.important, delete_count = (
        select count(*) from deleted_urls d where d.host_id = crawled_hosts.host_id)
    from (
      select c.host_id, count(case when h.error_level = 0 then 1 end) as successes,
        count(case when h.error_level = 1 then 1 end) as warnings, count(case when h.error_level = 2 then 1 end) as errors,
        count(case when h.error_level = 2 and h.log_level = 2 then 1 end) as important
      from crawled_hosts c
      left join crawl_history h on h.host_id = c.host_id and h.delete_pending = 0 and h.commit_crawl_id <> 0
      group by c.host_id) n
    where crawled_hosts.host_id = n.host_id`);
}

/** 154. */
export const hostStatistics = stage({
  summary: 'Recomputes the statistics of the hosts of a crawl.',
  access: 'write',
  heeds: [],
  run: ({ db }) => countHosts(db),
});
