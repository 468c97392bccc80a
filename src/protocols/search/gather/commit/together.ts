import type { Db } from '../../../../engine/db.ts';
import { list, sql, table } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { hresult, transactionType } from '../values.ts';
import { commitTransaction, transactionStatus } from './commit.ts';
import { type Deleted, deleteTogether } from './delete-together.ts';
import { type Crawled, noteSuccess } from './history.ts';
import { errorLevel } from './levels.ts';
import { hasMoreOfTheChangeLog } from './more-of-the-change-log.ts';
import { isAnchor, recordsOf } from './record.ts';
import { type Committed, committed, type Reported } from './transaction.ts';

/** Transactions that are written together, or one by one. */
type Way = 'crawled' | 'deleted' | 'alone';

/**
 * Commits transactions in order. Most are successes or deletions that concern only their own document: consecutive ones
 * of the same kind are written together, with one statement per kind of change instead of several per transaction.
 */
export async function commitAll(call: Call, reported: readonly Reported[]): Promise<void> {
  let together: Committed[] = [];
  let way: Way = 'alone';
  const documents = new Set<number>();
  const finish = async () => {
    if (way === 'deleted') await deleteAll(call, together);
    else await commitTogether(call, together);
    together = [];
    documents.clear();
  };
  for (const one of reported) {
    const transaction = committed(one);
    const next = wayOf(transaction);
    if (next !== way || documents.has(transaction.DocID)) await finish();
    way = next;
    if (way === 'alone') await commitTransaction(call, one);
    else {
      together.push(transaction);
      documents.add(transaction.DocID);
    }
  }
  await finish();
}

function wayOf(transaction: Committed): Way {
  const isPlain =
    transaction.TransactionStatus === transactionStatus.commit &&
    transaction.ErrorLevel !== errorLevel.error &&
    !transaction.MarkDelete &&
    !transaction.isFolder &&
    !transaction.isSecurityOnly &&
    !hasMoreOfTheChangeLog(transaction);
  if (!isPlain) return 'alone';
  return transaction.TransactionType === transactionType.delete ? 'deleted' : 'crawled';
}

async function deleteAll(call: Call, transactions: readonly Committed[]): Promise<void> {
  if (transactions.length === 0) return;
  const records = await recordsOf(call.db, documentsOf(transactions), { isDeletion: true });
  const deleted: Deleted[] = [];
  for (const transaction of transactions) {
    const before = records.get(transaction.DocID);
    if (before === undefined) continue;
    if (isAnchor(before)) await commitTransaction(call, transaction);
    else deleted.push({ transaction, before });
  }
  await deleteTogether(call, deleted);
  await leaveQueue(call.db, transactions);
}

const documentsOf = (transactions: readonly Committed[]): number[] => transactions.map(({ DocID }) => DocID);

async function commitTogether(call: Call, transactions: readonly Committed[]): Promise<void> {
  if (transactions.length === 0) return;
  const { db } = call;
  const records = await recordsOf(db, documentsOf(transactions), { isDeletion: false });
  const crawled: Crawled[] = [];
  for (const transaction of transactions) {
    const before = records.get(transaction.DocID);
    if (before === undefined) continue;
    // An item of the anchor project is deleted after it was crawled.
    if (isAnchor(before)) await commitTransaction(call, transaction);
    else crawled.push({ transaction, before });
  }
  await forgetDeletedUrls(db, crawled);
  await noteSuccess(call, crawled);
  await noteForAnchors(db, crawled);
  await leaveQueue(db, transactions);
}

async function forgetDeletedUrls(db: Db, crawled: readonly Crawled[]): Promise<void> {
  const documents = crawled.map(({ transaction }) => transaction.DocID);
  await db.run(sql`
    delete from deleted_urls where track_id in (
      select d.track_id from crawl_history h
      join deleted_urls d on d.access_hash = h.access_hash and d.access_key = h.access_key
      where h.doc_id in ${list('bigint', documents)})`);
}

async function noteForAnchors(db: Db, crawled: readonly Crawled[]): Promise<void> {
  const modified = crawled.filter(({ transaction }) => transaction.hrResult !== hresult.notModified);
  if (modified.length === 0) return;
  const rows = modified.map(({ transaction: { CrawlID, DocID } }) => [CrawlID, DocID]);
  await db.run(sql`
    insert into changed_committed (crawl_id, doc_id)
    select c.crawl, c.doc from ${table({ crawl: 'bigint', doc: 'bigint' }, rows)} c where true
    on conflict (crawl_id, doc_id) do nothing`);
}

async function leaveQueue(db: Db, transactions: readonly Committed[]): Promise<void> {
  const own = transactions.map(({ SeqID, DocID, CrawlID }) => [SeqID, DocID, CrawlID]);
  const items = list(
    'bigint',
    transactions.map(({ SeqID }) => SeqID),
  );
  // Without a self-join of the queue, which would take PostgreSQL quadratic time under a plan made when it was small.
  await db.run(sql`
    delete from crawl_queue where seq_id in ${items}
      and (seq_id, doc_id, crawl_id) in (
        select o.seq, o.doc, o.crawl from ${table({ seq: 'bigint', doc: 'bigint', crawl: 'bigint' }, own)} o)`);
}
