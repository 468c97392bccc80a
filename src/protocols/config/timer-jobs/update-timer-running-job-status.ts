import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int, uniqueidentifier } from '../../../tds/types/index.ts';
import { notNull, RequestGuid } from '../common.ts';
import { isJobStatus } from './job-status.ts';

export const updateTimerRunningJobStatus = procedure({
  name: 'proc_UpdateTimerRunningJobStatus',
  section: 'MS-WSSCFGD2 3.1.5.65',
  summary: 'Changes the status of a running job instance, unconditionally or only from a given status.',
  access: 'write',
  params: {
    JobId: nullable(uniqueidentifier, 'The job definition.'),
    ServerId: nullable(uniqueidentifier, 'The server that executes the instance.'),
    NewStatus: nullable(int, 'The Job Status Type to set.'),
    OldStatus: nullable(int, 'Only if the present status is this one; NULL for any.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'The status is set, if there was such an instance.' } },
  async handle({ db }, { JobId, ServerId, NewStatus, OldStatus }) {
    const status = notNull(NewStatus, 'Status', 'TimerRunningJobs', 'UPDATE');
    // The only code is 0, which would claim that readers now find a Job Status Type.
    if (!isJobStatus(status)) throw ruleBroken(`${status} is not a Job Status Type: the values are 0 to 7.`);
    await db.run(sql`
      update running_jobs set status = ${status}
      where job_id = ${JobId} and server_id = ${ServerId}
        ${OldStatus === null ? sql`` : sql`and status = ${OldStatus}`}`);
    return { outcome: 'done' };
  },
});
