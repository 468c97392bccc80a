import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { datetime, int, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { firstRow, rowLimit } from '../row-window.ts';
import { matching } from './job-filter.ts';

const scheduled = {
  ServiceId: uniqueidentifier,
  WebApplicationId: orNull(uniqueidentifier),
  ServerId: uniqueidentifier,
  JobId: uniqueidentifier,
  StartTime: datetime,
};

export const getTimerScheduledJobs = procedure({
  name: 'proc_GetTimerScheduledJobs',
  section: 'MS-WSSCFGD2 3.1.5.43',
  summary: 'Returns one page of the scheduled jobs, the soonest first.',
  access: 'read',
  params: {
    ServiceId: nullable(uniqueidentifier, 'Only jobs of this service; NULL for any.'),
    WebApplicationId: nullable(uniqueidentifier, 'Only jobs of this Web application; NULL for any.'),
    ServerId: nullable(uniqueidentifier, 'Only jobs of this server; NULL for any.'),
    JobId: nullable(uniqueidentifier, 'Only this job definition; NULL for any.'),
    StartRow: nullable(int, 'The index of the first row to return, counted from 0.'),
    MaximumRows: nullable(int, 'The most rows to return; NULL sets no limit.'),
    RequestGuid,
  },
  outcomes: { found: { code: 0, meaning: 'The jobs that were found.', sets: { scheduled } } },
  handle({ db }, input) {
    const rows = db.rows(
      scheduled,
      sql`
        select service_id as "ServiceId", web_application_id as "WebApplicationId", server_id as "ServerId",
          job_id as "JobId", start_time as "StartTime"
        from scheduled_jobs
        where 1 = 1 ${matching(input)}
        order by start_time, job_id, server_id
        limit ${rowLimit(input.MaximumRows)} offset ${firstRow(input.StartRow)}`,
    );
    return { outcome: 'found', sets: { scheduled: rows } };
  },
});
