import { sql } from '../../../../engine/sql.ts';
import { orNull } from '../../../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../../../procedure/relations/relation.ts';
import { bigint, int, nvarchar, varbinary } from '../../../../tds/types/index.ts';

const url = nvarchar(1500);

/** The Links set (3.1.1.5) under its name in 3.2.5.4: clients load it in bulk. */
export const transactionLinks = relation({
  name: 'MSSTranTempTable0',
  from: sql`crawl_links`,
  primaryKey: ['LinkID'],
  changes: { table: 'crawl_links', allow: ['INSERT', 'UPDATE', 'DELETE'] },
  columns: {
    LinkID: stored(bigint, 'link_id', { identity: true }),
    CrawlID: stored(int, 'crawl_id'),
    SourceDocID: stored(orNull(int), 'source_doc_id'),
    DocID: stored(orNull(int), 'doc_id'),
    HostID: stored(int, 'host_id'),
    SourceHostID: stored(orNull(int), 'source_host_id'),
    StartAddressID: stored(orNull(int), 'start_address_id'),
    ContentSourceID: stored(orNull(int), 'content_source_id'),
    ProjectID: stored(orNull(int), 'project_id'),
    AccessURL: stored(url, 'access_url', { key: 'access_key' }),
    AccessHash: stored(int, 'access_hash'),
    DisplayURL: stored(orNull(url), 'display_url', { key: 'display_key' }),
    DisplayHash: stored(orNull(int), 'display_hash'),
    CompactURL: stored(orNull(nvarchar(40)), 'compact_url', { key: 'compact_key' }),
    CompactHash: stored(orNull(int), 'compact_hash'),
    ItemType: stored(int, 'item_type'),
    CrawlType: stored(orNull(int), 'crawl_type'),
    TransactionType: stored(orNull(int), 'transaction_type'),
    TransactionFlags: stored(orNull(int), 'transaction_flags'),
    Scope: stored(orNull(int), 'scope'),
    HostDepth: stored(orNull(int), 'host_depth'),
    EnumerationDepth: stored(orNull(int), 'enumeration_depth'),
    EndPathFlag: stored(orNull(int), 'end_path_flag'),
    IndexType: stored(orNull(int), 'index_type'),
    LCID: stored(orNull(int), 'lcid'),
    UseChangeLog: stored(orNull(int), 'use_change_log'),
    hrResult: stored(orNull(int), 'hr_result'),
    ParentProcessChangeLog: stored(orNull(int), 'parent_process_change_log'),
    ProtocolSwitch: stored(orNull(int), 'protocol_switch'),
    SourceIsStartAddress: stored(orNull(int), 'source_is_start_address'),
    SourceHostHop: stored(orNull(int), 'source_host_hop'),
    PropMD5: stored(orNull(int), 'prop_md5'),
    SiteID: stored(orNull(int), 'site_id'),
    Host: stored(orNull(nvarchar(300)), 'host'),
    ChangeLogBatchID: stored(orNull(int), 'change_log_batch_id'),
    CachedBlob: stored(orNull(varbinary(8000)), 'cached_blob'),
    FirstLink: stored(orNull(int), 'first_link'),
    AnchorText: stored(orNull(url), 'anchor_text', { key: 'anchor_key' }),
    AnchorHash: stored(orNull(int), 'anchor_hash'),
    Pid: stored(orNull(int), 'pid'),
    InterSite: stored(orNull(int), 'inter_site'),
    LastModifiedTime: stored(orNull(bigint), 'last_modified_time'),
    UserSecurityInfo: stored(orNull(int), 'user_security_info'),
  },
});

/** What clients bring: the Links set (3.1.1.5) under its name in 3.2.5.4, and Colleague Links (3.1.1.6). */
export const linkRelations: readonly Relation[] = [
  transactionLinks,
  relation({
    name: 'MSSColleagueLinks',
    from: sql`colleague_links`,
    primaryKey: ['LinkID'],
    changes: { table: 'colleague_links', allow: ['INSERT', 'UPDATE', 'DELETE'] },
    columns: {
      LinkID: stored(bigint, 'link_id', { identity: true }),
      CrawlID: stored(int, 'crawl_id'),
      SourceDocID: stored(int, 'source_doc_id'),
      SourceUserID: stored(orNull(bigint), 'source_user_id'),
      TargetUserID: stored(orNull(bigint), 'target_user_id'),
      Pid: stored(int, 'pid'),
    },
  }),
];
