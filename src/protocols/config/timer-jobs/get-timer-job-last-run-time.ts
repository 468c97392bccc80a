import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { nullable, optionalOutput } from '../../../procedure/param.ts';
import { datetime, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

const lastRun = { Started: orNull(datetime) };

export const getTimerJobLastRunTime = procedure({
  name: 'proc_GetTimerJobLastRunTime',
  section: 'MS-WSSCFGD2 3.1.5.41',
  summary: 'Returns when a job definition was last executed, on any server.',
  access: 'read',
  params: {
    JobId: nullable(uniqueidentifier, 'The job definition.'),
    LastRunTime: optionalOutput(datetime, 'Set to the latest start in the history, or to NULL when there is none.'),
    RequestGuid,
  },
  outcomes: { told: { code: 0, meaning: '@LastRunTime is set.' } },
  async handle({ db }, { JobId }) {
    const row = await db.first(
      lastRun,
      sql`select max(start_time) as "Started" from job_history where job_id = ${JobId}`,
    );
    return { outcome: 'told', output: { LastRunTime: row?.Started ?? null } };
  },
});
