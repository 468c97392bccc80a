import { sql } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { crawlType } from '../../crawls/crawl-status.ts';
import { errorLevel } from './levels.ts';
import { ownItem } from './own-item.ts';
import { type Committed, keptCookieType } from './transaction.ts';

/** True if the change log was read up to a cookie, and there is more of it. */
export const hasMoreOfTheChangeLog = (transaction: Committed): boolean =>
  transaction.CrawlType === crawlType.incremental &&
  transaction.ChangeLogCookie !== null &&
  transaction.ErrorLevel !== errorLevel.error &&
  transaction.ChangeLogCookieEnd !== null &&
  !transaction.isSecurityOnly;

/** Stores how far the change log was read and releases the item for the rest. */
export async function goOnWithTheChangeLog({ db, now }: Call, transaction: Committed): Promise<void> {
  const { DocID, TransactionFlags, ChangeLogCookie, ChangeLogCookieEnd } = transaction;
  await db.run(sql`
    update crawl_history set transaction_flags = ${TransactionFlags}, change_log_cookie = ${ChangeLogCookie},
      change_log_cookie_type = ${keptCookieType(transaction)}, change_log_cookie_end = ${ChangeLogCookieEnd},
      retry_count = 0, delay_retry_count = 0, retry = 0, last_touch_start = ${now}
    where doc_id = ${DocID}`);
  await db.run(sql`
    update crawl_queue set transaction_flags = ${TransactionFlags}, batch_id = 0, component_id = null
    where ${ownItem(transaction)}`);
}
