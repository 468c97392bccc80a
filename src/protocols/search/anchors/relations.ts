import { sql } from '../../../engine/sql.ts';
import { type Relation, relation, stored } from '../../../procedure/relations/relation.ts';
import { int, varbinary } from '../../../tds/types/index.ts';
import { longestTrackerBlob } from './tracker-blob.ts';

/** The set of 3.1.1.38. */
export const anchorRelations: readonly Relation[] = [
  relation({
    name: 'AnchorDocumentProperties',
    from: sql`anchor_doc_props`,
    primaryKey: ['DocId'],
    columns: {
      DocId: stored(int, 'doc_id'),
      PropertyTrackerBlob: stored(varbinary(longestTrackerBlob), 'property_tracker_blob'),
    },
  }),
];
