import { list, type Sql, sql, table } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { isFoundation } from '../../stage.ts';
import { hresult } from '../values.ts';
import type { ProcessingRecord } from './record.ts';
import type { Committed } from './transaction.ts';

/** A deleted document, and its previous record of the history. */
export interface Deleted {
  readonly transaction: Committed;
  readonly before: ProcessingRecord;
}

/**
 * Deletes documents that are not folders with their dependent rows, as `deleteDocument` does for one: one statement per
 * kind of change, all of them sent together.
 */
export async function deleteTogether(call: Call, deleted: readonly Deleted[]): Promise<void> {
  if (deleted.length === 0) return;
  await call.db.runAll([...forgettingUrls(deleted), ...noting(deleted), ...removing(call, deleted)]);
}

const urlKeys = { hash: 'bigint', key: 'text' } as const;

/** A URL that was deleted before is deleted now; if one occurs twice, the last counts. */
function forgettingUrls(deleted: readonly Deleted[]): Sql[] {
  const urls = new Map(deleted.map(({ before }) => [`${before.accessHash} ${before.accessKey}`, before]));
  const rows = [...urls.values()].map(({ accessUrl, accessKey, accessHash, hostId, contentSourceId }) => [
    accessUrl,
    accessKey,
    accessHash,
    hostId,
    contentSourceId,
  ]);
  const columns = { url: 'text', key: 'text', hash: 'bigint', host: 'bigint', source: 'bigint' } as const;
  return [
    sql`
      delete from deleted_urls where track_id in (
        select d.track_id from ${table(
          urlKeys,
          [...urls.values()].map((each) => [each.accessHash, each.accessKey]),
        )} u
        join deleted_urls d on d.access_hash = u.hash and d.access_key = u.key)`,
    sql`
      insert into deleted_urls (access_url, access_key, access_hash, host_id, content_source_id)
      select u.url, u.key, u.hash, u.host, u.source from ${table(columns, rows)} u`,
  ];
}

/** Anchors that lead to them have to be processed again. */
function noting(deleted: readonly Deleted[]): Sql[] {
  const rows = (some: readonly Deleted[]) => {
    const names = some.map(({ transaction: { CrawlID, DocID } }) => [CrawlID, DocID]);
    return table({ crawl: 'bigint', doc: 'bigint' }, names);
  };
  const modified = deleted.filter(({ transaction }) => transaction.hrResult !== hresult.notModified);
  return [
    sql`
      insert into changed_targets (crawl_id, doc_id) select c.crawl, c.doc from ${rows(deleted)} c where true
      on conflict (crawl_id, doc_id) do nothing`,
    sql`
      insert into changed_deleted (crawl_id, doc_id) select c.crawl, c.doc from ${rows(deleted)} c where true
      on conflict (crawl_id, doc_id) do update set times = changed_deleted.times + 1`,
    sql`
      insert into changed_committed (crawl_id, doc_id) select c.crawl, c.doc from ${rows(modified)} c where true
      on conflict (crawl_id, doc_id) do nothing`,
  ];
}

function removing(call: Call, deleted: readonly Deleted[]): Sql[] {
  const documents = list(
    'bigint',
    deleted.map(({ before }) => before.docId),
  );
  return [
    sql`delete from annotations_pending where target_doc_id in ${documents}`,
    sql`delete from annotations where target_doc_id in ${documents}`,
    ...(isFoundation(call) ? [] : [sql`delete from anchor_doc_props where doc_id in ${documents}`]),
    sql`delete from crawl_history where doc_id in ${documents}`,
    sql`delete from crawl_queue where doc_id in ${documents} and batch_id = 0`,
    sql`update crawl_history set parent_doc_id = 0 where parent_doc_id in ${documents}`,
    sql`
      insert into free_doc_ids (doc_id)
      select c.doc from ${table(
        { doc: 'bigint' },
        deleted.map(({ before }) => [before.docId]),
      )} c where true
      on conflict (doc_id) do nothing`,
  ];
}
