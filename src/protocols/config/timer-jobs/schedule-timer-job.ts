import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { datetime, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { objectExists } from '../objects/lookup.ts';

export const scheduleTimerJob = procedure({
  name: 'proc_ScheduleTimerJob',
  section: 'MS-WSSCFGD2 3.1.5.60',
  summary: 'Records when a server will run a job definition, replacing any earlier record for the two.',
  access: 'write',
  params: {
    ServiceId: nullable(uniqueidentifier, 'The service of the job definition; not NULL.'),
    WebApplicationId: nullable(uniqueidentifier, 'Its Web application; NULL when it belongs only to a service.'),
    ServerId: nullable(uniqueidentifier, 'The server that will run the instance.'),
    JobId: nullable(uniqueidentifier, 'The job definition.'),
    StartTime: nullable(datetime, 'When it will run.'),
    RequestGuid,
  },
  outcomes: {
    scheduled: { code: 0, meaning: 'The job is scheduled.' },
    refused: { code: 31, meaning: 'The job cannot be scheduled: it is not stored, or a needed value is NULL.' },
  },
  async handle({ db }, { ServiceId, WebApplicationId, ServerId, JobId, StartTime }) {
    if (ServiceId === null || ServerId === null || JobId === null || StartTime === null) return { outcome: 'refused' };
    if (!(await objectExists(db, JobId))) return { outcome: 'refused' };
    await db.run(sql`
      insert into scheduled_jobs (job_id, server_id, service_id, web_application_id, start_time)
      values (${JobId}, ${ServerId}, ${ServiceId}, ${WebApplicationId}, ${StartTime})
      on conflict (job_id, server_id) do update set
        service_id = excluded.service_id, web_application_id = excluded.web_application_id,
        start_time = excluded.start_time`);
    return { outcome: 'scheduled' };
  },
});
