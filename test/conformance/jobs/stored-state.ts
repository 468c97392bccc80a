import assert from 'node:assert/strict';
import type { Db } from '../../../src/engine/db.ts';
import { sql } from '../../../src/engine/sql.ts';
import { orNull } from '../../../src/procedure/declare.ts';
import {
  bigint,
  bit,
  datetime,
  int,
  nvarchar,
  smallint,
  tinyint,
  uniqueidentifier,
} from '../../../src/tds/types/index.ts';
import type { JobsModel } from './model.ts';

const text = nvarchar('max');
const jobs = {
  JobId: bigint,
  PartitionId: orNull(uniqueidentifier),
  CreateTime: datetime,
  CancelTime: orNull(datetime),
  Submitted: bit,
  Name: orNull(text),
  Settings: orNull(text),
};
const items = {
  JobId: bigint,
  GroupId: smallint,
  ItemId: int,
  StartTime: orNull(datetime),
  StopTime: orNull(datetime),
  AttemptsRemaining: tinyint,
  InputFile: text,
  OutputFile: orNull(text),
  WorkerServerInstance: orNull(uniqueidentifier),
  ErrorCode: orNull(int),
};

/** Compares all that the tables hold with the model, and a job's hints with its items. */
export async function checkState(db: Db, model: JobsModel): Promise<void> {
  const storedJobs = await db.all(
    jobs,
    sql`
      select job_id as "JobId", nullif(partition_id, '') as "PartitionId", create_time as "CreateTime",
        cancel_time as "CancelTime", submitted as "Submitted", name as "Name", settings as "Settings"
      from jobs order by job_key`,
  );
  assert.deepEqual(
    storedJobs,
    model.jobs.map(({ groups: _groups, owner: _owner, ...job }) => ({
      JobId: job.JobId,
      PartitionId: job.PartitionId,
      CreateTime: job.CreateTime,
      CancelTime: job.CancelTime,
      Submitted: job.Submitted,
      Name: job.Name,
      Settings: job.Settings,
    })),
    'the jobs stored',
  );
  const storedItems = await db.all(
    items,
    sql`
      select j.job_id as "JobId", i.group_id as "GroupId", i.item_id as "ItemId", i.start_time as "StartTime",
        i.stop_time as "StopTime", i.attempts_remaining as "AttemptsRemaining", i.input_file as "InputFile",
        i.output_file as "OutputFile", i.worker as "WorkerServerInstance", i.error_code as "ErrorCode"
      from jobs j join items i on i.job_key = j.job_key
      where i.stop_time is null or i.stop_time >= j.expired_before
      order by i.job_key, i.group_id, i.item_id`,
  );
  assert.deepEqual(
    storedItems,
    model.jobs.flatMap(({ JobId, groups }) =>
      [...groups]
        .sort(([one], [other]) => one - other)
        .flatMap(([GroupId, group]) => [...group.items].map(([ItemId, item]) => ({ JobId, GroupId, ItemId, ...item }))),
    ),
    'the items stored',
  );
  await checkHints(db);
}

/** A job that promises too little would never be handed out again, or never expire. */
async function checkHints(db: Db): Promise<void> {
  const wrong = await db.all(
    { JobId: bigint },
    sql`
      select j.job_id as "JobId" from jobs j
      where (j.waiting = 0 and exists (
          select 1 from items i where i.job_key = j.job_key and i.start_time is null and i.stop_time is null))
        or exists (
          select 1 from items i where i.job_key = j.job_key and i.stop_time is null and i.start_time is not null
            and (j.running_since is null or j.running_since > i.start_time))
        or exists (
          select 1 from items i where i.job_key = j.job_key and i.stop_time >= j.expired_before
            and (j.first_stop is null or j.first_stop > i.stop_time or j.stops_until <= i.stop_time))
        or (j.waiting = 1 and not exists (
          select 1 from items i where i.job_key = j.job_key and i.start_time is null and i.stop_time is null))`,
  );
  assert.deepEqual(wrong, [], 'jobs whose hints are wrong');
}
