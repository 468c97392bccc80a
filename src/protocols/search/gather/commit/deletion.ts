import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { isFoundation } from '../../stage.ts';
import { deleteReason, scope, transactionType } from '../values.ts';
import { isAnchor, type ProcessingRecord } from './record.ts';
import type { Committed } from './transaction.ts';

/** Marks a document for deletion by a transaction of its own. */
export async function markForDeletion(db: Db, transaction: Committed, before: ProcessingRecord): Promise<void> {
  const { DocID, CrawlID, TransactionFlags, ChangeLogBatchID, ErrorID, ErrorLevel, ErrorDesc, LogLevel } = transaction;
  await db.run(sql`
    insert into crawl_queue (crawl_id, doc_id, transaction_flags, change_log_batch_id, error_id, error_level,
      start_address_id, content_source_id, project_id, transaction_type, scope, host_depth, enumeration_depth,
      source_doc_id, delete_reason)
    values (${CrawlID}, ${DocID}, ${TransactionFlags}, ${ChangeLogBatchID}, ${ErrorID}, ${ErrorLevel},
      ${before.startAddressId}, ${before.contentSourceId}, ${before.projectId}, ${transactionType.delete}, ${scope.deep},
      0, 0, 0, ${deleteReason.error})`);
  await db.run(sql`
    update crawl_history set delete_pending = 1, error_id = ${ErrorID}, error_level = ${ErrorLevel},
      error_desc = ${ErrorDesc}, log_level = ${LogLevel}
    where doc_id = ${DocID}`);
}

/** Deletes a document with its dependent rows; its identifier can be reused. */
export async function deleteDocument(
  call: Call,
  { DocID, CrawlID }: Committed,
  before: ProcessingRecord,
): Promise<void> {
  const { db } = call;
  await db.run(sql`
    insert into deleted_urls (access_url, access_key, access_hash, host_id, content_source_id)
    values (${before.accessUrl}, ${before.accessKey}, ${before.accessHash}, ${before.hostId}, ${before.contentSourceId})`);
  if (!isAnchor(before)) {
    await db.run(sql`
      insert into changed_targets (crawl_id, doc_id) values (${CrawlID}, ${DocID})
      on conflict (crawl_id, doc_id) do nothing`);
    await db.run(sql`
      insert into changed_deleted (crawl_id, doc_id) values (${CrawlID}, ${DocID})
      on conflict (crawl_id, doc_id) do update set times = changed_deleted.times + 1`);
    await db.run(sql`delete from annotations_pending where target_doc_id = ${DocID}`);
    await db.run(sql`delete from annotations where target_doc_id = ${DocID}`);
    if (!isFoundation(call)) await db.run(sql`delete from anchor_doc_props where doc_id = ${DocID}`);
  }
  await db.run(sql`delete from crawl_history where doc_id = ${DocID}`);
  await db.run(sql`delete from crawl_queue where doc_id = ${DocID} and batch_id = 0`);
  await db.run(sql`update crawl_history set parent_doc_id = 0 where parent_doc_id = ${DocID}`);
  await db.run(sql`insert into free_doc_ids (doc_id) values (${DocID}) on conflict (doc_id) do nothing`);
}
