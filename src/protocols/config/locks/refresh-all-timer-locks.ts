import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

export const refreshAllTimerLocks = procedure({
  name: 'proc_RefreshAllTimerLocks',
  section: 'MS-WSSCFGD2 3.1.5.57',
  summary: 'Renews the lease on all job locks that a server holds.',
  access: 'write',
  params: {
    ServerId: nullable(uniqueidentifier, 'The server.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'The leases begin anew, if the server holds locks.' } },
  async handle({ db, now }, { ServerId }) {
    // Marked locks were given up: renewed, they would never expire and nobody could have the job again.
    await db.run(sql`update job_locks set lock_time = ${now} where server_id = ${ServerId} and marked = 0`);
    return { outcome: 'done' };
  },
});
