import type { Db } from '../../../../engine/db.ts';
import { type Sql, sql } from '../../../../engine/sql.ts';
import { crawlType } from '../../crawls/crawl-status.ts';
import { stage } from '../../stage.ts';
import { deleteReason, flag, scope, transactionType } from '../values.ts';
import { isFirstRun, isInQueue, ofContentSource, queueDocuments } from './queue-of.ts';

const thisStage = 145;

/** What a full crawl does with documents that it did not reach: @MiscInputData. */
const recrawl = { hostOfStartAddress: 1, everything: 2 } as const;

/** 145. */
export const queueUnvisited = stage({
  summary:
    'Queues the documents that a crawl has not reached, to be deleted or crawled once more, at the first call for a crawl.',
  access: 'write',
  heeds: ['CrawlID', 'ContentSourceID', 'CrawlType', 'MiscInputData'],
  sets: ['MiscOutputData'],
  async run({ db }, { CrawlID, ContentSourceID, CrawlType, MiscInputData }) {
    if (await isFirstRun(db, CrawlID, thisStage)) {
      const unvisited = sql`${ofContentSource(ContentSourceID)} and commit_crawl_id < ${CrawlID}`;
      if (CrawlType === crawlType.full) await full(db, CrawlID, unvisited, MiscInputData);
      if (CrawlType === crawlType.incremental) await incremental(db, CrawlID, unvisited);
    }
    return { MiscOutputData: (await isInQueue(db, CrawlID)) ? 1 : CrawlID };
  },
});

async function full(db: Db, crawl: number, unvisited: Sql, variant: number): Promise<void> {
  await remove(
    db,
    crawl,
    sql`${unvisited} and parent_update_crawl_id = ${crawl}`,
    deleteReason.unvisitedFull,
    scope.item,
  );
  if (variant === recrawl.everything) return crawlAgain(db, crawl, unvisited);
  let rest = unvisited;
  if (variant === recrawl.hostOfStartAddress) {
    const again = sql`((transaction_flags & ${flag.processLinks}) <> 0 and ${isOnStartHost})`;
    await crawlAgain(db, crawl, sql`${unvisited} and ${again}`);
    rest = sql`${unvisited} and ${again} is not true`;
  }
  await remove(db, crawl, rest, deleteReason.unvisitedFull, scope.item);
}

async function incremental(db: Db, crawl: number, unvisited: Sql): Promise<void> {
  const notSeenAgain = sql`${unvisited} and parent_update_crawl_id = ${crawl}`;
  await remove(
    db,
    crawl,
    sql`${notSeenAgain} and coalesce(use_change_log, 0) = 0`,
    deleteReason.unvisitedIncremental,
    scope.item,
  );
  await remove(db, crawl, sql`${notSeenAgain} and use_change_log = 1`, deleteReason.unvisitedLog, scope.deep);
}

/**
 * The host of a document is that of its start address, or of a document of the same start address that is marked so.
 */
const isOnStartHost = sql`(h.start_address_id, h.host_id) in (
  select s.start_address_id, s.host_id from crawl_history s
  where s.parent_doc_id = -1 or s.item_type = 1 or (s.transaction_flags & ${flag.startHost}) <> 0)`;

async function remove(db: Db, crawl: number, which: Sql, reason: number, reach: number): Promise<void> {
  await queueDocuments(db, {
    crawl,
    which,
    transactionType: transactionType.delete,
    scope: sql`${reach}`,
    flags: sql`0`,
    sourceDoc: sql`h.parent_doc_id`,
    deleteReason: reason,
  });
  await db.run(sql`update crawl_history as h set delete_pending = 1 where ${which}`);
}

async function crawlAgain(db: Db, crawl: number, which: Sql): Promise<void> {
  await queueDocuments(db, {
    crawl,
    which,
    transactionType: transactionType.modify,
    scope: sql`${scope.deep}`,
    flags: sql`h.transaction_flags`,
    sourceDoc: sql`h.parent_doc_id`,
  });
  await db.run(sql`update crawl_history as h set crawl_id = ${crawl} where ${which}`);
}
