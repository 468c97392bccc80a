import { sql } from '../../engine/sql.ts';
import { orNull } from '../../procedure/declare.ts';
import { type Relation, relation } from '../../procedure/relation.ts';
import { bigint, bit, datetime, int, nvarchar, smallint, tinyint, uniqueidentifier } from '../../tds/types/index.ts';
import { isThere } from './item-class.ts';

const text = nvarchar('max');
const job = {
  JobId: bigint,
  PartitionId: orNull(uniqueidentifier),
  CreateTime: datetime,
  CancelTime: orNull(datetime),
  Submitted: bit,
  Name: orNull(text),
  Settings: orNull(text),
};
const group = { JobId: bigint, GroupId: smallint, InputRoot: orNull(text), OutputRoot: orNull(text) };
const item = {
  JobId: bigint,
  GroupId: smallint,
  ItemId: int,
  StartTime: orNull(datetime),
  StopTime: orNull(datetime),
  AttemptsRemaining: tinyint,
  WorkerServerInstance: orNull(uniqueidentifier),
  ErrorCode: orNull(int),
  InputFile: text,
  OutputFile: orNull(text),
};

/**
 * What clients may SELECT from in a database of jobs. The specifications define no tables (2.2.5): these are the three
 * of their data model (3.1.1). The users' tokens are credentials, which only the procedures hand out.
 */
export const jobRelations: readonly Relation[] = [
  relation({
    name: 'Jobs',
    columns: job,
    rows: ({ db }) =>
      db.rows(
        job,
        sql`
          select job_id as "JobId", nullif(partition_id, '') as "PartitionId", create_time as "CreateTime",
            cancel_time as "CancelTime", submitted as "Submitted", name as "Name", settings as "Settings"
          from jobs order by job_id`,
      ),
  }),
  relation({
    name: 'Groups',
    columns: group,
    rows: ({ db }) =>
      db.rows(
        group,
        sql`
          select j.job_id as "JobId", g.group_id as "GroupId", g.input_root as "InputRoot", g.output_root as "OutputRoot"
          from jobs j join groups g on g.job_key = j.job_key order by j.job_id, g.group_id`,
      ),
  }),
  relation({
    name: 'Items',
    columns: item,
    rows: ({ db }) =>
      db.rows(
        item,
        sql`
          select j.job_id as "JobId", i.group_id as "GroupId", i.item_id as "ItemId", i.start_time as "StartTime",
            i.stop_time as "StopTime", i.attempts_remaining as "AttemptsRemaining", i.worker as "WorkerServerInstance",
            i.error_code as "ErrorCode", i.input_file as "InputFile", i.output_file as "OutputFile"
          from jobs j join items i on i.job_key = j.job_key
          where ${isThere}
          order by j.job_id, i.group_id, i.item_id`,
      ),
  }),
];
