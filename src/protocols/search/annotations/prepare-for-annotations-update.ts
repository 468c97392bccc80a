import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { output } from '../../../procedure/param.ts';
import { bit, datetime, int } from '../../../tds/types/index.ts';
import { importStatus } from './status.ts';

const kept = { LastUpdateTime: orNull(datetime), LastFullUpdateTime: orNull(datetime), status: int };

export const prepareForAnnotationsUpdate = procedure({
  name: 'proc_MSS_PrepareForAnnotationsUpdate',
  section: 'MS-SQLPGAT2 3.1.5.64',
  summary:
    'Returns when annotations were last imported and whether they may be imported now; if so, prepares for the import.',
  access: 'write',
  params: {
    LastUpdateTime: output(datetime, 'Set to the time of the last import, or to NULL.'),
    LastFullUpdateTime: output(datetime, 'Set to the time of the last full import, or to NULL.'),
    IsReadyForUpdate: output(bit, 'Set to 1 when an import may begin.'),
  },
  outcomes: { done: { code: 0, meaning: 'Without pending annotations, if an import may begin.' } },
  async handle({ db }) {
    const found = await db.first(
      kept,
      sql`
        select last_update_time as "LastUpdateTime", last_full_update_time as "LastFullUpdateTime", status as "status"
        from annotations_pending_status`,
    );
    const IsReadyForUpdate = found === undefined || found.status !== importStatus.processed;
    if (IsReadyForUpdate) await db.run(sql`delete from annotations_pending`);
    const { LastUpdateTime = null, LastFullUpdateTime = null } = found ?? {};
    return { outcome: 'done', output: { LastUpdateTime, LastFullUpdateTime, IsReadyForUpdate } };
  },
});
