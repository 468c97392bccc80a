import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { datetime, int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { matching } from './job-filter.ts';

const jobs = {
  ServiceId: uniqueidentifier,
  VirtualServerId: orNull(uniqueidentifier),
  JobId: uniqueidentifier,
  JobTitle: orNull(nvarchar(255)),
  ServerId: uniqueidentifier,
  Status: int,
  StartTime: datetime,
  CurrentTarget: int,
  TargetCount: int,
  CurrentTargetPercentDone: orNull(int),
};

export const getTimerRunningJobs = procedure({
  name: 'proc_GetTimerRunningJobs',
  section: 'MS-WSSCFGD2 3.1.5.42',
  summary: 'Returns how far running job instances have come.',
  access: 'read',
  params: {
    ServiceId: nullable(uniqueidentifier, 'Only instances of this service; NULL for any.'),
    WebApplicationId: nullable(uniqueidentifier, 'Only instances of this Web application; NULL for any.'),
    ServerId: nullable(uniqueidentifier, 'Only instances on this server; NULL for any.'),
    JobId: nullable(uniqueidentifier, 'Only instances of this job definition; NULL for any.'),
    RequestGuid,
  },
  outcomes: { found: { code: 0, meaning: 'The instances that were found.', sets: { jobs } } },
  handle({ db }, input) {
    const rows = db.rows(
      jobs,
      sql`
        select service_id as "ServiceId", web_application_id as "VirtualServerId", job_id as "JobId",
          job_title as "JobTitle", server_id as "ServerId", status as "Status", start_time as "StartTime",
          current_target as "CurrentTarget", target_count as "TargetCount",
          current_target_percent_done as "CurrentTargetPercentDone"
        from running_jobs
        where 1 = 1 ${matching(input)}`,
    );
    return { outcome: 'found', sets: { jobs: rows } };
  },
});
