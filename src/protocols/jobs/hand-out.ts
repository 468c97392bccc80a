import type { Row, Shape } from '../../base/stored.ts';
import type { Db } from '../../engine/db.ts';
import { eachEngine, list, type Piece, type Sql, sql } from '../../engine/sql.ts';
import { bigint, datetime, int } from '../../tds/types/index.ts';

/** A job that may have items to hand out, its position in the queue, and an upper bound of its items. */
const candidate = { Key: bigint, CreateTime: datetime, JobId: bigint, Items: int };
export type Candidate = Row<typeof candidate>;

/** How many items of several small jobs are read in one statement. */
const itemsInARun = 1000;
/** How many jobs are looked up first, since one is often enough, and how many at a time after that. */
const firstJobs = 8;
const moreJobs = 100;
/** No limit on the number of rows. */
export const everything = Number.MAX_SAFE_INTEGER;

/** Jobs that are submitted, not cancelled, and may have items not started. Worded as in the partial indexes. */
export const inLine = sql`submitted = 1 and cancel_time is null and waiting = 1`;

/** Items in pages: an iterator step for each would cost more than reading them. */
export type Pages<S extends Shape> = AsyncGenerator<readonly Row<S>[]>;

/** The rows of pages, one after another. */
export async function* rowsOf<S extends Shape>(pages: Pages<S>): AsyncGenerator<Row<S>> {
  for await (const page of pages) for (const row of page) yield row;
}

/** Which items of a job to read, how those of a single job are ordered, and whether they are locked. */
interface Wanted {
  readonly which: Sql;
  readonly orderInAJob: Sql;
  readonly locking: Piece;
}

/** Which jobs and items are left out, and whether the items read are locked for this transaction. */
export interface Narrowing {
  readonly narrowed?: Sql;
  readonly locking?: Piece;
}

/** At the end of a query of items `i`: locks them until the transaction ends, and skips those locked by others. */
export const locked = eachEngine({ sqlite: sql``, postgres: sql`for no key update of i skip locked` });

/** The same, but waits for those locked by others, which may be about to end. */
export const lockedInTurn = eachEngine({ sqlite: sql``, postgres: sql`for no key update of i` });

/** The columns of a batch, of the item `i` and its job `j`. */
export const batchColumns = sql`
  j.job_id as "JobId", i.group_id as "GroupId", i.item_id as "ItemId",
  case when i.start_time is null then 0 else 1 end as "InProgress",
  i.input_file as "InputFile", i.output_file as "OutputFile", i.attempts_remaining as "AttemptsRemaining",
  i.worker as "WorkerServerInstance", i.start_time as "StartTime", j.create_time as "CreateTime"`;

/** The order of rows: jobs by CreateTime and JobId, their items by GroupId and ItemId. */
export const inOrder = sql`j.create_time, j.job_id, i.group_id, i.item_id`;
/** The same for items not started of one job, worded as in an index, so that no planner sorts a large job. */
export const indexOrder = sql`i.open_in, i.start_time, i.group_id, i.item_id`;

/** Items not started of the jobs in the queue, in order; `narrowed` may leave jobs out. */
export function notStarted<S extends Shape>(db: Db, row: S, limit: number, narrowing: Narrowing = {}): Pages<S> {
  const { narrowed = sql``, locking = sql`` } = narrowing;
  const wanted = { which: sql`i.start_time is null`, orderInAJob: indexOrder, locking };
  return itemsOf(db, row, wanted, runsInLine(db, limit, narrowed), limit);
}

/** The jobs in the queue, in order, in groups whose items one statement reads; `narrowed` may leave jobs out. */
export const runsInLine = (db: Db, limit: number, narrowed: Sql): AsyncGenerator<readonly Candidate[]> =>
  runs(jobsInLine(db, narrowed), limit);

