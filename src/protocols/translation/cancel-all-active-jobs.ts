import { procedure } from '../../procedure/declare.ts';
import { cancelAllActive } from '../jobs/cancel-all.ts';

export const cancelAllActiveJobs = procedure({
  name: 'proc_CancelAllActiveJobs',
  section: 'MS-TSSPROC 3.1.5.3',
  summary: 'Cancels every translation job that has unfinished items or has not been submitted.',
  access: 'write',
  params: {},
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.' } },
  async handle({ db, now }) {
    await cancelAllActive(db, now);
    return { outcome: 'done' };
  },
});
