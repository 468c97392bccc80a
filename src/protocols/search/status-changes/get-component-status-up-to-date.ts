import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { ProjectName } from './params.ts';

export const getComponentStatusUpToDate = procedure({
  name: 'proc_MSS_GetComponentStatusUpToDate',
  section: 'MS-SQLPGAT2 3.1.5.19',
  summary: 'Returns whether a component has completed every status change requested of it in a project.',
  access: 'read',
  params: {
    ComponentType: nullable(int, '1 for a query component, 2 for a crawl component (3.1.1.35).'),
    ComponentNumber: nullable(int, 'Its number.'),
    ProjectName,
    UpToDate: output(int, 'Set to 0 while something is left, and to 1 otherwise.'),
  },
  outcomes: { done: { code: 0, meaning: 'The answer is in @UpToDate.' } },
  async handle({ db }, { ComponentType, ComponentNumber, ProjectName: project }) {
    const behind = await db.first(
      { found: int },
      sql`
        select 1 as "found" from component_activity
        where component_type = ${ComponentType} and component_id = ${ComponentNumber}
          and project_name_key = ${project === null ? null : fold(project)}
          and (have_reset_request <> 0 or cpr_master_merge <> dpr_master_merge or cpr_crawls <> dpr_crawls)
        limit 1`,
    );
    return { outcome: 'done', output: { UpToDate: behind === undefined ? 1 : 0 } };
  },
});
