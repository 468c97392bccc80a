import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { bit, datetime, int, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { expiredBefore, statusFor } from './lease.ts';
import { lockStatus } from './lock-status.ts';

const jobLock = { ServerId: uniqueidentifier, LockTime: datetime, Marked: bit };

export const addTimerLockForJob = procedure({
  name: 'proc_AddTimerLockForJob',
  section: 'MS-WSSCFGD2 3.1.5.2',
  summary: 'Requests the lock of a job definition for a server.',
  access: 'write',
  params: {
    JobId: nullable(uniqueidentifier, 'The job definition.'),
    ServerId: nullable(uniqueidentifier, 'The server that asks.'),
    LockTimeout: nullable(int, 'The age in minutes beyond which the lock of another server counts as expired.'),
    LockStatus: output(int, 'Set to a Lock Status Type: 2 and 3 mean that the server has the lock now.'),
    LockExpiredServerId: output(uniqueidentifier, 'Set to the server whose expired lock was overtaken, or to NULL.'),
    RequestGuid,
  },
  outcomes: {
    answered: { code: 0, meaning: '@LockStatus tells who has the lock.' },
    failed: { code: 167, meaning: 'The state of the lock could not be told: job or server is NULL.' },
  },
  async handle({ db, now }, { JobId, ServerId, LockTimeout }) {
    if (JobId === null || ServerId === null)
      return { outcome: 'failed', output: { LockStatus: lockStatus.failed, LockExpiredServerId: null } };

    const present = await db.first(
      jobLock,
      sql`select server_id as "ServerId", lock_time as "LockTime", marked as "Marked" from job_locks where job_id = ${JobId}`,
    );
    const status = statusFor(ServerId, present, expiredBefore(now, LockTimeout));
    if (status !== lockStatus.heldByAnother) {
      await db.run(sql`
        insert into job_locks (job_id, server_id, lock_time, marked, lock_timeout)
        values (${JobId}, ${ServerId}, ${now}, 0, ${LockTimeout})
        on conflict (job_id) do update set
          server_id = excluded.server_id, lock_time = excluded.lock_time, marked = excluded.marked,
          lock_timeout = excluded.lock_timeout`);
    }
    // A marked lock was given up, so there is nobody to clean up after.
    const overtaken = status === lockStatus.overtaken && present?.Marked === false ? present.ServerId : null;
    return { outcome: 'answered', output: { LockStatus: status, LockExpiredServerId: overtaken } };
  },
});
