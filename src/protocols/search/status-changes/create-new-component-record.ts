import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, required } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';
import { componentType } from './component-type.ts';
import { NewComponentName, NewProjectName } from './params.ts';

/** Types of components that have no number: the administration component and a standalone one. */
const withoutNumber: readonly number[] = [componentType.administration, componentType.standalone];

export const createNewComponentRecord = procedure({
  name: 'proc_MSS_CreateNewComponentRecord',
  section: 'MS-SQLPGAT2 3.1.5.10',
  summary: 'Registers a component for a project, paused for the currently requested reasons.',
  access: 'write',
  params: {
    ComponentName: NewComponentName,
    ProjectName: NewProjectName,
    ComponentType: required(int, '0 administration, 1 query, 2 crawl, 3 standalone.'),
    ComponentId: nullable(int, 'The number of a query or crawl component.'),
  },
  outcomes: done,
  async handle({ db }, { ComponentName, ProjectName, ComponentType, ComponentId }) {
    const project = fold(ProjectName);
    const number = withoutNumber.includes(ComponentType) ? null : ComponentId;
    // All records of a project have the same reasons, so any of them will do.
    await db.run(sql`
      insert into component_activity (component_name, component_name_key, project_name, project_name_key, component_type,
        component_id, dpr_master_merge, cpr_master_merge, dpr_crawls, cpr_crawls)
      select ${ComponentName}, ${fold(ComponentName)}, ${ProjectName}, ${project},
        ${ComponentType}, ${number}, merge, merge, crawls, crawls
      from (
        select coalesce(max(dpr_master_merge), 0) as merge, coalesce(max(dpr_crawls), 0) as crawls
        from component_activity where project_name_key = ${project}) wanted
      where true
      on conflict (component_name_key, project_name_key) do update set
        cpr_master_merge = component_activity.dpr_master_merge, cpr_crawls = component_activity.dpr_crawls`);
    return { outcome: 'done' };
  },
});
