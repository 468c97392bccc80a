import { sql } from '../../engine/sql.ts';
import { orNull, procedure } from '../../procedure/declare.ts';
import { nullable, optional } from '../../procedure/param.ts';
import { bigint, bit, datetime, int, nvarchar, smallint, uniqueidentifier } from '../../tds/types/index.ts';
import { isThere, notSwitchedOff } from '../jobs/item-class.ts';

const items = {
  ItemId: int,
  StartTime: orNull(datetime),
  StopTime: orNull(datetime),
  ErrorCode: orNull(int),
  InputFile: nvarchar('max'),
  OutputFile: orNull(nvarchar('max')),
};

export const getItems = procedure({
  name: 'proc_GetItems',
  section: 'MS-WORDSSP 3.1.5.9',
  summary: 'Lists the items of a group, with a switch for each class of items.',
  access: 'read',
  params: {
    JobId: nullable(bigint, 'The job; NULL is none.'),
    GroupId: nullable(smallint, 'The group; NULL is none.'),
    PartitionId: optional(uniqueidentifier, null, 'Unused.'),
    NotSubmitted: nullable(bit, 'Zero leaves out items of a job neither submitted nor cancelled.'),
    NotStarted: nullable(bit, 'Zero leaves out items not started.'),
    InProgress: nullable(bit, 'Zero leaves out items in progress.'),
    Succeeded: nullable(bit, 'Zero leaves out items that succeeded.'),
    Failed: nullable(bit, 'Zero leaves out items that failed.'),
    Canceled: nullable(bit, 'Zero leaves out unfinished items of a cancelled job.'),
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.', sets: { ResultSet0: items } } },
  handle({ db }, { JobId, GroupId, ...switches }) {
    const rows = db.rows(
      items,
      sql`
        select i.item_id as "ItemId", i.start_time as "StartTime", i.stop_time as "StopTime",
          i.error_code as "ErrorCode", i.input_file as "InputFile", i.output_file as "OutputFile"
        from jobs j join items i on i.job_key = j.job_key
        where j.job_id = ${JobId} and i.group_id = ${GroupId}
          and ${isThere} ${notSwitchedOff(switches)}
        order by i.item_id`,
    );
    return { outcome: 'done', sets: { ResultSet0: rows } };
  },
});
