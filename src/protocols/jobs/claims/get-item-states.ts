import { sqlError } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { optional, required } from '../../../procedure/param.ts';
import {
  bigint,
  bit,
  datetime,
  int,
  nvarchar,
  smallint,
  tinyint,
  uniqueidentifier,
  varchar,
} from '../../../tds/types/index.ts';
import { everything } from '../hand-out.ts';
import { isThere } from '../item-class.ts';

const states = {
  GroupId: smallint,
  ItemId: int,
  State: varchar(20),
  InputFile: nvarchar('max'),
  OutputFile: orNull(nvarchar('max')),
  StartTime: orNull(datetime),
  StopTime: orNull(datetime),
  ErrorCode: orNull(int),
  Message: orNull(nvarchar(1000)),
  AttemptsRemaining: tinyint,
  Worker: orNull(uniqueidentifier),
  Name: orNull(nvarchar(256)),
};

export const getItemStates = procedure({
  name: 'GetItemStates',
  schema: 'granary',
  section: 'Granary',
  summary: 'Lists the items of a job with the state of each, and the reason for its last failure that its worker gave.',
  access: 'read',
  params: {
    JobId: required(bigint, 'The job.'),
    FailedOnly: optional(bit, false, 'One leaves out all but items that failed.'),
    Most: optional(int, null, 'The most items to list; NULL is no limit.'),
  },
  outcomes: { done: { code: 0, meaning: 'The items, by group and item.', sets: { Items: states } } },
  handle({ db }, { JobId, FailedOnly, Most }) {
    if (Most !== null && Most < 0) throw sqlError(127);
    const rows = db.rows(
      states,
      sql`
        select i.group_id as "GroupId", i.item_id as "ItemId",
          case
            when i.stop_time is not null and i.error_code is not null then 'Failed'
            when i.stop_time is not null then 'Succeeded'
            when j.cancel_time is not null then 'Canceled'
            when j.submitted = 0 then 'NotSubmitted'
            when i.start_time is not null then 'InProgress'
            else 'NotStarted'
          end as "State",
          i.input_file as "InputFile", i.output_file as "OutputFile", i.start_time as "StartTime",
          i.stop_time as "StopTime", i.error_code as "ErrorCode", i.last_message as "Message",
          i.attempts_remaining as "AttemptsRemaining", i.worker as "Worker", w.name as "Name"
        from jobs j join items i on i.job_key = j.job_key left join workers w on w.worker = i.worker
        where j.job_id = ${JobId} and ${isThere}
          ${FailedOnly === true ? sql`and i.stop_time is not null and i.error_code is not null` : sql``}
        order by i.group_id, i.item_id
        limit ${Most ?? everything}`,
    );
    return { outcome: 'done', sets: { Items: rows } };
  },
});
