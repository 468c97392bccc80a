import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { isRunningJob, runningJobParams } from './running-job.ts';

export const updateTimerRunningJobProgress = procedure({
  name: 'proc_UpdateTimerRunningJobProgress',
  section: 'MS-WSSCFGD2 3.1.5.64',
  summary: 'Sets how much of its current target a running job instance has processed.',
  access: 'write',
  params: {
    ...runningJobParams,
    CurrentTargetPercentDone: nullable(int, 'The percentage, from 0 to 100; NULL when it is unknown.'),
    RequestGuid,
  },
  outcomes: {
    updated: { code: 0, meaning: 'The progress is recorded.' },
    notUpdated: { code: 31, meaning: 'There is no such instance, or the percentage is out of range.' },
  },
  async handle({ db }, input) {
    const { CurrentTargetPercentDone: percent } = input;
    if (percent !== null && (percent < 0 || percent > 100)) return { outcome: 'notUpdated' };
    const updated = await db.run(
      sql`update running_jobs set current_target_percent_done = ${percent} where ${isRunningJob(input)}`,
    );
    return { outcome: updated > 0 ? 'updated' : 'notUpdated' };
  },
});
