import type { Bindable } from '../../../../base/stored.ts';
import { list, type Sql, sql, table } from '../../../../engine/sql.ts';
import { parts } from '../../parts.ts';
import { deleteReason } from '../values.ts';
import type { Known } from './known.ts';
import type { Plan, QueueRow } from './plan.ts';
import { linksOf, runsOf } from './runs.ts';

/** Rows per statement: few enough that it takes some milliseconds, since a statement of SQLite blocks everybody. */
export const rowsAtATime = 500;

/** The statements that write the decisions: a few per kind of change, however many links there are. */
export const writing = (plan: Plan): Sql[] => [
  ...parts(plan.added, rowsAtATime).map((added) => addingDocuments(plan.crawl, added)),
  ...parts([...plan.changed], rowsAtATime).map(changingDocuments),
  ...parts(plan.queue, rowsAtATime).map((rows) => queueingItems(plan.crawl, rows)),
  ...notingDeletedUrls(plan),
];

function addingDocuments(crawl: number, added: readonly Plan['added'][number][]): Sql {
  const runs = runsOf(added.map(({ link, docId }) => ({ link: link.id, document: docId })));
  return sql`
    insert into crawl_history (doc_id, crawl_id, start_address_id, content_source_id, project_id, access_url, access_key,
      access_hash, compact_url, compact_key, compact_hash, display_url, display_key, display_hash, transaction_flags,
      host_depth, enumeration_depth, use_change_log, index_type, lcid, prop_md5, end_path_flag, host_id, site_id,
      item_type, parent_doc_id, parent_host_id)
    select l.link_id + n.ahead, ${crawl}, l.start_address_id, l.content_source_id, l.project_id, l.access_url, l.access_key,
      l.access_hash, l.compact_url, l.compact_key, l.compact_hash, l.display_url, l.display_key, l.display_hash,
      coalesce(l.transaction_flags, 0), l.host_depth, l.enumeration_depth, l.use_change_log, l.index_type, l.lcid,
      l.prop_md5, l.end_path_flag, l.host_id, l.site_id, l.item_type, coalesce(l.source_doc_id, -1),
      l.source_host_id
    from ${linksOf(runs)}`;
}

const changed = {
  doc: 'bigint',
  crawl: 'bigint',
  committed: 'bigint',
  secured: 'bigint',
  cached: 'bigint',
  error: 'bigint',
  level: 'bigint',
  parent: 'bigint',
  parent_host: 'bigint',
  start: 'bigint',
  source: 'bigint',
  deleted: 'bigint',
  loses: 'bigint',
} as const;

const changedRow = (record: Known): Bindable[] => [
  record.docId,
  record.crawlId,
  record.commitCrawlId,
  record.securityUpdateCrawlId,
  record.cachedSecurityUpdateCrawlId,
  record.errorId,
  record.errorLevel,
  record.parentDocId,
  record.parentHostId,
  record.startAddressId,
  record.contentSourceId,
  record.deletePending,
  record.losesSecurityId,
];

function changingDocuments(records: readonly Known[]): Sql {
  return sql`
    update crawl_history set
      crawl_id = c.crawl, commit_crawl_id = c.committed, security_update_crawl_id = c.secured,
      cached_security_update_crawl_id = c.cached, error_id = c.error, error_level = c.level, parent_doc_id = c.parent,
      parent_host_id = c.parent_host, start_address_id = c.start, content_source_id = c.source,
      delete_pending = c.deleted, security_id = case when c.loses = 1 then null else security_id end
    from ${table(changed, records.map(changedRow))} c
    where crawl_history.doc_id = c.doc`;
}

const told = ['source_doc', 'type', 'scope', 'flags', 'host_depth', 'enumeration_depth', 'reason'];

const queuedRow = ({ link, docId, known, ...row }: QueueRow) => ({
  link: link.id,
  document: docId,
  rest: [
    known?.sourceDocId ?? null,
    row.transactionType,
    row.scope,
    known?.transactionFlags ?? null,
    known?.hostDepth ?? null,
    known?.enumerationDepth ?? null,
    row.deleteReason,
  ],
});

function queueingItems(crawl: number, rows: readonly QueueRow[]): Sql {
  return sql`
    insert into crawl_queue (crawl_id, doc_id, source_doc_id, start_address_id, content_source_id, project_id,
      transaction_type, scope, transaction_flags, host_depth, enumeration_depth, change_log_batch_id, delete_reason,
      cached_blob)
    select ${crawl}, l.link_id + n.ahead, coalesce(n.source_doc, l.source_doc_id, -1), l.start_address_id,
      l.content_source_id, l.project_id, n.type, n.scope, coalesce(n.flags, l.transaction_flags, 0),
      coalesce(n.host_depth, l.host_depth, 0), coalesce(n.enumeration_depth, l.enumeration_depth, 0),
      coalesce(l.change_log_batch_id, 0), n.reason, case when n.reason is null then l.cached_blob end
    from ${linksOf(runsOf(rows.map(queuedRow)), ...told)}
    order by n.place, l.link_id`;
}

/**
 * The document of a link `l` waits for its deletion, because an earlier link to it was excluded: it is no deleted URL
 * yet.
 */
const isBeingExcluded = sql`exists (
  select 1 from crawl_history h join crawl_queue q on q.doc_id = h.doc_id
  where h.access_hash = l.access_hash and h.access_key = l.access_key and h.delete_pending <> 0
    and coalesce(h.start_address_id, 0) = coalesce(l.start_address_id, 0) and q.delete_reason = ${deleteReason.excluded})`;

function notingDeletedUrls({ deletedUrls }: Plan): Sql[] {
  if (deletedUrls.length === 0) return [];
  const firsts = new Map<string, number>();
  for (const { id, access } of deletedUrls.toReversed()) firsts.set(access, id);
  const ids = list('bigint', [...firsts.values()]);
  const isNew = sql`l.link_id in ${ids} and not ${isBeingExcluded} and not exists (
    select 1 from deleted_urls d where d.access_hash = l.access_hash and d.access_key = l.access_key)`;
  return [
    sql`
    update crawled_hosts set delete_count = delete_count + n.urls
    from (select l.host_id, count(*) as urls from crawl_links l where ${isNew} group by l.host_id) n
    where crawled_hosts.host_id = n.host_id`,
    sql`
    insert into deleted_urls (access_url, access_key, access_hash, host_id, content_source_id)
    select l.access_url, l.access_key, l.access_hash, l.host_id, l.content_source_id from crawl_links l
    where ${isNew} order by l.link_id`,
  ];
}
