import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';

const wanted = { ContentSourceID: int, StartAddressID: int };

export const getDeleteCrawl = procedure({
  name: 'proc_MSS_GetDeleteCrawl',
  section: 'MS-SQLPGAT2 3.1.5.32',
  summary: 'Lists what a delete crawl has to delete; the start address 0 is the whole content source.',
  access: 'read',
  params: { CrawlID: nullable(int, 'The delete crawl.') },
  outcomes: { done: { code: 0, meaning: 'Completed.', sets: { wanted } } },
  handle: ({ db }, { CrawlID }) => ({
    outcome: 'done',
    sets: {
      wanted: db.rows(
        wanted,
        sql`
          select content_source_id as "ContentSourceID", start_address_id as "StartAddressID"
          from requested_deletes where crawl_id = ${CrawlID} order by id`,
      ),
    },
  }),
});
