import type { Db } from '../../engine/db.ts';
import { sql } from '../../engine/sql.ts';
import { orNull } from '../../procedure/declare.ts';
import { bigint, int, nvarchar } from '../../tds/types/index.ts';
import type { Refusal } from '../jobs/claims/why/refusal.ts';
import { hourOf, noPartition, startOf } from './item-counts.ts';

const hoursInADay = 24;
const day = 86_400_000;

/** A refused job, as passed to proc_AddJob. */
interface Refused {
  readonly JobId: bigint;
  readonly PartitionId: string | null;
  readonly ItemCount: number | null;
  readonly MaxItemsPerDay: number | null;
  readonly MaxItemsPerPartitionPerDay: number | null;
}

/** Stores a job that a daily limit refused, for a day. */
export async function noteRefusal(db: Db, now: Date, job: Refused): Promise<void> {
  await db.run(sql`delete from refused_jobs where refused <= ${now.getTime() - day}`);
  await db.run(sql`
    insert into refused_jobs (job_id, partition_id, items, day_limit, partition_limit, refused)
    values (${job.JobId}, ${job.PartitionId ?? noPartition}, ${job.ItemCount ?? 0}, ${job.MaxItemsPerDay},
      ${job.MaxItemsPerPartitionPerDay}, ${now})
    on conflict (job_id) do update set
      partition_id = excluded.partition_id, items = excluded.items, day_limit = excluded.day_limit,
      partition_limit = excluded.partition_limit, refused = excluded.refused`);
}

const refused = {
  Partition: nvarchar('max'),
  Items: bigint,
  DayLimit: orNull(bigint),
  PartitionLimit: orNull(bigint),
};

const counted = { Hour: int, Partition: nvarchar('max'), Items: bigint };

/** Why a job of this JobId was not added, if a daily limit refused it. */
export async function refusalOf(db: Db, now: Date, JobId: bigint): Promise<Refusal | undefined> {
  const job = await db.first(
    refused,
    sql`
      select partition_id as "Partition", items as "Items", day_limit as "DayLimit",
        partition_limit as "PartitionLimit"
      from refused_jobs where job_id = ${JobId}`,
  );
  if (job === undefined) return undefined;
  const hour = hourOf(now);
  const counts = await db.all(
    counted,
    sql`
      select hour as "Hour", partition_id as "Partition", items as "Items" from item_counts
      where hour > ${hour - hoursInADay} and hour <= ${hour}`,
  );
  const fits = (at: number) => {
    const inWindow = counts.filter(({ Hour }) => Hour > at - hoursInADay);
    const ofPartition = inWindow.filter(({ Partition }) => Partition === job.Partition);
    return isWithin(job.DayLimit, inWindow, job.Items) && isWithin(job.PartitionLimit, ofPartition, job.Items);
  };
  for (let at = hour; at <= hour + hoursInADay; at++) {
    if (fits(at)) return { items: job.Items, until: at === hour ? now : startOf(at) };
  }
  return { items: job.Items, until: undefined };
}

function isWithin(limit: bigint | null, counts: readonly { readonly Items: bigint }[], more: bigint): boolean {
  return limit === null || counts.reduce((sum, { Items }) => sum + Items, more) <= limit;
}
