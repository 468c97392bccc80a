import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';

const counts = { DocCount: int, DocCountWithPendingDeletes: int, LinksInQueue: int, DocsInQueue: int };

export const getDocCount = procedure({
  name: 'proc_MSS_GetDocCount',
  section: 'MS-SQLPGAT2 3.1.5.34',
  summary: 'Counts the documents of a crawl store, those that are to be deleted, the links and the queue.',
  access: 'read',
  params: {
    SkipDocCount: nullable(int, '1 where documents need not be counted.'),
    DocCount: output(int, 'Documents that are not to be deleted; 0 where they were not counted.'),
    DocCountWithPendingDeletes: output(int, 'Documents that are to be deleted.'),
    LinksInQueue: output(int, 'Links that wait.'),
    DocsInQueue: output(int, 'Items in the queue.'),
  },
  outcomes: done,
  async handle({ db }, { SkipDocCount }) {
    const row = await db.first(
      counts,
      sql`
        select ${SkipDocCount === 1 ? sql`0` : sql`(select count(*) from crawl_history where delete_pending = 0)`} as "DocCount",
          (select count(*) from crawl_history where delete_pending <> 0) as "DocCountWithPendingDeletes",
          (select count(*) from crawl_links) as "LinksInQueue", (select count(*) from crawl_queue) as "DocsInQueue"`,
    );
    return { outcome: 'done', ...(row && { output: row }) };
  },
});
