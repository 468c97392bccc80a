import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import type { ProcessingRecord } from './record.ts';
import type { Committed } from './transaction.ts';

/** Reports an error that will lead to a deletion, with the number of documents that depend on this one. */
export async function reportError(
  db: Db,
  { DocID, CrawlID, ErrorID }: Committed,
  before: ProcessingRecord,
): Promise<void> {
  await db.run(sql`
    insert into reported_errors (crawl_id, doc_id, error_id, mark_delete, children_count, error_count, first_error_time)
    select ${CrawlID}, ${DocID}, ${ErrorID}, 0, (
        with recursive children (doc_id) as (
          select h.doc_id from crawl_history h where h.parent_doc_id = ${DocID}
          union select h.doc_id from crawl_history h join children c on h.parent_doc_id = c.doc_id)
        select count(*) from children where doc_id <> ${DocID}),
      ${before.errorCount}, ${before.firstErrorTime}
    where true
    on conflict (crawl_id, doc_id) do update set error_id = excluded.error_id,
      children_count = excluded.children_count, error_count = excluded.error_count,
      first_error_time = excluded.first_error_time`);
}
