import { SqlError } from '../../../base/messages/sql-error.ts';
import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { bigint, bit } from '../../../tds/types/index.ts';
import { isThere } from '../item-class.ts';
import type { ItemName } from '../named-item.ts';

const found = { Lease: orNull(bigint), IsLeased: bit, IsStarted: bit, IsStopped: bit };

/** Error 50101: the worker does not hold the item, or no longer does. */
export async function leaseOver(db: Db, { JobId, GroupId, ItemId }: ItemName, lease: bigint): Promise<SqlError> {
  const item = await db.first(
    found,
    sql`
      select i.lease as "Lease", case when i.leased_until is null then 0 else 1 end as "IsLeased",
        case when i.start_time is null then 0 else 1 end as "IsStarted",
        case when i.stop_time is null then 0 else 1 end as "IsStopped"
      from jobs j join items i on i.job_key = j.job_key
      where j.job_id = ${JobId} and i.group_id = ${GroupId} and i.item_id = ${ItemId} and ${isThere}`,
  );
  return new SqlError(
    50101,
    `The lease ${lease} of item ${ItemId} of group ${GroupId} of job ${JobId} is over: ${reason()}. Nothing was changed.`,
  );

  function reason(): string {
    if (item === undefined) return 'there is no such item';
    if (item.IsStopped) return 'the item has ended';
    if (!item.IsStarted) return 'the item is back in the line';
    return item.IsLeased && item.Lease === lease ? 'it has run out' : 'another works on the item';
  }
}
