import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, optional, output } from '../../../procedure/param.ts';
import { datetime, int, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { expiredBefore, statusFor } from './lease.ts';
import { lockStatus } from './lock-status.ts';

const databaseLock = { ServerId: uniqueidentifier, LockTime: datetime };

/** An addition: the specification mentions it only in its example (docs/readings/config-timer-and-sites.md). */
export const getTimerLock = procedure({
  name: 'proc_GetTimerLock',
  section: 'Addition to MS-WSSCFGD2 4.3.1',
  summary: 'Requests the lock of a content database for a server.',
  access: 'write',
  params: {
    ServerId: nullable(uniqueidentifier, 'The server that asks.'),
    LockTimeout: nullable(int, 'The age in minutes beyond which the lock of another server counts as expired.'),
    LockStatus: output(int, 'Set to a Lock Status Type: 2 and 3 mean that the server has the lock now.'),
    RequestGuid,
    ContentDatabaseId: optional(uniqueidentifier, null, 'The content database; NULL for the one of the call.'),
  },
  outcomes: {
    answered: { code: 0, meaning: '@LockStatus tells who has the lock.' },
    failed: { code: 167, meaning: 'The state of the lock could not be told: the server is NULL.' },
  },
  async handle({ db, now }, { ServerId, LockTimeout, ContentDatabaseId }) {
    if (ServerId === null) return { outcome: 'failed', output: { LockStatus: lockStatus.failed } };
    const id = ContentDatabaseId ?? '';
    const present = await db.first(
      databaseLock,
      sql`
        select server_id as "ServerId", lock_time as "LockTime" from content_database_locks
        where content_database_id = ${id}`,
    );
    const status = statusFor(ServerId, present, expiredBefore(now, LockTimeout));
    if (status !== lockStatus.heldByAnother) {
      await db.run(sql`
        insert into content_database_locks (content_database_id, server_id, lock_time, lock_timeout)
        values (${id}, ${ServerId}, ${now}, ${LockTimeout})
        on conflict (content_database_id) do update set
          server_id = excluded.server_id, lock_time = excluded.lock_time, lock_timeout = excluded.lock_timeout`);
    }
    return { outcome: 'answered', output: { LockStatus: status } };
  },
});
