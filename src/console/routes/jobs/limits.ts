import type { Client } from '../../../client/client.ts';
import { typed } from '../../../client/query.ts';
import { orNull } from '../../../procedure/declare.ts';
import { bigint, datetime, int, uniqueidentifier } from '../../../tds/types/index.ts';
import type { Used } from '../../api/jobs.ts';

const hour = 3_600_000;
/** The 24 hours of a daily limit end with the present one (MS-TSSPROC 3.1.5.8). */
const hoursInADay = 24;

const counted = { Hour: datetime, PartitionId: uniqueidentifier, Items: bigint };
const limited = { PartitionId: orNull(uniqueidentifier), MaxItemsPerDay: int };

/** Items of the last 24 hours, in all and by partition, against the limits that were told last. */
export async function limitsOf(client: Client, now: Date, signal: AbortSignal) {
  const reading = { signal, idempotent: true };
  const first = new Date((Math.floor(now.getTime() / hour) - hoursInADay + 1) * hour);
  const counts = await client.select(
    counted,
    'select Hour, PartitionId, Items from ItemCounts where Hour >= @first order by Hour',
    { first: typed(datetime, first) },
    reading,
  );
  const limits = await client.select(limited, 'select PartitionId, MaxItemsPerDay from ItemLimits', {}, reading);
  const limitOf = (partition: string | null) =>
    limits.find(({ PartitionId }) => PartitionId === partition)?.MaxItemsPerDay ?? null;
  const partitions = [...new Set([...counts, ...limits].flatMap(({ PartitionId }) => PartitionId ?? []))].sort();
  return {
    all: usedOf(null, counts, limitOf(null)),
    partitions: partitions.map((partition) =>
      usedOf(
        partition,
        counts.filter(({ PartitionId }) => PartitionId === partition),
        limitOf(partition),
      ),
    ),
  };
}

function usedOf(
  partition: string | null,
  counts: readonly { Hour: Date; Items: bigint }[],
  limit: number | null,
): Used {
  const used = counts.reduce((sum, { Items }) => sum + Number(Items), 0);
  const falling = new Map<number, number>();
  for (const { Hour, Items } of counts) {
    const at = Hour.getTime() + hoursInADay * hour;
    falling.set(at, (falling.get(at) ?? 0) + Number(Items));
  }
  return {
    partition,
    used,
    limit,
    left: limit === null ? null : Math.max(0, limit - used),
    resets: [...falling].map(([at, items]) => ({ at: new Date(at).toISOString(), items })),
  };
}
