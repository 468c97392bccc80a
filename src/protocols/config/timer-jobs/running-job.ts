import { type Sql, sql } from '../../../engine/sql.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';

/** The four identifiers that name a running job instance. */
export const runningJobParams = {
  ServiceId: nullable(uniqueidentifier, 'The service of the job definition.'),
  VirtualServerId: nullable(uniqueidentifier, 'Its Web application; NULL when it belongs only to a service.'),
  JobId: nullable(uniqueidentifier, 'The job definition.'),
  ServerId: nullable(uniqueidentifier, 'The server that executes the instance.'),
};

export interface RunningJobKey {
  readonly ServiceId: string | null;
  readonly VirtualServerId: string | null;
  readonly JobId: string | null;
  readonly ServerId: string | null;
}

/** The condition that all four match; a NULL Web application matches only a stored NULL, other NULLs match nothing. */
export const isRunningJob = ({ ServiceId, VirtualServerId, JobId, ServerId }: RunningJobKey): Sql => sql`
  job_id = ${JobId} and server_id = ${ServerId} and service_id = ${ServiceId}
  and web_application_id is not distinct from ${VirtualServerId}`;
