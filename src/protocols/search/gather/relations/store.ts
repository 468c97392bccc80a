import { sql } from '../../../../engine/sql.ts';
import { orNull } from '../../../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../../../procedure/relations/relation.ts';
import { bit, datetime, int, nvarchar } from '../../../../tds/types/index.ts';

const greatestInt = 0x7fffffff;

/** The hosts, errors, identifiers, components and completed crawls of a crawl store (3.1.1.7, 16, 18, 26, 27). */
export const storeRelations: readonly Relation[] = [
  relation({
    name: 'CrawledHosts',
    from: sql`crawled_hosts`,
    primaryKey: ['HostID'],
    columns: {
      HostID: stored(int, 'host_id'),
      HostName: stored(orNull(nvarchar(300)), 'host_name'),
      SuccessCount: stored(int, 'success_count'),
      WarningCount: stored(int, 'warning_count'),
      ErrorCount: stored(int, 'error_count'),
      DeleteCount: stored(int, 'delete_count'),
      LevelHighErrorCount: stored(int, 'level_high_error_count'),
    },
  }),
  relation({
    name: 'ReportedCrawlError',
    from: sql`reported_errors`,
    primaryKey: ['CrawlID', 'DocID'],
    columns: {
      CrawlID: stored(int, 'crawl_id'),
      DocID: stored(int, 'doc_id'),
      ErrorID: stored(orNull(int), 'error_id'),
      MarkDelete: stored(bit, 'mark_delete'),
      ChildrenCount: stored(int, 'children_count'),
      ErrorCount: stored(int, 'error_count'),
      FirstErrorTime: stored(orNull(datetime), 'first_error_time'),
    },
  }),
  relation({
    name: 'CurrentDocIDChunk',
    from: sql`doc_id_chunk`,
    // After the greatest identifier there is no next one: such a chunk is used up permanently.
    where: sql`first_doc_id <= ${greatestInt}`,
    columns: {
      FirstDocID: stored(int, 'first_doc_id'),
      LastDocID: stored(int, 'last_doc_id'),
    },
  }),
  relation({
    name: 'LocalCrawlComponents',
    from: sql`local_components`,
    primaryKey: ['ComponentID'],
    columns: {
      ComponentID: stored(int, 'component_id'),
      Status: stored(int, 'status'),
    },
  }),
  relation({
    name: 'LocalCompletedCrawls',
    from: sql`completed_crawls`,
    primaryKey: ['CrawlID'],
    columns: {
      CrawlID: stored(int, 'crawl_id'),
      Time: stored(datetime, 'time'),
    },
  }),
];
