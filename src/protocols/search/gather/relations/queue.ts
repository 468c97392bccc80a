import { sql } from '../../../../engine/sql.ts';
import { orNull } from '../../../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../../../procedure/relations/relation.ts';
import { bigint, int, nvarchar, varbinary } from '../../../../tds/types/index.ts';

/**
 * The Crawl Queue (3.1.1.4) under its name in 3.2.5.4. What the set has of security is that of the document: no call
 * sets it for an item.
 */
export const queueRelations: readonly Relation[] = [
  relation({
    name: 'MSSCrawlQueue',
    from: sql`crawl_queue q left join crawl_history h on h.doc_id = q.doc_id`,
    primaryKey: ['SeqID'],
    columns: {
      SeqID: stored(bigint, 'q.seq_id'),
      CrawlID: stored(int, 'q.crawl_id'),
      DocID: stored(int, 'q.doc_id'),
      SourceDocID: stored(orNull(int), 'q.source_doc_id'),
      StartAddressID: stored(orNull(int), 'q.start_address_id'),
      ContentSourceID: stored(orNull(int), 'q.content_source_id'),
      ProjectID: stored(orNull(int), 'q.project_id'),
      TransactionType: stored(int, 'q.transaction_type'),
      Scope: stored(orNull(int), 'q.scope'),
      TransactionFlags: stored(int, 'q.transaction_flags'),
      BatchID: stored(bigint, 'q.batch_id'),
      ComponentID: stored(orNull(int), 'q.component_id'),
      HostDepth: stored(orNull(int), 'q.host_depth'),
      EnumerationDepth: stored(orNull(int), 'q.enumeration_depth'),
      ChangeLogBatchID: stored(orNull(int), 'q.change_log_batch_id'),
      DeleteReason: stored(orNull(int), 'q.delete_reason'),
      CachedBlob: stored(orNull(varbinary(8000)), 'q.cached_blob'),
      SecurityUpdateCrawlID: stored(orNull(int), 'h.security_update_crawl_id'),
      CachedSecurityUpdateCrawlID: stored(orNull(int), 'h.cached_security_update_crawl_id'),
      SecurityID: stored(orNull(nvarchar(40)), 'h.security_id'),
      ErrorID: stored(orNull(int), 'q.error_id'),
      ErrorLevel: stored(orNull(int), 'q.error_level'),
    },
  }),
];
