import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';

const association = { JobId: uniqueidentifier };

/** True when a job definition (NULL: any) is associated with a target instance (NULL: any). */
export async function hasTarget(
  db: Db,
  { JobId, TargetInstanceId }: { readonly JobId: string | null; readonly TargetInstanceId: string | null },
): Promise<boolean> {
  const row = await db.first(
    association,
    sql`
      select job_id as "JobId" from target_instances
      where ${JobId === null ? sql`1 = 1` : sql`job_id = ${JobId}`}
        and ${TargetInstanceId === null ? sql`1 = 1` : sql`target_instance_id = ${TargetInstanceId}`}
      limit 1`,
  );
  return row !== undefined;
}
