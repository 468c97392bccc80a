import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, optional } from '../../../procedure/param.ts';
import { bigint, int, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { rowLimit } from '../row-window.ts';
import { historyEntry, keptEntry } from './history-entry.ts';
import { matching } from './job-filter.ts';

export const getTimerJobHistory = procedure({
  name: 'proc_GetTimerJobHistory',
  section: 'MS-WSSCFGD2 3.1.5.40',
  summary: 'Returns history entries, the newest first, within a range of identifiers.',
  access: 'read',
  params: {
    ServiceId: nullable(uniqueidentifier, 'Only entries of this service; NULL for any.'),
    WebApplicationId: nullable(uniqueidentifier, 'Only entries of this Web application; NULL for any.'),
    ServerId: nullable(uniqueidentifier, 'Only entries of this server; NULL for any.'),
    JobId: nullable(uniqueidentifier, 'Only entries of this job definition; NULL for any.'),
    JobStatus: optional(int, null, 'Only entries that ended with this Job Status Type; NULL for any.'),
    MaximumId: nullable(bigint, 'The greatest identifier to return; NULL sets no bound.'),
    MinimumId: nullable(bigint, 'The least identifier to return; NULL sets no bound.'),
    MaximumRows: nullable(int, 'The most rows to return; NULL sets no limit.'),
    RequestGuid,
  },
  outcomes: { found: { code: 0, meaning: 'The entries that were found.', sets: { history: historyEntry } } },
  handle({ db }, input) {
    const { JobStatus, MaximumId, MinimumId, MaximumRows } = input;
    const rows = db.rows(
      historyEntry,
      sql`
        select ${keptEntry}
        from job_history
        where id >= ${MinimumId ?? 0n} ${matching(input)}
          ${MaximumId === null ? sql`` : sql`and id <= ${MaximumId}`}
          ${JobStatus === null ? sql`` : sql`and status = ${JobStatus}`}
        order by id desc
        limit ${rowLimit(MaximumRows)}`,
    );
    return { outcome: 'found', sets: { history: rows } };
  },
});
