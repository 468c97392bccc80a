import { sql } from '../../../../engine/sql.ts';
import { orNull } from '../../../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../../../procedure/relation.ts';
import { bigint, int, varbinary } from '../../../../tds/types/index.ts';

/** The Crawl Queue (3.1.1.4) under its name in 3.2.5.4. */
export const queueRelations: readonly Relation[] = [
  relation({
    name: 'MSSCrawlQueue',
    from: sql`crawl_queue`,
    primaryKey: ['SeqID'],
    columns: {
      SeqID: stored(bigint, 'seq_id'),
      CrawlID: stored(int, 'crawl_id'),
      DocID: stored(int, 'doc_id'),
      SourceDocID: stored(orNull(int), 'source_doc_id'),
      StartAddressID: stored(orNull(int), 'start_address_id'),
      ContentSourceID: stored(orNull(int), 'content_source_id'),
      ProjectID: stored(orNull(int), 'project_id'),
      TransactionType: stored(int, 'transaction_type'),
      Scope: stored(orNull(int), 'scope'),
      TransactionFlags: stored(int, 'transaction_flags'),
      BatchID: stored(bigint, 'batch_id'),
      ComponentID: stored(orNull(int), 'component_id'),
      HostDepth: stored(orNull(int), 'host_depth'),
      EnumerationDepth: stored(orNull(int), 'enumeration_depth'),
      ChangeLogBatchID: stored(orNull(int), 'change_log_batch_id'),
      DeleteReason: stored(orNull(int), 'delete_reason'),
      CachedBlob: stored(orNull(varbinary(8000)), 'cached_blob'),
      ErrorID: stored(orNull(int), 'error_id'),
      ErrorLevel: stored(orNull(int), 'error_level'),
    },
  }),
];
