import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { ComponentName, ProjectName } from './params.ts';

export const completeStatusChange = procedure({
  name: 'proc_MSS_CompleteStatusChange',
  section: 'MS-SQLPGAT2 3.1.5.6',
  summary: 'Records that a component has completed the requested status change in a project.',
  access: 'write',
  params: { ComponentName, ProjectName, RemoveRecord: nullable(int, '1 to forget the component in this project.') },
  outcomes: { done: { code: 0, meaning: 'The change is complete, or there is no such component.' } },
  async handle({ db }, { ComponentName: component, ProjectName: project, RemoveRecord }) {
    if (component === null || project === null) return { outcome: 'done' };
    const named = sql`component_name_key = ${fold(component)} and project_name_key = ${fold(project)}`;
    if (RemoveRecord === 1) {
      await db.run(sql`delete from component_activity where ${named}`);
    } else {
      await db.run(sql`
        update component_activity
        set have_reset_request = 0, cpr_master_merge = dpr_master_merge, cpr_crawls = dpr_crawls
        where ${named}`);
    }
    return { outcome: 'done' };
  },
});
