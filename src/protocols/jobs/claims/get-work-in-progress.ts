import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { bigint, datetime, int, nvarchar, smallint, uniqueidentifier } from '../../../tds/types/index.ts';
import { inOrder } from '../hand-out.ts';

const inProgress = {
  JobId: bigint,
  GroupId: smallint,
  ItemId: int,
  InputFile: nvarchar('max'),
  Worker: orNull(uniqueidentifier),
  Name: orNull(nvarchar(256)),
  StartTime: datetime,
  LeaseUntil: orNull(datetime),
};

export const getWorkInProgress = procedure({
  name: 'GetWorkInProgress',
  schema: 'granary',
  section: 'Granary',
  summary:
    'Lists the items in progress and who works on them; one without a lease was started by a client that does not claim items.',
  access: 'read',
  params: {},
  outcomes: { done: { code: 0, meaning: 'Who works on what.', sets: { Items: inProgress } } },
  handle({ db }) {
    const rows = db.rows(
      inProgress,
      sql`
        select j.job_id as "JobId", i.group_id as "GroupId", i.item_id as "ItemId", i.input_file as "InputFile",
          i.worker as "Worker", w.name as "Name", i.start_time as "StartTime", i.leased_until as "LeaseUntil"
        from jobs j
          join items i on i.open_in = j.job_key and i.start_time is not null
          left join workers w on w.worker = i.worker
        where j.submitted = 1 and j.cancel_time is null and j.running_since is not null
        order by ${inOrder}`,
    );
    return { outcome: 'done', sets: { Items: rows } };
  },
});