/** The first items not started of a run of jobs, in order: what follows the columns of `i` in a SELECT. */
export function firstNotStarted(run: readonly Candidate[], limit: number): Sql {
  const [only, second] = run;
  if (only !== undefined && second === undefined)
    return sql`
      from items i where i.open_in = ${only.Key} and i.start_time is null order by ${indexOrder} limit ${limit}`;
  return sql`
    from items i join jobs j on j.job_key = i.job_key
    where i.open_in in ${keysOf(run)} and i.start_time is null order by ${inOrder} limit ${limit}`;
}

/**
 * Items in progress since before a moment, of jobs that are submitted and not cancelled, in order; `narrowed` may leave
 * items out.
 */
export function stale<S extends Shape>(
  db: Db,
  row: S,
  before: Date,
  limit: number,
  { narrowed = sql``, locking = sql`` }: Narrowing = {},
): Pages<S> {
  const wanted = { which: sql`i.start_time < ${before} ${narrowed}`, orderInAJob: inOrder, locking };
  return itemsOf(db, row, wanted, runs(jobsRunningSince(db, before), limit), limit);
}

function comparePlaces(one: Candidate, other: Candidate): number {
  const ages = one.CreateTime.getTime() - other.CreateTime.getTime();
  if (ages !== 0) return ages;
  return one.JobId < other.JobId ? -1 : 1;
}

async function* jobsRunningSince(db: Db, before: Date): AsyncGenerator<readonly Candidate[]> {
  const jobs = await db.all(
    candidate,
    sql`
      select job_key as "Key", create_time as "CreateTime", job_id as "JobId", item_total as "Items" from jobs
      where submitted = 1 and cancel_time is null and running_since < ${before}`,
  );
  // Sorted here: an `order by` would tempt a planner away from the index on running_since, which is nearly empty.
  yield jobs.sort(comparePlaces);
}

async function* jobsInLine(db: Db, narrowed: Sql): AsyncGenerator<readonly Candidate[]> {
  let behind = sql``;
  for (let count = firstJobs; ; count = moreJobs) {
    const page = await db.all(
      candidate,
      sql`
        select job_key as "Key", create_time as "CreateTime", job_id as "JobId", item_total as "Items" from jobs
        where ${inLine} ${narrowed} ${behind}
        order by create_time, job_id limit ${count}`,
    );
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < count) return;
    behind = sql`and (create_time, job_id) > (${last.CreateTime}, ${last.JobId})`;
  }
}

/**
 * Combines small jobs into runs; a large job is a run of its own, and its items come directly from an index. The first
 * run is no larger than the requested number: usually it is enough.
 */
async function* runs(pages: AsyncIterable<readonly Candidate[]>, wanted: number): AsyncGenerator<readonly Candidate[]> {
  let most = Math.min(wanted, itemsInARun);
  for await (const jobs of pages) {
    let run: Candidate[] = [];
    let size = 0;
    for (const job of jobs) {
      if (run.length > 0 && size + job.Items > most) {
        yield run;
        run = [];
        size = 0;
        most = itemsInARun;
      }
      run.push(job);
      size += job.Items;
    }
    if (run.length > 0) yield run;
  }
}

const keysOf = (run: readonly Candidate[]) =>
  list(
    'bigint',
    run.map(({ Key }) => Key),
  );

async function* itemsOf<S extends Shape>(
  db: Db,
  row: S,
  { which, orderInAJob, locking }: Wanted,
  jobs: AsyncIterable<readonly Candidate[]>,
  limit: number,
): Pages<S> {
  let left = limit;
  if (left <= 0) return;
  for await (const run of jobs) {
    const [only, second] = run;
    const isOne = only !== undefined && second === undefined;
    const items = await db.all(
      row,
      sql`
        select ${batchColumns}
        from items i join jobs j on j.job_key = i.job_key
        where ${isOne ? sql`i.open_in = ${only.Key}` : sql`i.open_in in ${keysOf(run)}`} and ${which}
        order by ${isOne ? orderInAJob : inOrder}
        limit ${left} ${locking}`,
    );
    yield items;
    left -= items.length;
    if (left <= 0) return;
  }
}
