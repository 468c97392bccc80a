import { sql } from '../../../engine/sql.ts';
import { int } from '../../../tds/types/index.ts';
import type { Stage } from '../stage.ts';
import { stagedProcedure } from '../staged-procedure.ts';
import { begin } from './admin/begin.ts';
import { complete } from './admin/complete.ts';
import { componentReady, componentReports, setState, tellState } from './admin/component-life.ts';
import {
  componentBusy,
  componentDone,
  componentIdle,
  componentPaused,
  componentResumed,
  componentStarted,
  componentStopped,
} from './admin/component-reports.ts';
import { deleteUnvisited } from './admin/delete-unvisited.ts';
import { disableComponent, disableForRemoval } from './admin/disable-component.ts';
import { joinStore } from './admin/join-store.ts';
import { lookForIdle } from './admin/look-for-idle.ts';
import { lookForSilent } from './admin/look-for-silent.ts';
import { requestDelete, requestPause, requestResume, requestStart, requestStop } from './admin/request-crawl.ts';
import { deleteContentSource, deleteStartAddress } from './admin/request-deletion.ts';
import { reset } from './admin/reset.ts';
import {
  completing,
  deletesPending,
  forbid,
  pausing,
  resuming,
  startAddressesAdded,
  stopped,
  stopping,
} from './admin/set-status.ts';
import { allDone, allPaused, allResumed, allStarted, allStopped } from './admin/when-all-have.ts';

/** The values of @CrawlStage that section 3.1.5.8 lists, and 16, which the sequences of 3.2.5 have instead of 106. */
type AdminStage =
  | 16
  | (91 | 94 | 95 | 96 | 97 | 98 | 100 | 102 | 103 | 104 | 105 | 106 | 108)
  | (110 | 111 | 112 | 113 | 114 | 120 | 121 | 122 | 123 | 130 | 131 | 132 | 133)
  | (140 | 142 | 143 | 144 | 146 | 147 | 148 | 150 | 152 | 160 | 161 | 162 | 164 | 165);

const stages: Readonly<Record<AdminStage, Stage>> = {
  16: componentStarted,
  91: reset,
  94: componentReady,
  95: componentReports,
  96: lookForSilent,
  97: tellState,
  98: setState,
  100: requestStart,
  102: begin,
  103: startAddressesAdded,
  104: allStarted,
  105: forbid,
  106: componentStarted,
  108: joinStore,
  110: requestStop,
  111: stopping,
  112: componentStopped,
  113: allStopped,
  114: stopped,
  120: requestPause,
  121: pausing,
  122: componentPaused,
  123: allPaused,
  130: requestResume,
  131: resuming,
  132: componentResumed,
  133: allResumed,
  140: lookForIdle,
  142: componentIdle,
  143: componentBusy,
  144: deleteUnvisited,
  146: allDone,
  147: componentDone,
  148: complete,
  150: completing,
  152: deletesPending,
  160: deleteContentSource,
  161: deleteStartAddress,
  162: disableComponent,
  164: requestDelete,
  165: disableForRemoval,
};

export const crawlAdmin = stagedProcedure({
  name: 'proc_MSS_CrawlAdmin',
  section: 'MS-SQLPGAT2 3.1.5.8',
  summary: 'Advances a crawl, or reports on a component: the action depends on @CrawlStage.',
  stages,
  bringsWork: true,
  code: 0,
  async usualOutputs({ db }, crawlId) {
    const crawl = await db.first(
      { status: int, subStatus: int },
      sql`select status as "status", sub_status as "subStatus" from crawls where crawl_id = ${crawlId ?? 0}`,
    );
    return { MiscOutputData: crawlId, CrawlStatus: crawl?.status ?? 0, CrawlSubStatus: crawl?.subStatus ?? 0 };
  },
});
