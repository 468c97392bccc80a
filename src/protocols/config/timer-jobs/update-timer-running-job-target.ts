import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { isRunningJob, runningJobParams } from './running-job.ts';

export const updateTimerRunningJobTarget = procedure({
  name: 'proc_UpdateTimerRunningJobTarget',
  section: 'MS-WSSCFGD2 3.1.5.66',
  summary: 'Sets how many target instances a running job instance has processed.',
  access: 'write',
  params: {
    ...runningJobParams,
    CurrentTarget: nullable(int, 'How many targets are processed.'),
    RequestGuid,
  },
  outcomes: {
    updated: { code: 0, meaning: 'The number is recorded.' },
    notUpdated: { code: 31, meaning: 'There is no such instance, or the number is NULL or below 0.' },
  },
  async handle({ db }, input) {
    const { CurrentTarget } = input;
    if (CurrentTarget === null || CurrentTarget < 0) return { outcome: 'notUpdated' };
    // The percentage was the finished target's; nothing is known of the next one yet.
    const updated = await db.run(sql`
      update running_jobs set current_target = ${CurrentTarget}, current_target_percent_done = null
      where ${isRunningJob(input)}`);
    return { outcome: updated > 0 ? 'updated' : 'notUpdated' };
  },
});
