import { sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../../procedure/relations/relation.ts';
import { int, nvarchar } from '../../../tds/types/index.ts';

/** The set of 3.1.1.35. */
export const statusChangeRelations: readonly Relation[] = [
  relation({
    name: 'ComponentActivity',
    from: sql`component_activity`,
    primaryKey: ['ComponentName', 'ProjectName'],
    columns: {
      ComponentName: stored(nvarchar(100), 'component_name', { key: 'component_name_key' }),
      ProjectName: stored(nvarchar(100), 'project_name', { key: 'project_name_key' }),
      HaveResetRequest: stored(int, 'have_reset_request'),
      DPR_MasterMerge: stored(int, 'dpr_master_merge'),
      DPR_Crawls: stored(int, 'dpr_crawls'),
      CPR_MasterMerge: stored(int, 'cpr_master_merge'),
      CPR_Crawls: stored(int, 'cpr_crawls'),
      ComponentType: stored(int, 'component_type'),
      ComponentID: stored(orNull(int), 'component_id'),
    },
  }),
];
