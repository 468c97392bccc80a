import { sql } from '../../../../engine/sql.ts';
import { crawlType } from '../../crawls/crawl-status.ts';
import { stage } from '../../stage.ts';
import { deleteReason, number, scope, transactionType } from '../values.ts';
import { ofContentSource, queueDocuments } from './queue-of.ts';

/** 107. */
export const queueDeletions = stage({
  summary:
    'Queues the documents of a content source, or of one start address, for a delete crawl; returns how many the crawl has.',
  access: 'write',
  heeds: ['CrawlID', 'ContentSourceID', 'CrawlType', 'MiscInputData'],
  sets: ['MiscOutputData'],
  async run({ db }, { CrawlID, ContentSourceID, CrawlType, MiscInputData: startAddress }) {
    if (CrawlType === crawlType.delete) {
      const which = sql`
        ${ofContentSource(ContentSourceID)}
        ${startAddress === 0 ? sql`` : sql`and start_address_id = ${startAddress}`}`;
      await queueDocuments(db, {
        crawl: CrawlID,
        which,
        transactionType: transactionType.delete,
        scope: sql`${scope.item}`,
        flags: sql`h.transaction_flags`,
        sourceDoc: sql`0`,
        deleteReason: deleteReason.deleteCrawl,
      });
      await db.run(sql`update crawl_history set delete_pending = 1 where ${which}`);
    }
    // The documents of a delete crawl keep the crawl that they had, and the master must be notified of them (3.2.5.3).
    const row = await db.first(
      { documents: number },
      sql`
        select count(*) as "documents" from crawl_history h
        where h.crawl_id = ${CrawlID}
          or exists (select 1 from crawl_queue q where q.doc_id = h.doc_id and q.crawl_id = ${CrawlID})`,
    );
    return { MiscOutputData: row?.documents ?? 0 };
  },
});
