import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier, varbinary } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

const state = { State: orNull(varbinary('max')) };

export const getTimerTargetInstanceState = procedure({
  name: 'proc_GetTimerTargetInstanceState',
  section: 'MS-WSSCFGD2 3.1.5.45',
  summary: 'Returns the state that a job definition keeps for a target instance.',
  access: 'read',
  params: {
    JobId: nullable(uniqueidentifier, 'The job definition.'),
    TargetInstanceId: nullable(uniqueidentifier, 'The target.'),
    RequestGuid,
  },
  outcomes: { found: { code: 0, meaning: 'One row, or none when the two are not associated.', sets: { state } } },
  handle({ db }, { JobId, TargetInstanceId }) {
    const rows = db.rows(
      state,
      sql`
        select state as "State" from target_instances
        where job_id = ${JobId} and target_instance_id = ${TargetInstanceId}`,
    );
    return { outcome: 'found', sets: { state: rows } };
  },
});
