import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier, varbinary } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

export const updateTimerTargetInstanceState = procedure({
  name: 'proc_UpdateTimerTargetInstanceState',
  section: 'MS-WSSCFGD2 3.1.5.67',
  summary: 'Sets the state that a job definition keeps for a target instance.',
  access: 'write',
  params: {
    JobId: nullable(uniqueidentifier, 'The job definition.'),
    TargetInstanceId: nullable(uniqueidentifier, 'The target.'),
    State: nullable(varbinary('max'), 'The state, or NULL.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'The state is set, if the two are associated.' } },
  async handle({ db }, { JobId, TargetInstanceId, State }) {
    await db.run(sql`
      update target_instances set state = ${State}
      where job_id = ${JobId} and target_instance_id = ${TargetInstanceId}`);
    return { outcome: 'done' };
  },
});
