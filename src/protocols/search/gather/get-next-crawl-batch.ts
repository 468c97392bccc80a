import { ruleBroken } from '../../../base/messages/sql-error.ts';
import type { Db } from '../../../engine/db.ts';
import { eachEngine, type Sql, sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { bigint, int, nvarchar, varbinary } from '../../../tds/types/index.ts';
import { project } from '../crawls/crawl-status.ts';
import { shownText } from '../shown-text.ts';
import { refuseDisabled, refuseDisabledInFarm } from './component-check.ts';

const blob = varbinary(8000);
const item = {
  CrawlID: int,
  SourceDocID: orNull(int),
  DocID: int,
  DisplayURL: orNull(shownText),
  AccessURL: orNull(nvarchar(1500)),
  CompactURL: orNull(nvarchar(40)),
  EndPathFlag: orNull(int),
  StartAddressID: orNull(int),
  HostDepth: orNull(int),
  EnumerationDepth: orNull(int),
  TransactionFlags: int,
  MD5: orNull(int),
  PropMD5: orNull(int),
  UseChangeLog: orNull(int),
  IndexType: orNull(int),
  LastModifiedTime: orNull(bigint),
  FolderDelCount: orNull(int),
  Reserved1: orNull(bigint),
  Reserved2: orNull(bigint),
  Reserved3: orNull(int),
  Reserved4: orNull(int),
  TransactionType: int,
  LCID: orNull(int),
  SeqID: bigint,
  ChangeLogCookie: orNull(blob),
  ChangeLogCookieType: orNull(int),
  ChangeLogBatchID: orNull(int),
  Scope: orNull(int),
  DocPropsMD5: orNull(bigint),
  Retry: orNull(int),
  RetryCount: orNull(int),
  DocPropsBlob: orNull(blob),
  HostID: orNull(int),
  ParentHostID: orNull(int),
  LinksBitmap: orNull(int),
  CachedBlob: orNull(blob),
  SecurityID: orNull(nvarchar(40)),
  PHFlags: orNull(int),
  DelayRetryCount: orNull(int),
};

/** The columns of portal content in the history. */
const ofContent = sql`
  h.doc_props_md5 as "DocPropsMD5", h.retry as "Retry", h.retry_count as "RetryCount",
  h.doc_props_blob as "DocPropsBlob", h.host_id as "HostID", h.parent_host_id as "ParentHostID",
  h.links_bitmap as "LinksBitmap", q.cached_blob as "CachedBlob", h.security_id as "SecurityID", h.ph_flags as "PHFlags"`;

/** The same of the anchor project, whatever the history holds. */
const ofAnchors = sql`
  0 as "DocPropsMD5", h.retry as "Retry", h.retry_count as "RetryCount", null as "DocPropsBlob", -1 as "HostID",
  -1 as "ParentHostID", 0 as "LinksBitmap", null as "CachedBlob", null as "SecurityID", 0 as "PHFlags"`;

/** The most items in a batch, however many were requested: they are all in memory until they are sent. */
const mostItems = 10_000;

export const getNextCrawlBatch = procedure({
  name: 'proc_MSS_GetNextCrawlBatch',
  section: 'MS-SQLPGAT2 3.1.5.45',
  summary: 'Assigns the next free items of the queue to a component, as a batch.',
  access: 'serial',
  params: {
    ComponentID: nullable(int, 'The crawl component.'),
    ProjectID: nullable(int, 'The project (2.2.1.1).'),
    CrawlID: nullable(int, 'The crawl.'),
    BatchSize: nullable(int, 'How many items at most.'),
    BatchID: output(bigint, 'The batch.'),
  },
  outcomes: { done: { code: 1, meaning: 'The items are the batch’s.', sets: { items: item } } },
  async handle(call, { ComponentID, ProjectID, CrawlID, BatchSize }) {
    const { db } = call;
    // Items without an owner would stay taken for ever: items are released when their component dies.
    if (ComponentID === null) throw ruleBroken('A batch belongs to a crawl component.');
    await refuseDisabled(db, ComponentID);
    await refuseDisabledInFarm(call, ComponentID);
    if (BatchSize !== null && BatchSize < 0) throw ruleBroken(`A batch cannot have ${BatchSize} items.`);
    const isAnchors = ProjectID === project.anchor;
    const batch = await newBatch(db);
    await take(db, batch, ComponentID, CrawlID, Math.min(BatchSize ?? 0, mostItems));
    const items = db.rows(
      item,
      sql`
        select q.crawl_id as "CrawlID", q.source_doc_id as "SourceDocID", q.doc_id as "DocID",
          substr(h.display_url, 1, 1500) as "DisplayURL", h.access_url as "AccessURL", h.compact_url as "CompactURL",
          h.end_path_flag as "EndPathFlag", q.start_address_id as "StartAddressID", q.host_depth as "HostDepth",
          q.enumeration_depth as "EnumerationDepth", q.transaction_flags as "TransactionFlags", h.md5 as "MD5",
          h.prop_md5 as "PropMD5", h.use_change_log as "UseChangeLog", ${isAnchors ? sql`0` : sql`h.index_type`} as "IndexType",
          h.last_modified_time as "LastModifiedTime", h.folder_del_count as "FolderDelCount", null as "Reserved1",
          null as "Reserved2", null as "Reserved3", null as "Reserved4", q.transaction_type as "TransactionType",
          h.lcid as "LCID", q.seq_id as "SeqID", h.change_log_cookie as "ChangeLogCookie",
          h.change_log_cookie_type as "ChangeLogCookieType", q.change_log_batch_id as "ChangeLogBatchID",
          q.scope as "Scope", ${isAnchors ? ofAnchors : ofContent},
          h.delay_retry_count as "DelayRetryCount"
        from crawl_queue q left join crawl_history h on h.doc_id = q.doc_id
        where q.batch_id = ${batch} and q.batch_id <> 0
        order by q.seq_id`,
    );
    return { outcome: 'done', output: { BatchID: batch }, sets: { items } };
  },
});

async function newBatch(db: Db): Promise<bigint> {
  const row = await db.first(
    { batch: bigint },
    sql`update last_batch set batch_id = batch_id + 1 where one = 1 returning batch_id as "batch"`,
  );
  if (row === undefined) throw new Error('The number of the last batch is gone.');
  return row.batch;
}

/**
 * Takes the first free items, in queue order. An item whose document is in another batch waits until that is committed,
 * so that no two components work on one document.
 */
async function take(db: Db, batch: bigint, component: number, crawl: number | null, size: number): Promise<void> {
  const free = (taken: Sql) => sql`
    select q.seq_id from crawl_queue q where q.crawl_id = ${crawl} and q.batch_id = 0 and ${taken}
    order by q.seq_id limit ${size}`;
  const isElsewhere = sql`exists (select 1 from crawl_queue t where t.doc_id = q.doc_id and t.batch_id <> 0)`;
  // PostgreSQL keeps the plan that it made while the queue was empty: each part is answered once, however many rows
  // have come. Its index keeps the batches that ended until the next vacuum: they are passed over from the oldest one
  // that has not.
  const oldest = sql`(select min(o.batch_id) from crawl_queue o where o.batch_id > 0)`;
  const elsewhere = sql`(
    select t.doc_id from crawl_queue t where t.batch_id <> 0 and t.batch_id between ${oldest} and ${batch})`;
  await db.run(sql`
    update crawl_queue set batch_id = ${batch}, component_id = ${component}
    where seq_id ${eachEngine({
      sqlite: sql`in (${free(sql`not ${isElsewhere}`)})`,
      postgres: sql`= any (array(${free(sql`q.doc_id not in ${elsewhere}`)}))`,
    })}`);
}
