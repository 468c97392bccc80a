import { sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { type Relation, relation } from '../../../procedure/relation.ts';
import { bit, datetime, int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { historyEntry, keptEntry } from './history-entry.ts';

const target = { JobId: uniqueidentifier, TargetInstanceId: uniqueidentifier };
const scheduled = {
  JobId: uniqueidentifier,
  ServerId: uniqueidentifier,
  ServiceId: uniqueidentifier,
  WebApplicationId: orNull(uniqueidentifier),
  StartTime: datetime,
};
const running = {
  JobId: uniqueidentifier,
  ServerId: uniqueidentifier,
  ServiceId: uniqueidentifier,
  WebApplicationId: orNull(uniqueidentifier),
  JobTitle: orNull(nvarchar(255)),
  Status: int,
  StartTime: datetime,
  CurrentTarget: int,
  TargetCount: int,
  CurrentTargetPercentDone: orNull(int),
};
const lock = { JobId: uniqueidentifier, ServerId: uniqueidentifier, LockTime: datetime, Marked: bit };

/** What clients may SELECT from of the timer jobs (3.1.1.2). */
export const timerRelations: readonly Relation[] = [
  relation({
    name: 'TimerTargetInstances',
    columns: target,
    rows: ({ db }) =>
      db.rows(
        target,
        sql`
          select job_id as "JobId", target_instance_id as "TargetInstanceId"
          from target_instances order by job_id, target_instance_id`,
      ),
  }),
  relation({
    name: 'TimerScheduledJobs',
    columns: scheduled,
    rows: ({ db }) =>
      db.rows(
        scheduled,
        sql`
          select job_id as "JobId", server_id as "ServerId", service_id as "ServiceId",
            web_application_id as "WebApplicationId", start_time as "StartTime"
          from scheduled_jobs order by start_time, job_id, server_id`,
      ),
  }),
  relation({
    name: 'TimerRunningJobs',
    columns: running,
    rows: ({ db }) =>
      db.rows(
        running,
        sql`
          select job_id as "JobId", server_id as "ServerId", service_id as "ServiceId",
            web_application_id as "WebApplicationId", job_title as "JobTitle", status as "Status",
            start_time as "StartTime", current_target as "CurrentTarget", target_count as "TargetCount",
            current_target_percent_done as "CurrentTargetPercentDone"
          from running_jobs order by job_id, server_id`,
      ),
  }),
  relation({
    name: 'TimerJobHistory',
    columns: historyEntry,
    rows: ({ db }) => db.rows(historyEntry, sql`select ${keptEntry} from job_history order by id`),
  }),
  relation({
    name: 'TimerLocks',
    columns: lock,
    rows: ({ db }) =>
      db.rows(
        lock,
        sql`
          select job_id as "JobId", server_id as "ServerId", lock_time as "LockTime", marked as "Marked"
          from job_locks order by job_id`,
      ),
  }),
];
