import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { optional } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { runningJobParams } from './running-job.ts';

export const deleteTimerRunningJobs = procedure({
  name: 'proc_DeleteTimerRunningJobs',
  section: 'MS-WSSCFGD2 3.1.5.11',
  summary: 'Deletes the running instances of a job definition on one server or on all.',
  access: 'write',
  params: {
    ServiceId: runningJobParams.ServiceId,
    VirtualServerId: runningJobParams.VirtualServerId,
    JobId: runningJobParams.JobId,
    ServerId: optional(uniqueidentifier, null, 'The server; NULL for all.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'The instances are gone, if there were any.' } },
  async handle({ db }, { ServiceId, VirtualServerId, JobId, ServerId }) {
    await db.run(sql`
      delete from running_jobs
      where job_id = ${JobId} and service_id = ${ServiceId}
        and web_application_id is not distinct from ${VirtualServerId}
        ${ServerId === null ? sql`` : sql`and server_id = ${ServerId}`}`);
    return { outcome: 'done' };
  },
});
