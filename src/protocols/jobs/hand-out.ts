import type { Row, Shape } from '../../base/stored.ts';
import type { Db } from '../../engine/db.ts';
import { list, type Sql, sql } from '../../engine/sql.ts';
import { bigint, int } from '../../tds/types/index.ts';

/** A job that may have items to hand out, and how many it has at most. */
const candidate = { Key: bigint, Items: int };
type Candidate = Row<typeof candidate>;

/** So many items of several small jobs are read in one statement. */
const itemsInARun = 1000;
/** So many jobs are looked up first, since one is often enough, and so many at a time after that. */
const firstJobs = 8;
const moreJobs = 100;
/** No limit on the number of rows. */
export const everything = Number.MAX_SAFE_INTEGER;

/** Jobs that are submitted, not cancelled, and may have items not started. The partial indexes have the same words. */
export const inLine = sql`submitted = 1 and cancel_time is null and waiting = 1`;

/** Items, some at a time: a step for each of them would cost more than reading them does. */
export type Pages<S extends Shape> = AsyncGenerator<readonly Row<S>[]>;

/** The rows of pages, one after another. */
export async function* rowsOf<S extends Shape>(pages: Pages<S>): AsyncGenerator<Row<S>> {
  for await (const page of pages) for (const row of page) yield row;
}

/** Items not started of the jobs in line, oldest job first; `narrowed` may leave jobs out. */
export function notStarted<S extends Shape>(db: Db, row: S, limit: number, narrowed: Sql = sql``): Pages<S> {
  return itemsOf(db, row, runs(jobsInLine(db, narrowed), limit), sql`i.start_time is null`, limit);
}

/** Items in progress since before a moment, of jobs that are submitted and not cancelled, oldest job first. */
export function stale<S extends Shape>(db: Db, row: S, before: Date, limit: number): Pages<S> {
  return itemsOf(db, row, runs(jobsRunningSince(db, before), limit), sql`i.start_time < ${before}`, limit);
}

async function* jobsRunningSince(db: Db, before: Date): AsyncGenerator<readonly Candidate[]> {
  const jobs = await db.all(
    candidate,
    sql`
      select job_key as "Key", item_total as "Items" from jobs
      where submitted = 1 and cancel_time is null and running_since < ${before}`,
  );
  // Sorted here: an `order by` would tempt a planner away from the index on running_since, which is nearly empty.
  yield jobs.sort((one, other) => (one.Key < other.Key ? -1 : 1));
}

async function* jobsInLine(db: Db, narrowed: Sql): AsyncGenerator<readonly Candidate[]> {
  let last = 0n;
  for (let count = firstJobs; ; count = moreJobs) {
    const page = await db.all(
      candidate,
      sql`
        select job_key as "Key", item_total as "Items" from jobs
        where ${inLine} ${narrowed} and job_key > ${last}
        order by job_key limit ${count}`,
    );
    yield page;
    const end = page.at(-1);
    if (end === undefined || page.length < count) return;
    last = end.Key;
  }
}

/**
 * Puts small jobs together into runs; a large job is a run of its own, and its items come straight off an index. The
 * first run is no larger than what is wanted: mostly it is enough.
 */
async function* runs(pages: AsyncIterable<readonly Candidate[]>, wanted: number): AsyncGenerator<bigint[]> {
  let most = Math.min(wanted, itemsInARun);
  for await (const jobs of pages) {
    let run: bigint[] = [];
    let size = 0;
    for (const { Key, Items } of jobs) {
      if (run.length > 0 && size + Items > most) {
        yield run;
        run = [];
        size = 0;
        most = itemsInARun;
      }
      run.push(Key);
      size += Items;
    }
    if (run.length > 0) yield run;
  }
}

async function* itemsOf<S extends Shape>(
  db: Db,
  row: S,
  keys: AsyncIterable<readonly bigint[]>,
  which: Sql,
  limit: number,
): Pages<S> {
  let left = limit;
  if (left <= 0) return;
  for await (const run of keys) {
    const [only] = run;
    const ofRun =
      only !== undefined && run.length === 1 ? sql`i.open_in = ${only}` : sql`i.open_in in ${list('bigint', run)}`;
    const items = await db.all(
      row,
      sql`
        select j.job_id as "JobId", i.group_id as "GroupId", i.item_id as "ItemId",
          case when i.start_time is null then 0 else 1 end as "InProgress",
          i.input_file as "InputFile", i.output_file as "OutputFile", i.attempts_remaining as "AttemptsRemaining",
          i.worker as "WorkerServerInstance", i.start_time as "StartTime", j.create_time as "CreateTime"
        from items i join jobs j on j.job_key = i.job_key
        where ${ofRun} and ${which}
        order by i.open_in, i.start_time, i.group_id, i.item_id
        limit ${left}`,
    );
    yield items;
    left -= items.length;
    if (left <= 0) return;
  }
}
