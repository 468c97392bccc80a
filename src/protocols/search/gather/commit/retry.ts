import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import { project } from '../../crawls/crawl-status.ts';
import { number } from '../values.ts';
import { ownItem } from './own-item.ts';
import type { Committed } from './transaction.ts';

/** @TransactionStatus 3: the item is released, unless an equivalent one is already waiting. */
export async function retry(db: Db, transaction: Committed): Promise<void> {
  const { DocID, CrawlID, SeqID, TransactionType, Scope, TransactionFlags } = transaction;
  await db.run(sql`
    update crawl_history set retry_count = ${transaction.RetryCount}, delay_retry_count = ${transaction.DelayRetryCount}
    where doc_id = ${DocID} and project_id = ${project.portalContent}`);
  const other = await db.first(
    { there: number },
    sql`
      select 1 as "there" from crawl_queue
      where doc_id = ${DocID} and crawl_id = ${CrawlID} and transaction_type = ${TransactionType} and scope = ${Scope}
        and transaction_flags = ${TransactionFlags} and seq_id <> ${SeqID} limit 1`,
  );
  if (other) await db.run(sql`delete from crawl_queue where ${ownItem(transaction)}`);
  else {
    await db.run(sql`
      update crawl_queue set batch_id = 0, component_id = null, transaction_flags = ${TransactionFlags}
      where ${ownItem(transaction)}`);
  }
}
