import { sql } from '../../../engine/sql.ts';
import type { Call } from '../../../procedure/call.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { int, nvarchar } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { objectExists } from '../objects/lookup.ts';
import { jobStatus } from './job-status.ts';
import { isRunningJob, type RunningJobKey, runningJobParams } from './running-job.ts';

export const startTimerRunningJob = procedure({
  name: 'proc_StartTimerRunningJob',
  section: 'MS-WSSCFGD2 3.1.5.63',
  summary: 'Records that a job instance has started on a server, or resumes where a paused one stopped.',
  access: 'write',
  params: {
    ServiceId: runningJobParams.ServiceId,
    VirtualServerId: runningJobParams.VirtualServerId,
    JobId: runningJobParams.JobId,
    JobTitle: nullable(nvarchar(255), 'The title of the job definition.'),
    ServerId: runningJobParams.ServerId,
    TargetCount: nullable(int, 'How many target instances the instance will process.'),
    CurrentTarget: output(int, 'Set to the number of targets that a paused instance had processed, else to 0.'),
    RequestGuid,
  },
  outcomes: {
    started: { code: 0, meaning: 'The instance is running.' },
    refused: {
      code: 31,
      meaning: 'It cannot be started: the job is not stored, a needed value is NULL, or the count below 0.',
    },
  },
  async handle(call, input) {
    const { ServiceId, VirtualServerId, JobId, JobTitle, ServerId, TargetCount } = input;
    const output = { CurrentTarget: 0 };
    if (ServiceId === null || JobId === null || ServerId === null) return { outcome: 'refused', output };
    if (TargetCount === null || TargetCount < 0) return { outcome: 'refused', output };
    if (!(await objectExists(call.db, JobId))) return { outcome: 'refused', output };

    const resumedAt = await resume(call, input, { JobTitle, TargetCount });
    if (resumedAt !== undefined) return { outcome: 'started', output: { CurrentTarget: resumedAt } };

    // What an earlier instance left here is replaced: a server that was killed must be able to start again.
    await call.db.run(sql`
      insert into running_jobs (job_id, server_id, service_id, web_application_id, job_title, status, start_time,
        current_target, target_count, current_target_percent_done)
      values (${JobId}, ${ServerId}, ${ServiceId}, ${VirtualServerId}, ${JobTitle}, ${jobStatus.running}, ${call.now},
        0, ${TargetCount}, null)
      on conflict (job_id, server_id) do update set
        service_id = excluded.service_id, web_application_id = excluded.web_application_id,
        job_title = excluded.job_title, status = excluded.status, start_time = excluded.start_time,
        current_target = excluded.current_target, target_count = excluded.target_count,
        current_target_percent_done = excluded.current_target_percent_done`);
    return { outcome: 'started', output };
  },
});

/** Sets a paused instance with the same number of targets running again and returns how many it has processed. */
async function resume(
  { db }: Call,
  key: RunningJobKey,
  { JobTitle, TargetCount }: { readonly JobTitle: string | null; readonly TargetCount: number },
): Promise<number | undefined> {
  const row = await db.first(
    { CurrentTarget: int },
    sql`
      update running_jobs set status = ${jobStatus.running}, job_title = ${JobTitle}
      where ${isRunningJob(key)} and status = ${jobStatus.paused} and target_count = ${TargetCount}
      returning current_target as "CurrentTarget"`,
  );
  return row?.CurrentTarget;
}
