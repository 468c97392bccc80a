import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';

const day = 86_400_000;

export const cleanupWithInterval = procedure({
  name: 'proc_MSS_CleanupWithInterval',
  section: 'MS-SQLPGAT2 3.1.5.91',
  summary: 'Deletes crawls that ended more than a number of days ago.',
  access: 'write',
  params: { CleanupInterval: nullable(int, 'How many days crawls are kept after they are over.') },
  outcomes: done,
  async handle({ db, now }, { CleanupInterval }) {
    if (CleanupInterval === null) return { outcome: 'done' };
    const before = now.getTime() - CleanupInterval * day;
    const old = sql`
      select crawl_id from crawls
      where status in (5, 11, 12) and coalesce(end_time, start_time, request_time) < ${before}`;
    await db.run(sql`delete from crawl_component_status where crawl_id in (${old})`);
    await db.run(sql`delete from crawl_store_status where crawl_id in (${old})`);
    await db.run(sql`delete from requested_deletes where crawl_id in (${old})`);
    await db.run(sql`delete from crawls where crawl_id in (${old})`);
    return { outcome: 'done' };
  },
});
