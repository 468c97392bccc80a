import type { Row } from '../../../base/stored.ts';
import { fold } from '../../../base/text/collation.ts';
import type { Db } from '../../../engine/db.ts';
import { type Sql, sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { bit, int } from '../../../tds/types/index.ts';
import { isActive } from './active.ts';
import { componentType } from './component-type.ts';
import { ComponentName, ProjectName } from './params.ts';

const activity = {
  reset: int,
  desiredMerge: int,
  currentMerge: int,
  desiredCrawls: int,
  currentCrawls: int,
};

export const getStatusChangeRequest = procedure({
  name: 'proc_MSS_GetStatusChangeRequest',
  section: 'MS-SQLPGAT2 3.1.5.61',
  summary: 'Returns what a component has to do in a project; other reasons for the same pause take effect at once.',
  access: 'write',
  params: {
    ComponentName,
    ProjectName,
    IsAdmin: nullable(bit, '1 for the administration component, which resets when all crawl components have.'),
    HaveResetRequest: output(int, 'Set to 1 when it is to reset, otherwise to 0.'),
    HavePauseRequest: output(int, 'Set to 1 when it is to pause, otherwise to 0.'),
    PauseLevel: output(int, 'Set to 1 for master merges, to 2 for crawls, to 0 for neither.'),
  },
  outcomes: {
    nothing: { code: 0, meaning: 'There is nothing to do.' },
    change: { code: 1, meaning: 'It has to do what the output parameters say.' },
  },
  async handle({ db }, { ComponentName: component, ProjectName: project, IsAdmin }) {
    if (component === null || project === null) return { outcome: 'nothing', output: nothing };
    const named = sql`component_name_key = ${fold(component)} and project_name_key = ${fold(project)}`;
    await takeOverReasons(db, named);
    const found = await db.first(
      activity,
      sql`
        select have_reset_request as "reset", dpr_master_merge as "desiredMerge", cpr_master_merge as "currentMerge",
          dpr_crawls as "desiredCrawls", cpr_crawls as "currentCrawls"
        from component_activity where ${named}`,
    );
    if (found === undefined) return { outcome: 'nothing', output: nothing };
    const output = requested(found);
    const waits = IsAdmin === true && (await someCrawlComponentResets(db));
    const due = output.HaveResetRequest === 1 || output.PauseLevel !== 0;
    return { outcome: due && !waits ? 'change' : 'nothing', output };
  },
});

const nothing = { HaveResetRequest: 0, HavePauseRequest: 0, PauseLevel: 0 };

/** A pause that continues for other reasons requires no action. */
async function takeOverReasons(db: Db, named: Sql): Promise<void> {
  await db.run(sql`
    update component_activity
    set cpr_master_merge = case when dpr_master_merge <> 0 and cpr_master_merge <> 0
        then dpr_master_merge else cpr_master_merge end,
      cpr_crawls = case when dpr_crawls <> 0 and cpr_crawls <> 0 then dpr_crawls else cpr_crawls end
    where ${named} and have_reset_request = 0 and (
      (dpr_master_merge <> cpr_master_merge and dpr_master_merge <> 0 and cpr_master_merge <> 0)
      or (dpr_crawls <> cpr_crawls and dpr_crawls <> 0 and cpr_crawls <> 0))`);
}

/** The outputs; if both levels begin or end a pause, that of crawls counts. */
function requested(found: Row<typeof activity>) {
  const HaveResetRequest = found.reset === 1 ? 1 : 0;
  const turns = (desired: number, current: number) => desired !== current && (desired === 0 || current === 0);
  const PauseLevel = turns(found.desiredCrawls, found.currentCrawls)
    ? 2
    : turns(found.desiredMerge, found.currentMerge)
      ? 1
      : 0;
  const begins = PauseLevel === 2 ? found.currentCrawls === 0 : PauseLevel === 1 && found.currentMerge === 0;
  return { HaveResetRequest, HavePauseRequest: begins && HaveResetRequest === 0 ? 1 : 0, PauseLevel };
}

async function someCrawlComponentResets(db: Db): Promise<boolean> {
  const found = await db.first(
    { found: int },
    sql`
      select 1 as "found" from component_activity a
      where a.component_type = ${componentType.crawl} and a.have_reset_request = 1 and ${isActive} limit 1`,
  );
  return found !== undefined;
}
