import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, required } from '../../../procedure/param.ts';
import { datetime, int } from '../../../tds/types/index.ts';
import { importStatus } from './status.ts';

export const setAnnotationsPendingStatus = procedure({
  name: 'proc_MSS_SetAnnotationsPendingStatus',
  section: 'MS-SQLPGAT2 3.1.5.84',
  summary: 'Sets the status of an import of annotations.',
  access: 'write',
  params: {
    ObsoleteTime: nullable(datetime, 'Annotations that are older are obsolete.'),
    UpdateTime: nullable(datetime, 'The time of the import.'),
    Status: required(int, '1 import done, 2 full import done, 3 pending annotations are processed.'),
  },
  outcomes: { done: { code: 0, meaning: 'It is noted.' } },
  async handle({ db }, { ObsoleteTime, UpdateTime, Status }) {
    if (Status < importStatus.done || Status > importStatus.processed) {
      throw ruleBroken(`${Status} is not a status of pending annotations (3.1.1.10): the values are 1 to 3.`);
    }
    const full =
      Status === importStatus.fullDone ? sql`, last_full_update_time = excluded.last_full_update_time` : sql``;
    await db.run(sql`
      insert into annotations_pending_status (one, obsolete_time, last_update_time, last_full_update_time, status)
      values (1, ${ObsoleteTime}, ${UpdateTime}, ${UpdateTime}, ${Status})
      on conflict (one) do update
      set obsolete_time = excluded.obsolete_time, last_update_time = excluded.last_update_time, status = excluded.status
        ${full}`);
    return { outcome: 'done' };
  },
});
