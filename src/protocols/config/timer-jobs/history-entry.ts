import { sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { bigint, datetime, int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';

/** The columns of an entry of the timer job history (3.1.5.40.1). */
export const historyEntry = {
  Id: bigint,
  JobId: orNull(uniqueidentifier),
  JobTitle: orNull(nvarchar(255)),
  WebApplicationId: orNull(uniqueidentifier),
  WebApplicationName: orNull(nvarchar(255)),
  ServiceId: orNull(uniqueidentifier),
  ServerId: orNull(uniqueidentifier),
  ServerName: orNull(nvarchar(128)),
  Status: orNull(int),
  StartTime: orNull(datetime),
  EndTime: orNull(datetime),
  DatabaseName: orNull(nvarchar(128)),
  ErrorMessage: orNull(nvarchar(1000)),
};

/** The same as `job_history` has them. */
export const keptEntry = sql`
  id as "Id", job_id as "JobId", job_title as "JobTitle", web_application_id as "WebApplicationId",
  web_application_name as "WebApplicationName", service_id as "ServiceId", server_id as "ServerId",
  server_name as "ServerName", status as "Status", start_time as "StartTime", end_time as "EndTime",
  database_name as "DatabaseName", error_message as "ErrorMessage"`;
