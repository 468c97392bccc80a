import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { expiredBefore } from './lease.ts';

export const deleteAllMarkedTimerLocks = procedure({
  name: 'proc_DeleteAllMarkedTimerLocks',
  section: 'MS-WSSCFGD2 3.1.5.6',
  summary: 'Deletes the job locks that are marked for deletion and expired.',
  access: 'write',
  params: {
    LockTimeout: nullable(int, 'The age in minutes beyond which a lock counts as expired; NULL deletes none.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'The locks are gone, if there were any.' } },
  async handle({ db, now }, { LockTimeout }) {
    await db.run(sql`delete from job_locks where marked = 1 and lock_time < ${expiredBefore(now, LockTimeout)}`);
    return { outcome: 'done' };
  },
});
