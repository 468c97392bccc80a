import { type Sql, sql } from '../../../engine/sql.ts';

/** The filters of the reading procedures; NULL means no filter. */
interface JobFilter {
  readonly ServiceId: string | null;
  readonly WebApplicationId: string | null;
  readonly ServerId: string | null;
  readonly JobId: string | null;
}

const everything = sql``;

/** The conditions of a filter over the columns service_id, web_application_id, server_id and job_id. */
export function matching({ ServiceId, WebApplicationId, ServerId, JobId }: JobFilter): Sql {
  return sql`
    ${ServiceId === null ? everything : sql`and service_id = ${ServiceId}`}
    ${WebApplicationId === null ? everything : sql`and web_application_id = ${WebApplicationId}`}
    ${ServerId === null ? everything : sql`and server_id = ${ServerId}`}
    ${JobId === null ? everything : sql`and job_id = ${JobId}`}`;
}
