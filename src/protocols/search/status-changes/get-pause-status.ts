import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { output } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';
import { ComponentName as componentName, ProjectName as projectName } from './params.ts';

/** The bits of @lIsMasterMergePaused. */
const bits = { always: 0x8000, masterMergePaused: 0x1, resetRequested: 0x2 };

const activity = { crawls: int, masterMerge: int, reset: int };

export const getPauseStatus = procedure({
  name: 'proc_MSS_GetPauseStatus',
  section: 'MS-SQLPGAT2 3.1.5.49',
  summary:
    'Returns whether crawls and master merge of a component and project are paused, and whether a reset is requested.',
  access: 'read',
  params: {
    ComponentName: componentName,
    ProjectName: projectName,
    lAreCrawlsPaused: output(int, '1 where crawls are paused.'),
    lIsMasterMergePaused: output(
      int,
      '0x8000, with 0x1 where master merge is paused and 0x2 where a reset is asked for.',
    ),
  },
  outcomes: done,
  async handle({ db }, { ComponentName, ProjectName }) {
    const row = await db.first(
      activity,
      sql`
        select cpr_crawls as "crawls", cpr_master_merge as "masterMerge", have_reset_request as "reset"
        from component_activity
        where component_name_key = ${fold(ComponentName ?? '')} and project_name_key = ${fold(ProjectName ?? '')}`,
    );
    const masterMerge = row?.masterMerge ? bits.masterMergePaused : 0;
    const reset = row?.reset === 1 ? bits.resetRequested : 0;
    return {
      outcome: 'done',
      output: { lAreCrawlsPaused: row?.crawls ? 1 : 0, lIsMasterMergePaused: bits.always | masterMerge | reset },
    };
  },
});
