import { sql } from '../../../../engine/sql.ts';
import { stage } from '../../stage.ts';
import { flag, scope, transactionType } from '../values.ts';
import { isFirstRun, isInQueue, ofContentSource, queueDocuments } from './queue-of.ts';

const thisStage = 109;

/** 109. */
export const queueIncremental = stage({
  summary: 'Queues the documents that an incremental crawl has to check again, at the first call for a crawl.',
  access: 'write',
  heeds: ['CrawlID', 'ContentSourceID'],
  sets: ['MiscOutputData'],
  async run({ db }, { CrawlID, ContentSourceID }) {
    if (await isFirstRun(db, CrawlID, thisStage)) {
      const common = { crawl: CrawlID, transactionType: transactionType.modify, sourceDoc: sql`h.parent_doc_id` };
      const ofSource = ofContentSource(ContentSourceID);
      // Files whose folders list modification times are found there; everything else must be requested itself.
      const toLookAt = sql`${ofSource} and (error_level = 2 or change_log_cookie_type is not null
        or coalesce(use_change_log, 0) = 0 and ((transaction_flags & ${flag.folder}) <> 0
          or (transaction_flags & ${flag.foundByTimestamp}) = 0))`;
      await queueDocuments(db, {
        ...common,
        which: toLookAt,
        scope: sql`coalesce(nullif(h.crawl_scope, 0), ${scope.deep})`,
        flags: sql`h.transaction_flags | ${flag.folder}`,
      });
      await db.run(sql`update crawl_history set crawl_id = ${CrawlID} where ${toLookAt}`);
      const toSecure = sql`${ofSource} and coalesce(security_update_error_id, 0) <> 0`;
      await queueDocuments(db, {
        ...common,
        which: toSecure,
        scope: sql`${scope.deep}`,
        flags: sql`h.transaction_flags | ${flag.securityOnly}`,
      });
      await db.run(sql`update crawl_history set security_update_crawl_id = ${CrawlID} where ${toSecure}`);
    }
    return { MiscOutputData: (await isInQueue(db, CrawlID)) ? 1 : CrawlID };
  },
});
