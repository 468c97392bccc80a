import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { notNull, RequestGuid } from '../common.ts';
import { objectExists } from '../objects/lookup.ts';

export const addTimerTargetInstance = procedure({
  name: 'proc_AddTimerTargetInstance',
  section: 'MS-WSSCFGD2 3.1.5.3',
  summary: 'Associates a target instance with a job definition, so that the job can be executed on it.',
  access: 'write',
  params: {
    JobId: nullable(uniqueidentifier, 'The job definition.'),
    TargetInstanceID: nullable(uniqueidentifier, 'The target: a server, a content database, or the job itself.'),
    RequestGuid,
  },
  outcomes: {
    added: { code: 0, meaning: 'The job definition exists; the two are associated.' },
    noSuchJob: { code: 31, meaning: 'The job definition does not exist, so nothing was associated.' },
  },
  async handle({ db }, { JobId, TargetInstanceID }) {
    if (!(await objectExists(db, JobId))) return { outcome: 'noSuchJob' };
    const target = notNull(TargetInstanceID, 'TargetInstanceId', 'TimerTargetInstances');
    await db.run(sql`
      insert into target_instances (job_id, target_instance_id) values (${JobId}, ${target})
      on conflict (job_id, target_instance_id) do nothing`);
    return { outcome: 'added' };
  },
});
