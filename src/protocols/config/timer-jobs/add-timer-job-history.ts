import { sql } from '../../../engine/sql.ts';
import type { Call } from '../../../procedure/call.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { bigint, datetime, int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

export const addTimerJobHistory = procedure({
  name: 'proc_AddTimerJobHistory',
  section: 'MS-WSSCFGD2 3.1.5.1',
  summary: 'Adds a history entry for a target instance that a job instance has processed.',
  // The ids of the entries rise in the order of the commits, so that who pages by id misses none.
  access: 'serial',
  params: {
    ServiceId: nullable(uniqueidentifier, 'The service of the job definition.'),
    WebApplicationId: nullable(uniqueidentifier, 'Its Web application; NULL when it belongs only to a service.'),
    WebApplicationName: nullable(nvarchar(255), 'The name of the Web application, or NULL.'),
    JobId: nullable(uniqueidentifier, 'The job definition.'),
    JobTitle: nullable(nvarchar(255), 'Its title.'),
    ServerId: nullable(uniqueidentifier, 'The server that ran the instance.'),
    ServerName: nullable(nvarchar(128), 'The name of the server.'),
    Status: nullable(int, 'How the instance ended: a Job Status Type.'),
    StartTime: nullable(datetime, 'When it began.'),
    EndTime: nullable(datetime, 'When it was finished.'),
    DatabaseName: nullable(nvarchar(128), 'The content database that was processed, or NULL.'),
    ErrorMessage: nullable(nvarchar(1000), 'The message of the error that occurred, or NULL.'),
    RequestGuid,
  },
  outcomes: { added: { code: 0, meaning: 'The entry was added.' } },
  async handle(call, entry) {
    const id = await nextId(call);
    await call.db.run(sql`
      insert into job_history (id, job_id, job_title, web_application_id, web_application_name, service_id, server_id,
        server_name, status, start_time, end_time, database_name, error_message)
      values (${id}, ${entry.JobId}, ${entry.JobTitle}, ${entry.WebApplicationId}, ${entry.WebApplicationName},
        ${entry.ServiceId}, ${entry.ServerId}, ${entry.ServerName}, ${entry.Status}, ${entry.StartTime},
        ${entry.EndTime}, ${entry.DatabaseName}, ${entry.ErrorMessage})`);
    return { outcome: 'added' };
  },
});

async function nextId({ db }: Call): Promise<bigint> {
  const row = await db.first(
    { Last: bigint },
    sql`update job_history_last_id set last = last + 1 where one = 1 returning last as "Last"`,
  );
  if (!row) throw new Error('the table job_history_last_id has lost its row');
  return row.Last;
}
