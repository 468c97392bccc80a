import type { Db } from '../../../../engine/db.ts';
import { list, type Sql, sql } from '../../../../engine/sql.ts';
import { crawlType } from '../../crawls/crawl-status.ts';
import { deleteReason, flag, hresult, number, scope, transactionType } from '../values.ts';
import type { ProcessingRecord } from './record.ts';
import type { Committed } from './transaction.ts';

/** Success codes after which a folder has been read; 0x0004123A is in no list, but is one by its form. */
const folderWasRead: readonly number[] = [0, hresult.noIndex, 0x4123a];

const isFile = sql`(transaction_flags & ${flag.folder}) = 0`;
const hasTimestamp = sql`(transaction_flags & ${flag.foundByTimestamp}) <> 0`;

/** The children of a folder that was read must be seen again: stage 145 of proc_MSS_Crawl finds those that are not. */
export async function expectChildren(db: Db, transaction: Committed): Promise<void> {
  const { DocID, CrawlID, TransactionType, CrawlType, hrResult } = transaction;
  if (!folderWasRead.includes(hrResult) || TransactionType !== transactionType.modify) return;
  if (!transaction.isFolder || transaction.isSecurityOnly) return;
  const which = expected(CrawlType, transaction);
  if (which === undefined) return;
  await db.run(sql`
    update crawl_history set parent_update_crawl_id = ${CrawlID}
    where parent_doc_id = ${DocID} and delete_pending = 0 and ${which}`);
}

function expected(type: number, { ChangeLogCookie, UseChangeLog }: Committed): Sql | undefined {
  if (type === crawlType.full) return sql`${hasTimestamp} and ${isFile}`;
  if (type !== crawlType.incremental || ChangeLogCookie !== null) return undefined;
  return UseChangeLog === 1 ? isFile : sql`${hasTimestamp} and ${isFile}`;
}

/** A security change of a folder is propagated to its children. */
export async function passSecurityOn(db: Db, transaction: Committed, before: ProcessingRecord): Promise<void> {
  const { DocID, CrawlID, ChangeLogBatchID, ChildSecurityBlob, TransactionFlags } = transaction;
  if (transaction.CrawlType !== crawlType.incremental || transaction.hrResult !== 0) return;
  if (transaction.TransactionType !== transactionType.modify) return;
  if (transaction.UseChangeLog !== 1 && transaction.givenCookieType <= 0) return;
  if (!transaction.isFolder || !transaction.isSecurityOnly) return;
  const isCached = (TransactionFlags & flag.cachedSecurity) !== 0;
  const notYet = isCached
    ? sql`security_update_crawl_id < ${CrawlID} and cached_security_update_crawl_id < ${CrawlID}`
    : sql`security_update_crawl_id < ${CrawlID}`;
  const children = sql`
    parent_doc_id = ${DocID} and use_change_log = 1 and delete_pending = 0 and ${notYet} and ${hasTimestamp}
    and (not ${isFile} or crawl_id < ${CrawlID})`;
  const queued = await db.run(sql`
    insert into crawl_queue (crawl_id, change_log_batch_id, cached_blob, start_address_id, content_source_id, project_id,
      doc_id, host_depth, enumeration_depth, source_doc_id, transaction_type, scope, transaction_flags)
    select ${CrawlID}, ${ChangeLogBatchID}, ${ChildSecurityBlob}, ${before.startAddressId}, ${before.contentSourceId},
      ${before.projectId}, doc_id, host_depth, enumeration_depth, parent_doc_id, ${transactionType.modify}, ${scope.deep},
      transaction_flags | ${flag.securityOnly}
    from crawl_history where ${children} order by doc_id`);
  if (queued === 0) return;
  const done = isCached
    ? sql`cached_security_update_crawl_id = ${CrawlID}`
    : sql`security_update_crawl_id = ${CrawlID}, security_id = null`;
  await db.run(sql`update crawl_history set ${done} where ${children}`);
}

/** Items that were found in a folder are deleted with it. */
export async function deleteChildren(db: Db, transaction: Committed, before: ProcessingRecord): Promise<void> {
  const { DocID, CrawlID, ChangeLogBatchID } = transaction;
  if (transaction.Scope !== scope.deep || !transaction.isFolder) return;
  const children = await db.all(
    { id: number },
    sql`
      update crawl_history set delete_pending = 1
      where parent_doc_id = ${DocID} and delete_pending = 0 and ${hasTimestamp} and (${isFile} or use_change_log = 1)
      returning doc_id as "id"`,
  );
  if (children.length === 0) return;
  await db.run(sql`
    insert into crawl_queue (crawl_id, change_log_batch_id, start_address_id, content_source_id, project_id, doc_id,
      transaction_flags, host_depth, enumeration_depth, source_doc_id, delete_reason, transaction_type, scope)
    select ${CrawlID}, ${ChangeLogBatchID}, ${before.startAddressId}, ${before.contentSourceId}, ${before.projectId},
      doc_id, transaction_flags, host_depth, enumeration_depth, parent_doc_id, ${deleteReason.recursive},
      ${transactionType.delete}, ${scope.deep}
    from crawl_history where doc_id in ${list(
      'bigint',
      children.map(({ id }) => id),
    )} order by doc_id`);
}
