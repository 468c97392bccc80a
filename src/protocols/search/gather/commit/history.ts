import type { Bindable } from '../../../../base/stored.ts';
import { fold } from '../../../../base/text/collation.ts';
import { sql } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { flag, notModifiedError, scope } from '../values.ts';
import { errorLevel } from './levels.ts';
import type { ProcessingRecord } from './record.ts';
import { type Committed, keptCookieType } from './transaction.ts';
import type { Verdict } from './verdict.ts';

const folded = (text: string | null): string | null => (text === null ? null : fold(text));

/** Records that an item failed. */
export async function noteFailure(
  { db, now }: Call,
  t: Committed,
  before: ProcessingRecord,
  { isSpared }: Verdict,
): Promise<void> {
  const isFileWithTimestamp = (t.TransactionFlags & flag.foundByTimestamp) !== 0 && !t.isFolder;
  const securityIsDone = t.Scope === scope.deep && isFileWithTimestamp;
  await db.run(sql`
    update crawl_history set
      crawl_id = ${t.CrawlID}, commit_crawl_id = ${t.CrawlID}, host_depth = ${t.HostDepth},
      enumeration_depth = ${t.EnumerationDepth}, change_log_cookie = ${t.ChangeLogCookie},
      change_log_cookie_type = ${keptCookieType(t)}, change_log_cookie_end = null, error_id = ${t.ErrorID},
      error_level = ${t.ErrorLevel}, error_desc = ${t.ErrorDesc}, doc_props_md5 = ${t.DocPropsMD5},
      doc_props_blob = ${t.DocPropsBlob}, protocol_length = ${t.ProtocolLength}, error_source = ${t.ErrorSource},
      crawl_scope = ${t.Scope}, retry_count = 0, delay_retry_count = 0, retry = 0, last_modified_time = 0,
      last_touch_start = ${now}, log_level = ${Math.max(before.logLevel, t.LogLevel)},
      error_count = ${before.errorCount + 1},
      security_update_error_id = case when ${securityIsDone} = 1 then 0 else security_update_error_id end,
      error_delete_count = ${isSpared ? before.errorDeleteCount + 1 : 0},
      first_error_time = ${before.firstErrorTime ?? now},
      first_error_delete_time = ${isSpared ? (before.firstErrorDeleteTime ?? now) : null}
    where doc_id = ${t.DocID}`);
}

/** A crawled item, and its previous record of the history. */
export interface Crawled {
  readonly transaction: Committed;
  readonly before: ProcessingRecord;
}

/** Records that items were crawled, perhaps with a warning; each is of another document. */
export async function noteSuccess({ db, now }: Pick<Call, 'db' | 'now'>, items: readonly Crawled[]): Promise<void> {
  // SQLite updates the indexes of every column that is set, even if its value is unchanged, and hash indexes are
  // scattered over the file.
  const { known = [], changed = [] } = Object.groupBy(items, (item) => (hasKnownUrls(item) ? 'known' : 'changed'));
  await keep(
    db,
    known.map((item) => afterSuccess(item, now)),
  );
  await keep(
    db,
    changed.map((item) => ({ ...afterSuccess(item, now), ...urlsOf(item.transaction) })),
  );
}

async function keep(db: Call['db'], rows: readonly Readonly<Record<string, Bindable>>[]): Promise<void> {
  const [first] = rows;
  if (first) await db.insert('crawl_history', Object.keys(first), rows.map(Object.values), ['doc_id']);
}

const hasKnownUrls = ({ transaction: t, before }: Crawled): boolean =>
  t.DisplayURL === before.displayUrl &&
  t.DisplayHash === before.displayHash &&
  t.CompactURL === before.compactUrl &&
  t.CompactHash === before.compactHash;

const urlsOf = (t: Committed): Readonly<Record<string, Bindable>> => ({
  compact_url: t.CompactURL,
  compact_key: folded(t.CompactURL),
  compact_hash: t.CompactHash,
  display_url: t.DisplayURL,
  display_key: folded(t.DisplayURL),
  display_hash: t.DisplayHash,
});

function afterSuccess({ transaction: t, before }: Crawled, now: Date): Readonly<Record<string, Bindable>> {
  const keepsError = before.errorId === notModifiedError.id && before.errorLevel === errorLevel.warning;
  return {
    doc_id: t.DocID,
    crawl_id: t.CrawlID,
    commit_crawl_id: t.CrawlID,
    crawl_scope: t.Scope,
    transaction_flags: t.TransactionFlags,
    host_depth: t.HostDepth,
    enumeration_depth: t.EnumerationDepth,
    use_change_log: t.UseChangeLog,
    change_log_cookie: t.ChangeLogCookie,
    change_log_cookie_type: keptCookieType(t),
    change_log_cookie_end: null,
    index_type: t.IndexType,
    md5: t.MD5,
    prop_md5: t.PropMD5,
    last_modified_time: t.LastModifiedTime,
    folder_del_count: t.FolderDelCount,
    end_path_flag: t.EndPathFlag,
    error_id: keepsError ? before.errorId : t.ErrorID,
    error_level: keepsError ? before.errorLevel : t.ErrorLevel,
    error_desc: t.ErrorDesc,
    doc_props_md5: t.DocPropsMD5,
    doc_props_blob: t.DocPropsBlob,
    links_bitmap: t.LinksBitmap,
    title: t.Title === '' ? null : t.Title,
    title_lcid: t.TitleLCID,
    security_id: t.SecurityId,
    ph_flags: t.PHFlags,
    protocol_length: t.ProtocolLength,
    log_level: t.LogLevel,
    error_source: t.ErrorSource,
    retry_count: 0,
    delay_retry_count: 0,
    retry: 0,
    error_count: 0,
    error_delete_count: 0,
    last_touch_start: now,
    first_error_time: null,
    first_error_delete_time: null,
    security_update_error_id: t.Scope === scope.deep ? 0 : before.securityUpdateErrorId,
  };
}
