import { sql } from '../../../engine/sql.ts';
import { type Relation, relation, stored } from '../../../procedure/relations/relation.ts';
import { bit, datetime, int, nvarchar } from '../../../tds/types/index.ts';

/** The Raw Query Log Set (MS-SQLPQ2 3.1.1.4), which the front end fills. */
export const queryLogRelations: readonly Relation[] = [
  relation({
    name: 'RawQueryLog',
    from: sql`raw_query_log`,
    indexes: [['Time']],
    changes: { table: 'raw_query_log', allow: ['INSERT', 'DELETE'], rowId: 'id' },
    columns: {
      URL: stored(nvarchar(1024), 'url'),
      QueryString: stored(nvarchar(1024), 'query_string'),
      QueryLCID: stored(int, 'query_lcid'),
      Time: stored(datetime, 'logged_at'),
      Clicked: stored(bit, 'clicked'),
      ClickedLast: stored(bit, 'clicked_last', { byDefault: false }),
    },
  }),
];
