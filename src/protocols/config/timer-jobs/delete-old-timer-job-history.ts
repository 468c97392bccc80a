import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { datetime } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

export const deleteOldTimerJobHistory = procedure({
  name: 'proc_DeleteOldTimerJobHistory',
  section: 'MS-WSSCFGD2 3.1.5.8',
  summary: 'Deletes the history entries of job instances that ended before a date.',
  access: 'write',
  params: {
    DeleteBeforeDate: nullable(
      datetime,
      'Entries that ended (without an end: began) before this moment go; NULL deletes none.',
    ),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'The old entries are gone, if there were any.' } },
  async handle({ db }, { DeleteBeforeDate }) {
    await db.run(sql`
      delete from job_history
      where end_time < ${DeleteBeforeDate} or (end_time is null and start_time < ${DeleteBeforeDate})`);
    return { outcome: 'done' };
  },
});
