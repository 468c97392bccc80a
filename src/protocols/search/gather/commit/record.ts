import type { Row } from '../../../../base/stored.ts';
import type { Db } from '../../../../engine/db.ts';
import { list, sql } from '../../../../engine/sql.ts';
import { number, text, transactionType } from '../values.ts';
import type { Committed } from './transaction.ts';

const record = {
  docId: number,
  parentDocId: { orNull: number },
  startAddressId: { orNull: number },
  contentSourceId: { orNull: number },
  projectId: { orNull: number },
  hostId: { orNull: number },
  accessUrl: { orNull: text },
  accessKey: { orNull: text },
  accessHash: { orNull: number },
  displayUrl: { orNull: text },
  displayHash: { orNull: number },
  compactUrl: { orNull: text },
  compactHash: { orNull: number },
  commitCrawlId: number,
  errorId: number,
  errorLevel: number,
  logLevel: number,
  errorCount: number,
  errorDeleteCount: number,
  firstErrorTime: { orNull: number },
  firstErrorDeleteTime: { orNull: number },
  securityUpdateErrorId: { orNull: number },
  hasCookie: number,
};

/** The document's record of the history before the call: the specification's ProcessingRecord. */
export type ProcessingRecord = Row<typeof record>;

const columns = sql`
  doc_id as "docId", parent_doc_id as "parentDocId", start_address_id as "startAddressId",
  content_source_id as "contentSourceId", project_id as "projectId", host_id as "hostId", access_url as "accessUrl",
  access_key as "accessKey", access_hash as "accessHash", display_url as "displayUrl", display_hash as "displayHash",
  compact_url as "compactUrl", compact_hash as "compactHash", commit_crawl_id as "commitCrawlId", error_id as "errorId",
  error_level as "errorLevel", log_level as "logLevel", error_count as "errorCount",
  error_delete_count as "errorDeleteCount", first_error_time as "firstErrorTime",
  first_error_delete_time as "firstErrorDeleteTime", security_update_error_id as "securityUpdateErrorId",
  case when change_log_cookie is null then 0 else 1 end as "hasCookie"`;

/** Finds it: a deletion is of a document marked for deletion, anything else of one that is not. */
export function processingRecord(db: Db, { DocID, TransactionType }: Committed): Promise<ProcessingRecord | undefined> {
  const isDeletion = TransactionType === transactionType.delete;
  return db.first(
    record,
    sql`select ${columns} from crawl_history where doc_id = ${DocID} and delete_pending = ${isDeletion}`,
  );
}

/** Finds those of many documents, by document: those marked for deletion, or the others. */
export async function recordsOf(
  db: Db,
  documents: readonly number[],
  { isDeletion }: { readonly isDeletion: boolean },
): Promise<ReadonlyMap<number, ProcessingRecord>> {
  const rows = await db.all(
    record,
    sql`
      select ${columns} from crawl_history
      where doc_id in ${list('bigint', documents)} and delete_pending = ${isDeletion}`,
  );
  return new Map(rows.map((row) => [row.docId, row]));
}

/** Items of the anchor project, which are not documents of their own. */
export const isAnchor = ({ accessKey }: ProcessingRecord): boolean => accessKey?.startsWith('anchor:') ?? false;
