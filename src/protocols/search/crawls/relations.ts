import { sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { type Relation, relation, stored, theMoment } from '../../../procedure/relations/relation.ts';
import { bigint, bit, datetime, int, nvarchar } from '../../../tds/types/index.ts';
import { crawlProgress } from './progress.ts';

/** The sets of crawls (3.1.1.1, 17, 19, 25, 28, 41) and crawl errors, under the names of their sets. */
export const crawlRelations: readonly Relation[] = [
  crawlProgress,
  relation({
    name: 'CrawlStatus',
    from: sql`crawls`,
    primaryKey: ['CrawlID'],
    columns: {
      CrawlID: stored(int, 'crawl_id'),
      ProjectID: stored(int, 'project_id'),
      CrawlType: stored(int, 'crawl_type'),
      ContentSourceID: stored(int, 'content_source_id'),
      Status: stored(int, 'status'),
      SubStatus: stored(int, 'sub_status'),
      Request: stored(int, 'request'),
      RequestTime: stored(orNull(datetime), 'request_time'),
      StartTime: stored(orNull(datetime), 'start_time'),
      EndTime: stored(orNull(datetime), 'end_time'),
      MainCrawlID: stored(int, 'main_crawl_id'),
    },
  }),
  relation({
    name: 'CrawlComponentStatus',
    from: sql`crawl_component_status`,
    primaryKey: ['CrawlID', 'ComponentID'],
    columns: {
      CrawlID: stored(int, 'crawl_id'),
      ComponentID: stored(int, 'component_id'),
      Status: stored(int, 'status'),
      IdleSince: stored(orNull(datetime), 'idle_since'),
      SuccessCount: stored(int, 'success_count'),
      WarningCount: stored(int, 'warning_count'),
      ErrorCount: stored(int, 'error_count'),
      DeleteCount: stored(int, 'delete_count'),
      NotModifiedCount: stored(int, 'not_modified_count'),
      SecurityOnlyCount: stored(int, 'security_only_count'),
      SecurityOnlyErrorCount: stored(int, 'security_only_error_count'),
      LevelHighErrorCount: stored(int, 'level_high_error_count'),
      RetryCount: stored(int, 'retry_count'),
    },
  }),
  relation({
    name: 'CrawlStoreStatus',
    from: sql`crawl_store_status`,
    primaryKey: ['CrawlID', 'GthrDBID'],
    columns: {
      GthrDBID: stored(int, 'crawl_store'),
      CrawlID: stored(int, 'crawl_id'),
      JoinTime: stored(datetime, 'join_time'),
    },
  }),
  relation({
    name: 'RequestedDeleteCrawls',
    from: sql`requested_deletes`,
    columns: {
      CrawlID: stored(int, 'crawl_id'),
      ContentSourceID: stored(int, 'content_source_id'),
      StartAddressID: stored(int, 'start_address_id'),
    },
  }),
  relation({
    name: 'CurrentDocIDGroups',
    from: sql`doc_id_groups`,
    primaryKey: ['FirstDocID'],
    columns: {
      FirstDocID: stored(int, 'first_doc_id'),
      LastDocID: stored(int, 'last_doc_id'),
      DBID: stored(int, 'crawl_store'),
      InvalidatedByRefactoring: stored(bit, 'is_invalidated'),
    },
  }),
  relation({
    name: 'CrawlErrors',
    from: sql`crawl_errors`,
    primaryKey: ['ErrorID'],
    columns: {
      ErrorID: stored(int, 'error_id'),
      hrResult: stored(int, 'hr_result'),
      ErrorLevel: stored(int, 'error_level'),
      MarkDelete: stored(bit, 'mark_delete'),
    },
  }),
  relation({
    name: 'Commands',
    from: sql`commands`,
    primaryKey: ['CommandID'],
    // A client requests a master merge by inserting the command: no procedure does (3.1.1.41).
    changes: { table: 'commands', allow: ['INSERT', 'DELETE'] },
    columns: {
      CommandID: stored(bigint, 'command_id', { identity: true }),
      ObjectName: stored(nvarchar(1024), 'object_name', { key: 'object_key' }),
      Description: stored(nvarchar(3072), 'description'),
      Completed: stored(int, 'completed', { byDefault: 0 }),
      CreatedUtcTime: stored(datetime, 'created_time', { byDefault: theMoment }),
      CompletedUtcTime: stored(orNull(datetime), 'completed_time'),
    },
  }),
];
