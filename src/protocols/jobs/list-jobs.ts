import type { Db } from '../../engine/db.ts';
import { type Sql, sql } from '../../engine/sql.ts';
import { orNull } from '../../procedure/declare.ts';
import { nullable } from '../../procedure/param.ts';
import { bigint, bit, datetime, nvarchar } from '../../tds/types/index.ts';
import { hasOpenItem } from './open-items.ts';

/** A job as proc_GetJobs lists it. */
export const listedJob = {
  JobId: bigint,
  CreateTime: datetime,
  CancelTime: orNull(datetime),
  Submitted: bit,
  Name: orNull(nvarchar('max')),
};

/** The parameters that narrow the list in all job protocols. */
export const listParams = {
  ActiveOnly: nullable(bit, 'One asks for jobs that are not cancelled and have an unfinished item.'),
  SubmittedOnly: nullable(bit, 'One asks for submitted jobs.'),
};

interface Narrowed {
  readonly ActiveOnly: boolean | null;
  readonly SubmittedOnly: boolean | null;
}

/** The jobs that meet a condition, oldest first. */
export const listJobs = (db: Db, condition: Sql, { ActiveOnly, SubmittedOnly }: Narrowed) =>
  db.rows(
    listedJob,
    sql`
      select j.job_id as "JobId", j.create_time as "CreateTime", j.cancel_time as "CancelTime",
        j.submitted as "Submitted", j.name as "Name"
      from jobs j
      where ${condition}
        ${ActiveOnly === true ? sql`and j.cancel_time is null and ${hasOpenItem}` : sql``}
        ${SubmittedOnly === true ? sql`and j.submitted = 1` : sql``}
      order by j.create_time, j.job_id`,
  );
