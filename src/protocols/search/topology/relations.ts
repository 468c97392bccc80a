import { sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../../procedure/relations/relation.ts';
import { bit, datetime, int, nvarchar } from '../../../tds/types/index.ts';

/** Components, stores, content sources and hosts, as small as the protocol needs them. */
export const topologyRelations: readonly Relation[] = [
  relation({
    name: 'CrawlComponents',
    from: sql`crawl_components`,
    primaryKey: ['CrawlComponentNumber'],
    columns: {
      CrawlComponentNumber: stored(int, 'number'),
      CrawlStoreOrdinal: stored(int, 'crawl_store'),
      State: stored(int, 'state'),
      DesiredState: stored(int, 'desired_state'),
      Master: stored(bit, 'is_master'),
      ReportTime: stored(orNull(datetime), 'report_time'),
      ScopeCompilationID: stored(int, 'scope_compilation_id'),
    },
  }),
  relation({
    name: 'CrawlStores',
    from: sql`crawl_stores`,
    primaryKey: ['Ordinal'],
    columns: {
      ID: stored(nvarchar(40), 'id'),
      Ordinal: stored(int, 'ordinal'),
      Name: stored(nvarchar(256), 'name'),
      DocCount: stored(int, 'doc_count'),
    },
  }),
  relation({
    name: 'PropertyStores',
    from: sql`property_stores`,
    columns: { ID: stored(nvarchar(40), 'id'), Name: stored(nvarchar(256), 'name') },
  }),
  relation({
    name: 'QueryComponents',
    from: sql`query_components`,
    primaryKey: ['QueryComponentNumber'],
    columns: {
      QueryComponentNumber: stored(int, 'number'),
      IsOffline: stored(bit, 'is_offline'),
      ScopeCompilationID: stored(int, 'scope_compilation_id'),
    },
  }),
  relation({
    name: 'ContentSources',
    from: sql`content_sources`,
    primaryKey: ['ContentSourceID'],
    columns: { ContentSourceID: stored(int, 'id'), Name: stored(nvarchar(256), 'name') },
  }),
  relation({
    name: 'StartAddresses',
    from: sql`start_addresses`,
    primaryKey: ['StartAddressID'],
    columns: {
      StartAddressID: stored(int, 'id'),
      ContentSourceID: stored(int, 'content_source'),
      URL: stored(nvarchar(1500), 'url'),
    },
  }),
  relation({
    name: 'Hosts',
    from: sql`hosts`,
    primaryKey: ['HostID'],
    columns: {
      HostID: stored(int, 'id'),
      HostName: stored(nvarchar(300), 'name'),
      GthrDBID: stored(int, 'crawl_store'),
    },
  }),
];
