import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

export const deleteTimerTargetInstances = procedure({
  name: 'proc_DeleteTimerTargetInstances',
  section: 'MS-WSSCFGD2 3.1.5.13',
  summary: 'Removes all target instances from a job definition.',
  access: 'write',
  params: {
    JobId: nullable(uniqueidentifier, 'The job definition; NULL removes nothing.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'The job definition has no target any more.' } },
  async handle({ db }, { JobId }) {
    await db.run(sql`delete from target_instances where job_id = ${JobId}`);
    return { outcome: 'done' };
  },
});
