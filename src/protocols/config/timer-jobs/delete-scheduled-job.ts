import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

export const deleteScheduledJob = procedure({
  name: 'proc_DeleteScheduledJob',
  section: 'MS-WSSCFGD2 3.1.5.9',
  summary: 'Deletes the records of scheduled jobs: of a server, of a job definition, of both, or all.',
  access: 'write',
  params: {
    ServerId: nullable(uniqueidentifier, 'The server; NULL for all.'),
    JobId: nullable(uniqueidentifier, 'The job definition; NULL for all.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'The records are gone, if there were any.' } },
  async handle({ db }, { ServerId, JobId }) {
    await db.run(sql`
      delete from scheduled_jobs
      where ${ServerId === null ? sql`1 = 1` : sql`server_id = ${ServerId}`}
        and ${JobId === null ? sql`1 = 1` : sql`job_id = ${JobId}`}`);
    return { outcome: 'done' };
  },
});
