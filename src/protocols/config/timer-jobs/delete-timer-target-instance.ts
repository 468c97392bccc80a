import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { bit, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { hasTarget } from './target-instance.ts';

export const deleteTimerTargetInstance = procedure({
  name: 'proc_DeleteTimerTargetInstance',
  section: 'MS-WSSCFGD2 3.1.5.12',
  summary: 'Removes a target instance from one job definition or from all.',
  access: 'write',
  params: {
    JobId: nullable(uniqueidentifier, 'The job definition; NULL for all.'),
    TargetInstanceId: nullable(uniqueidentifier, 'The target.'),
    Exists: output(bit, 'Set to 1 when the job definition still has a target.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'They are not associated any more.' } },
  async handle({ db }, { JobId, TargetInstanceId }) {
    if (JobId === null) {
      await db.run(sql`delete from target_instances where target_instance_id = ${TargetInstanceId}`);
      return { outcome: 'done', output: { Exists: false } };
    }
    await db.run(sql`
      delete from target_instances where job_id = ${JobId} and target_instance_id = ${TargetInstanceId}`);
    return { outcome: 'done', output: { Exists: await hasTarget(db, { JobId, TargetInstanceId: null }) } };
  },
});
