import { sql } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { crawlType } from '../../crawls/crawl-status.ts';
import { hresult, scope, transactionType } from '../values.ts';
import { errorLevel } from './levels.ts';
import type { ProcessingRecord } from './record.ts';
import type { Committed } from './transaction.ts';

const hour = 3_600_000;

/** A change log that can no longer be read is abandoned: the item is crawled as a whole. */
export async function recrawlWithoutChangeLog(
  { db, now }: Call,
  t: Committed,
  before: ProcessingRecord,
): Promise<void> {
  if (t.CrawlType !== crawlType.incremental || t.ErrorLevel !== errorLevel.error) return;
  // The specification does not exclude deletions, after which there is nothing to crawl.
  if (t.TransactionType === transactionType.delete) return;
  if (t.ChangeLogCookie === null || before.hasCookie === 0 || before.errorCount <= t.RecrawlErrorCount) return;
  const isOld = before.firstErrorTime !== null && now.getTime() - before.firstErrorTime > t.RecrawlErrorInterval * hour;
  const isTooOld = t.TransactionType === transactionType.modify && t.hrResult === hresult.changeLogTooOld;
  if (!isOld && !isTooOld) return;
  await db.run(sql`
    update crawl_history set change_log_cookie = null, change_log_cookie_type = null where doc_id = ${t.DocID}`);
  await db.run(sql`
    insert into crawl_queue (crawl_id, doc_id, transaction_flags, host_depth, enumeration_depth, change_log_batch_id,
      start_address_id, content_source_id, project_id, source_doc_id, transaction_type, scope)
    values (${t.CrawlID}, ${t.DocID}, ${t.TransactionFlags}, ${t.HostDepth}, ${t.EnumerationDepth},
      ${t.ChangeLogBatchID}, ${before.startAddressId}, ${before.contentSourceId}, ${before.projectId},
      ${before.parentDocId}, ${transactionType.modify}, ${scope.deep})`);
}
