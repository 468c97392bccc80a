import { sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../../procedure/relations/relation.ts';
import { bit, datetime, int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { historyEntry } from './history-entry.ts';

/** What clients may SELECT from of the timer jobs (3.1.1.2). */
export const timerRelations: readonly Relation[] = [
  relation({
    name: 'TimerTargetInstances',
    from: sql`target_instances`,
    primaryKey: ['JobId', 'TargetInstanceId'],
    indexes: [['TargetInstanceId']],
    columns: {
      JobId: stored(uniqueidentifier, 'job_id'),
      TargetInstanceId: stored(uniqueidentifier, 'target_instance_id'),
    },
  }),
  relation({
    name: 'TimerScheduledJobs',
    from: sql`scheduled_jobs`,
    primaryKey: ['JobId', 'ServerId'],
    indexes: [
      ['StartTime', 'JobId', 'ServerId'],
      ['ServerId', 'StartTime', 'JobId'],
    ],
    columns: {
      JobId: stored(uniqueidentifier, 'job_id'),
      ServerId: stored(uniqueidentifier, 'server_id'),
      ServiceId: stored(uniqueidentifier, 'service_id'),
      WebApplicationId: stored(orNull(uniqueidentifier), 'web_application_id'),
      StartTime: stored(datetime, 'start_time'),
    },
  }),
  relation({
    name: 'TimerRunningJobs',
    from: sql`running_jobs`,
    primaryKey: ['JobId', 'ServerId'],
    indexes: [['ServerId']],
    columns: {
      JobId: stored(uniqueidentifier, 'job_id'),
      ServerId: stored(uniqueidentifier, 'server_id'),
      ServiceId: stored(uniqueidentifier, 'service_id'),
      WebApplicationId: stored(orNull(uniqueidentifier), 'web_application_id'),
      JobTitle: stored(orNull(nvarchar(255)), 'job_title'),
      Status: stored(int, 'status'),
      StartTime: stored(datetime, 'start_time'),
      CurrentTarget: stored(int, 'current_target'),
      TargetCount: stored(int, 'target_count'),
      CurrentTargetPercentDone: stored(orNull(int), 'current_target_percent_done'),
    },
  }),
  relation({
    name: 'TimerJobHistory',
    from: sql`job_history`,
    primaryKey: ['Id'],
    indexes: [['JobId', 'Id'], ['ServerId', 'Id'], ['JobId', 'StartTime'], ['EndTime']],
    columns: {
      Id: stored(historyEntry.Id, 'id'),
      JobId: stored(historyEntry.JobId, 'job_id'),
      JobTitle: stored(historyEntry.JobTitle, 'job_title'),
      WebApplicationId: stored(historyEntry.WebApplicationId, 'web_application_id'),
      WebApplicationName: stored(historyEntry.WebApplicationName, 'web_application_name'),
      ServiceId: stored(historyEntry.ServiceId, 'service_id'),
      ServerId: stored(historyEntry.ServerId, 'server_id'),
      ServerName: stored(historyEntry.ServerName, 'server_name'),
      Status: stored(historyEntry.Status, 'status'),
      StartTime: stored(historyEntry.StartTime, 'start_time'),
      EndTime: stored(historyEntry.EndTime, 'end_time'),
      DatabaseName: stored(historyEntry.DatabaseName, 'database_name'),
      ErrorMessage: stored(historyEntry.ErrorMessage, 'error_message'),
    },
  }),
  relation({
    name: 'TimerLocks',
    from: sql`job_locks`,
    primaryKey: ['JobId'],
    indexes: [['ServerId']],
    columns: {
      JobId: stored(uniqueidentifier, 'job_id'),
      ServerId: stored(uniqueidentifier, 'server_id'),
      LockTime: stored(datetime, 'lock_time'),
      Marked: stored(bit, 'marked'),
      LockTimeout: stored(orNull(int), 'lock_timeout'),
    },
  }),
  relation({
    name: 'ContentDatabaseLocks',
    from: sql`content_database_locks`,
    columns: {
      ContentDatabaseId: { type: orNull(uniqueidentifier), sql: sql`nullif(content_database_id, '')` },
      ServerId: stored(uniqueidentifier, 'server_id'),
      LockTime: stored(datetime, 'lock_time'),
      LockTimeout: stored(orNull(int), 'lock_timeout'),
    },
  }),
];
