import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { bit, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { jobStatus } from '../timer-jobs/job-status.ts';

export const deleteAllTimerLocksAndRunningJobs = procedure({
  name: 'proc_DeleteAllTimerLocksAndRunningJobs',
  section: 'MS-WSSCFGD2 3.1.5.7',
  summary: 'Deletes the marked job locks of a server and its running job instances, or all but the paused ones.',
  access: 'write',
  params: {
    ServerId: nullable(uniqueidentifier, 'The server.'),
    KeepPauseJobs: nullable(bit, '1 keeps paused instances and makes pausing ones paused; 0 deletes all.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'The locks and instances are gone, if there were any.' } },
  async handle({ db }, { ServerId, KeepPauseJobs }) {
    await db.run(sql`delete from job_locks where server_id = ${ServerId} and marked = 1`);
    if (KeepPauseJobs === true) {
      await db.run(sql`
        update running_jobs set status = ${jobStatus.paused}
        where server_id = ${ServerId} and status = ${jobStatus.pausing}`);
      await db.run(sql`delete from running_jobs where server_id = ${ServerId} and status <> ${jobStatus.paused}`);
    } else {
      await db.run(sql`delete from running_jobs where server_id = ${ServerId}`);
    }
    return { outcome: 'done' };
  },
});
