import { sql } from '../../engine/sql.ts';
import { orNull } from '../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../procedure/relations/relation.ts';
import { bigint, datetime, int, uniqueidentifier } from '../../tds/types/index.ts';
import { millisecondsInAnHour } from './item-counts.ts';

/**
 * What only the translation service counts (3.1.5.8, 3.1.5.17): items per partition and hour, and how many were
 * allowed.
 */
export const countRelations: readonly Relation[] = [
  relation({
    name: 'ItemCounts',
    from: sql`item_counts`,
    primaryKey: ['Hour', 'PartitionId'],
    columns: {
      Hour: { type: datetime, sql: sql`(hour * ${millisecondsInAnHour})` },
      PartitionId: stored(uniqueidentifier, 'partition_id'),
      Items: stored(bigint, 'items'),
    },
  }),
  relation({
    name: 'ItemLimits',
    from: sql`item_limits`,
    columns: {
      // NULL for the limit of all partitions together.
      PartitionId: { type: orNull(uniqueidentifier), sql: sql`nullif(partition_id, '')` },
      MaxItemsPerDay: stored(int, 'most'),
    },
  }),
];
