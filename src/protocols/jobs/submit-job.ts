import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { required } from '../../procedure/param.ts';
import { bigint } from '../../tds/types/index.ts';

/** proc_SubmitJob as all job protocols specify it. */
export const submitJobOf = (section: string, job: string) =>
  procedure({
    name: 'proc_SubmitJob',
    section,
    summary: `Marks a ${job} job as submitted, so that its items may be worked on.`,
    access: 'write',
    bringsWork: true,
    params: { JobId: required(bigint, 'The job.') },
    outcomes: { done: { code: 0, meaning: 'Clients ignore the code.' } },
    async handle({ db }, { JobId }) {
      await db.run(sql`update jobs set submitted = 1 where job_id = ${JobId}`);
      return { outcome: 'done' };
    },
  });
