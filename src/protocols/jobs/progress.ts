import { sql } from '../../engine/sql.ts';
import { orNull } from '../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../procedure/relations/relation.ts';
import { bigint, bit, datetime, int, nvarchar, uniqueidentifier } from '../../tds/types/index.ts';
import { inLine } from './hand-out.ts';

/** The state of a job, as JobProgress.State numbers it. */
export const jobState = {
  notSubmitted: 0,
  waiting: 1,
  inProgress: 2,
  done: 3,
  cancelled: 4,
  /** Submitted and empty. */
  empty: 5,
} as const;

/** Open and failed items are counted up to here: the cost must not depend on the size of a job. */
export const mostCounted = 1000;

// Scalar subqueries: a planner that turns an `exists` into a join may read every open item of the database.
const waits = sql`(select 1 from items i where i.open_in = j.job_key and i.start_time is null limit 1) is not null`;
const runs = sql`(select 1 from items i where i.open_in = j.job_key and i.start_time is not null limit 1) is not null`;

/**
 * The progress of each job, for people: a few index lookups per job, however many items it has. Items is the number
 * ever added; OpenItems counts those without a StopTime, FailedItems those that ended with an error, both up to 1001,
 * which means "more than 1000".
 */
export const jobProgress: Relation = relation({
  name: 'JobProgress',
  type: 'view',
  from: sql`jobs j`,
  primaryKey: ['JobId'],
  uniqueKeys: [['Number']],
  columns: {
    // Later jobs have greater numbers: the primary key below orders them by age.
    Number: stored(bigint, 'j.job_key'),
    JobId: stored(bigint, 'j.job_id'),
    PartitionId: { type: orNull(uniqueidentifier), sql: sql`nullif(j.partition_id, '')` },
    Name: stored(orNull(nvarchar('max')), 'j.name'),
    CreateTime: stored(datetime, 'j.create_time'),
    CancelTime: stored(orNull(datetime), 'j.cancel_time'),
    Submitted: stored(bit, 'j.submitted'),
    State: {
      type: int,
      sql: sql`
        case when j.cancel_time is not null then ${jobState.cancelled}
          when j.submitted = 0 then ${jobState.notSubmitted}
          when ${runs} then ${jobState.inProgress}
          when ${waits} then ${jobState.waiting}
          when j.item_total = 0 then ${jobState.empty}
          else ${jobState.done} end`,
    },
    Items: stored(bigint, 'j.item_total'),
    OpenItems: {
      type: int,
      sql: sql`
        (select count(*) from (
          select 1 as one from items i where i.open_in = j.job_key limit ${mostCounted + 1}) o)`,
    },
    FailedItems: {
      type: int,
      sql: sql`
        (select count(*) from (
          select 1 as one from items i
          where i.job_key = j.job_key and i.error_code is not null and i.stop_time >= j.expired_before
          limit ${mostCounted + 1}) o)`,
    },
    RunningSince: {
      type: orNull(datetime),
      sql: sql`
        (select i.start_time from items i where i.open_in = j.job_key and i.start_time is not null
          order by i.open_in, i.start_time limit 1)`,
    },
  },
});

/**
 * The jobs that have items to hand out, read from the index of the line, so that no other jobs are read. A job may be
 * in the line in vain (see hints.ts); an index lookup finds out. IsStarted marks those with items in progress.
 */
export const jobsInLine: Relation = relation({
  name: 'JobsInLine',
  type: 'view',
  from: sql`jobs j`,
  where: sql`${inLine} and ${waits}`,
  primaryKey: ['JobId'],
  columns: {
    JobId: stored(bigint, 'j.job_id'),
    CreateTime: stored(datetime, 'j.create_time'),
    IsStarted: { type: bit, sql: sql`case when ${runs} then 1 else 0 end` },
  },
});
