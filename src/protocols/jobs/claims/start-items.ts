import type { Row } from '../../../base/stored.ts';
import type { Db } from '../../../engine/db.ts';
import { type EachEngine, eachEngine, type Sql, sql, table } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { bigint, datetime, int, nvarchar, smallint, tinyint } from '../../../tds/types/index.ts';
import { type Candidate, firstNotStarted, locked } from '../hand-out.ts';
import { takeAttempt } from '../update-batch.ts';
import { leaseTime } from './lease.ts';

/** What is returned about a started item, besides its job. */
export const startedColumns = {
  GroupId: smallint,
  ItemId: int,
  Lease: bigint,
  LeaseUntil: datetime,
  InputFile: nvarchar('max'),
  OutputFile: orNull(nvarchar('max')),
  AttemptsRemaining: tinyint,
};

/** An item that was started, by the key of its job. */
const startedItem = { Key: bigint, ...startedColumns };
export type StartedItem = Row<typeof startedItem>;

/** Who starts items, when, and for how many milliseconds nobody else may. */
export interface Starting {
  readonly Worker: string;
  readonly now: Date;
  readonly length: number;
}

/** Starts items by the keys of their jobs, GroupId and ItemId. */
export function startNamed(
  db: Db,
  starting: Starting,
  items: readonly (readonly [bigint | null, number, number])[],
): Promise<StartedItem[]> {
  const named = table({ job_key: 'bigint', group_id: 'bigint', item_id: 'bigint' }, items);
  return start(db, starting, sql`from ${named} n where ${isPicked} and items.stop_time is null`);
}

/** Starts the first items of a run of jobs that are not started and that no other call is about to start. */
export async function startFirst(
  db: Db,
  starting: Starting,
  run: readonly Candidate[],
  most: number,
): Promise<StartedItem[]> {
  const started = await start(db, starting, pickedFrom(firstNotStarted(run, most)));
  const places = new Map(run.map(({ Key }, place) => [Key, place]));
  const placeOf = ({ Key }: StartedItem): number => places.get(Key) ?? 0;
  return started.sort(
    (one, other) => placeOf(one) - placeOf(other) || one.GroupId - other.GroupId || one.ItemId - other.ItemId,
  );
}

const isPicked = sql`items.job_key = n.job_key and items.group_id = n.group_id and items.item_id = n.item_id`;

/** PostgreSQL goes straight to the rows that it has locked, whatever its planner estimates. */
const pickedFrom = (picked: Sql): EachEngine =>
  eachEngine({
    sqlite: sql`from (select i.job_key, i.group_id, i.item_id ${picked}) n where ${isPicked}`,
    postgres: sql`where items.ctid = any (array(select i.ctid ${picked} ${locked}))`,
  });

/** As proc_UpdateConversionBatch does, under leases with numbers that the items never had. */
function start(db: Db, { Worker, now, length }: Starting, which: Sql | EachEngine): Promise<StartedItem[]> {
  return db.all(
    startedItem,
    sql`
      update items set
        start_time = ${now},
        worker = ${Worker},
        lease = case when items.lease >= ${leaseTime(now)} then items.lease + 1 else ${leaseTime(now)} end,
        leased_until = ${leaseTime(now, length)},
        ${takeAttempt}
      ${which}
      returning items.job_key as "Key", items.group_id as "GroupId", items.item_id as "ItemId",
        items.lease as "Lease", items.leased_until as "LeaseUntil", items.input_file as "InputFile",
        items.output_file as "OutputFile", items.attempts_remaining as "AttemptsRemaining"`,
  );
}
