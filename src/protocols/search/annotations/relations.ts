import { sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../../procedure/relations/relation.ts';
import { datetime, int, nvarchar } from '../../../tds/types/index.ts';

const annotation = {
  AnnotationText: stored(orNull(nvarchar(1024)), 'annotation_text'),
  AnnotationNumeric: stored(int, 'annotation_numeric'),
  Pid: stored(int, 'pid'),
  LCID: stored(int, 'lcid'),
  UpdateTime: stored(datetime, 'update_time'),
};

/** The sets of 3.1.1.9, which clients fill themselves, 3.1.1.10 and 3.1.1.37. */
export const annotationRelations: readonly Relation[] = [
  relation({
    name: 'MSSAnnotationsPending',
    from: sql`annotations_pending`,
    changes: { table: 'annotations_pending', allow: ['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'], rowId: 'id' },
    columns: {
      TargetDisplayURL: stored(nvarchar(1500), 'target_display_url', { key: 'target_display_key' }),
      TargetDisplayHash: stored(int, 'target_display_hash'),
      TargetDocID: stored(orNull(int), 'target_doc_id'),
      ...annotation,
    },
  }),
  relation({
    name: 'PendingAnnotationsStatus',
    from: sql`annotations_pending_status`,
    columns: {
      ObsoleteTime: stored(orNull(datetime), 'obsolete_time'),
      LastUpdateTime: stored(orNull(datetime), 'last_update_time'),
      LastFullUpdateTime: stored(orNull(datetime), 'last_full_update_time'),
      Status: stored(int, 'status'),
    },
  }),
  relation({
    name: 'Annotations',
    from: sql`annotations`,
    indexes: [['TargetDocId', 'Pid']],
    columns: { TargetDocId: stored(int, 'target_doc_id'), ...annotation },
  }),
];
