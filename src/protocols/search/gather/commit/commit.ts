import { sql } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { hresult, transactionType } from '../values.ts';
import { deleteChildren, expectChildren, passSecurityOn } from './children.ts';
import { deleteDocument, markForDeletion } from './deletion.ts';
import { noteFailure, noteSuccess } from './history.ts';
import { errorLevel } from './levels.ts';
import { goOnWithTheChangeLog, hasMoreOfTheChangeLog } from './more-of-the-change-log.ts';
import { ownItem } from './own-item.ts';
import { isAnchor, type ProcessingRecord, processingRecord } from './record.ts';
import { recrawlWithoutChangeLog } from './recrawl.ts';
import { reportError } from './report-error.ts';
import { retry } from './retry.ts';
import { type Committed, committed, type Reported } from './transaction.ts';
import { verdict } from './verdict.ts';

/** The defined values of @TransactionStatus. */
export const transactionStatus = { retry: 3, commit: 90 } as const;

/** Implements proc_MSS_ProcessCommitted for one transaction (3.1.5.66). */
export async function commitTransaction(call: Call, reported: Reported): Promise<void> {
  const transaction = committed(reported);
  if (transaction.TransactionStatus === transactionStatus.retry) return retry(call.db, transaction);
  if (transaction.TransactionStatus !== transactionStatus.commit) return;
  if (hasMoreOfTheChangeLog(transaction)) return goOnWithTheChangeLog(call, transaction);
  const before = await processingRecord(call.db, transaction);
  if (before) await apply(call, transaction, before);
  await call.db.run(sql`delete from crawl_queue where ${ownItem(transaction)}`);
}

async function apply(call: Call, transaction: Committed, before: ProcessingRecord): Promise<void> {
  const { db, now } = call;
  const decided = verdict(transaction, before, now);
  if (decided.isReported) await reportError(db, transaction, before);
  await db.run(sql`
    delete from deleted_urls where access_hash = ${before.accessHash} and access_key = ${before.accessKey}`);
  await expectChildren(db, transaction);
  await passSecurityOn(db, transaction, before);
  if (decided.isDeleted) await markForDeletion(db, transaction, before);
  if (transaction.TransactionType === transactionType.delete) {
    await deleteChildren(db, transaction, before);
    await deleteDocument(call, transaction, before);
  } else if (!decided.isDeleted && !transaction.isSecurityOnly) {
    if (transaction.ErrorLevel === errorLevel.error) await noteFailure(call, transaction, before, decided);
    else await noteSuccess(call, [{ transaction, before }]);
  }
  await noteForAnchors(call, transaction, before);
  await recrawlWithoutChangeLog(call, transaction, before);
}

/** Anchors that lead to a crawled document have to be processed again. */
async function noteForAnchors({ db }: Call, transaction: Committed, before: ProcessingRecord): Promise<void> {
  const { ErrorLevel, hrResult, CrawlID, DocID } = transaction;
  if (ErrorLevel === errorLevel.error || hrResult === hresult.notModified || isAnchor(before)) return;
  await db.run(sql`
    insert into changed_committed (crawl_id, doc_id) values (${CrawlID}, ${DocID})
    on conflict (crawl_id, doc_id) do nothing`);
}
