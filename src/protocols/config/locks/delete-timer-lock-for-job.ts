import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, optional } from '../../../procedure/param.ts';
import { bit, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

export const deleteTimerLockForJob = procedure({
  name: 'proc_DeleteTimerLockForJob',
  section: 'MS-WSSCFGD2 3.1.5.10',
  summary: 'Deletes the lock of a job definition, or marks it for later deletion.',
  access: 'write',
  params: {
    JobId: nullable(uniqueidentifier, 'The job definition.'),
    ServerId: nullable(uniqueidentifier, 'Only if this server has the lock; NULL for whoever has it.'),
    MarkOnly: optional(bit, true, '1 marks the lock, 0 deletes it.'),
    RequestGuid,
  },
  outcomes: {
    deleted: { code: 0, meaning: 'The lock is deleted, or marked.' },
    notDeleted: { code: 31, meaning: 'There was no such lock.' },
  },
  async handle({ db }, { JobId, ServerId, MarkOnly }) {
    const theLock = sql`job_id = ${JobId} ${ServerId === null ? sql`` : sql`and server_id = ${ServerId}`}`;
    const affected =
      MarkOnly === false
        ? await db.run(sql`delete from job_locks where ${theLock}`)
        : await db.run(sql`update job_locks set marked = 1 where ${theLock}`);
    return { outcome: affected > 0 ? 'deleted' : 'notDeleted' };
  },
});
