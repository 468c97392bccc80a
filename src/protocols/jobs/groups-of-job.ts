import { type Sql, sql } from '../../engine/sql.ts';

/** The groups of a job, as proc_GetGroups lists them; a partition of NULL is not checked. */
export const groupsOfJob = (JobId: bigint, PartitionId: string | null): Sql => sql`
  select g.group_id as "GroupId", g.input_root as "InputRoot", g.output_root as "OutputRoot",
    j.create_time as "CreateTime", j.cancel_time as "CancelTime", j.submitted as "Submitted",
    j.settings as "Settings"
  from jobs j join groups g on g.job_key = j.job_key
  where j.job_id = ${JobId} ${PartitionId === null ? sql`` : sql`and j.partition_id = ${PartitionId}`}
  order by g.group_id`;
