import { sql } from '../../engine/sql.ts';
import { orNull, procedure } from '../../procedure/declare.ts';
import { nullable, optional, required } from '../../procedure/param.ts';
import { bigint, bit, datetime, int, nvarchar, smallint, uniqueidentifier } from '../../tds/types/index.ts';
import { isThere, notSwitchedOff } from '../jobs/item-class.ts';
import { keptPartition } from '../jobs/partition.ts';

const items = {
  ItemId: int,
  StartTime: orNull(datetime),
  StopTime: orNull(datetime),
  ErrorCode: orNull(int),
  InputFile: nvarchar('max'),
  OutputFile: nvarchar('max'),
};

export const getItems = procedure({
  name: 'proc_GetItems',
  section: 'MS-TSSPROC 3.1.5.9',
  summary: 'Lists the items of a group, with a switch for each class of items.',
  access: 'read',
  params: {
    JobId: required(bigint, 'The job.'),
    GroupId: required(smallint, 'The group.'),
    PartitionId: optional(uniqueidentifier, null, 'The job’s partition; NULL means a job without one.'),
    NotSubmitted: nullable(bit, 'Zero leaves out items of a job neither submitted nor cancelled.'),
    NotStarted: nullable(bit, 'Zero leaves out items not started.'),
    InProgress: nullable(bit, 'Zero leaves out items in progress.'),
    Succeeded: nullable(bit, 'Zero leaves out items that succeeded.'),
    Failed: nullable(bit, 'Zero leaves out items that failed.'),
    Canceled: nullable(bit, 'Zero leaves out unfinished items of a cancelled job.'),
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.', sets: { ResultSet0: items } } },
  handle({ db }, { JobId, GroupId, PartitionId, ...switches }) {
    const rows = db.rows(
      items,
      sql`
        select i.item_id as "ItemId", i.start_time as "StartTime", i.stop_time as "StopTime",
          i.error_code as "ErrorCode", i.input_file as "InputFile", i.output_file as "OutputFile"
        from jobs j join items i on i.job_key = j.job_key
        where j.job_id = ${JobId} and j.partition_id = ${keptPartition(PartitionId)} and i.group_id = ${GroupId}
          and ${isThere} ${notSwitchedOff(switches)}
        order by i.item_id`,
    );
    return { outcome: 'done', sets: { ResultSet0: rows } };
  },
});
