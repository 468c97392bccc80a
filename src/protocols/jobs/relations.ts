import { sql } from '../../engine/sql.ts';
import { orNull } from '../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../procedure/relations/relation.ts';
import { bigint, bit, datetime, int, nvarchar, smallint, tinyint, uniqueidentifier } from '../../tds/types/index.ts';
import { isThere } from './item-class.ts';
import { jobProgress, jobsInLine } from './progress.ts';

const text = nvarchar('max');

/**
 * What clients may SELECT from in a database of jobs. The specifications define no tables (2.2.5): these are the three
 * of their data model (3.1.1). The users' tokens are credentials, which only the procedures hand out.
 */
export const jobRelations: readonly Relation[] = [
  relation({
    name: 'Jobs',
    from: sql`jobs`,
    primaryKey: ['JobId'],
    columns: {
      JobId: stored(bigint, 'job_id'),
      PartitionId: { type: orNull(uniqueidentifier), sql: sql`nullif(partition_id, '')` },
      CreateTime: stored(datetime, 'create_time'),
      CancelTime: stored(orNull(datetime), 'cancel_time'),
      Submitted: stored(bit, 'submitted'),
      Name: stored(orNull(text), 'name'),
      Settings: stored(orNull(text), 'settings'),
    },
  }),
  relation({
    name: 'Groups',
    from: sql`jobs j join groups g on g.job_key = j.job_key`,
    primaryKey: ['JobId', 'GroupId'],
    columns: {
      JobId: stored(bigint, 'j.job_id'),
      GroupId: stored(smallint, 'g.group_id'),
      InputRoot: stored(orNull(text), 'g.input_root'),
      OutputRoot: stored(orNull(text), 'g.output_root'),
      JobNumber: stored(bigint, 'g.job_key'),
    },
  }),
  relation({
    name: 'Items',
    from: sql`jobs j join items i on i.job_key = j.job_key`,
    where: isThere,
    primaryKey: ['JobId', 'GroupId', 'ItemId'],
    columns: {
      JobId: stored(bigint, 'j.job_id'),
      GroupId: stored(smallint, 'i.group_id'),
      ItemId: stored(int, 'i.item_id'),
      StartTime: stored(orNull(datetime), 'i.start_time'),
      StopTime: stored(orNull(datetime), 'i.stop_time'),
      AttemptsRemaining: stored(tinyint, 'i.attempts_remaining'),
      WorkerServerInstance: stored(orNull(uniqueidentifier), 'i.worker'),
      ErrorCode: stored(orNull(int), 'i.error_code'),
      InputFile: stored(text, 'i.input_file'),
      OutputFile: stored(orNull(text), 'i.output_file'),
      LastMessage: stored(orNull(nvarchar(1000)), 'i.last_message'),
      // JobProgress.Number: by it a page of items comes off the primary key in order; by JobId, PostgreSQL would sort
      // the job.
      JobNumber: stored(bigint, 'i.job_key'),
    },
  }),
  jobProgress,
  jobsInLine,
];
