import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { jobStatus } from './job-status.ts';
import { isRunningJob, runningJobParams } from './running-job.ts';

export const completeTimerRunningJob = procedure({
  name: 'proc_CompleteTimerRunningJob',
  section: 'MS-WSSCFGD2 3.1.5.5',
  summary: 'Ends a running job instance, or records that it is pausing or paused.',
  access: 'write',
  params: {
    ...runningJobParams,
    Status: nullable(int, 'A Job Status Type: 6 and 7 keep the instance, every other ends it.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'The instance has ended or is pausing, if there was one.' } },
  async handle({ db }, input) {
    const { Status } = input;
    if (Status === jobStatus.pausing || Status === jobStatus.paused) {
      await db.run(sql`update running_jobs set status = ${Status} where ${isRunningJob(input)}`);
    } else {
      await db.run(sql`delete from running_jobs where ${isRunningJob(input)}`);
    }
    return { outcome: 'done' };
  },
});
