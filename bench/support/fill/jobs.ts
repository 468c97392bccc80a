import type { Database, Db } from '../../../src/engine/db.ts';
import { type Sql, sql } from '../../../src/engine/sql.ts';

/** How many jobs to make, and how many items in each. */
export interface JobsToFill {
  readonly jobs: number;
  readonly itemsInAJob: number;
  /** What becomes of the jobs; `mixed` unless said otherwise. */
  readonly state?: 'mixed' | 'in progress';
  readonly progress?: (text: string) => void;
}

/** Rows in one transaction: few enough that the log stays short. */
const rowsInAStep = 200_000;
const second = 1000;
const hour = 3_600_000;
/** The first job is made so much in the past that none is made in the future. */
const age = 100 * 24 * hour;
const started = Date.now();

/** When job n was made: a second after the one before. */
export const createdAt = (n: number): number => started - age + n * second;

/**
 * Jobs as a farm has them after a while. Of every ten, in the order they were added: one was never submitted, one was
 * cancelled before it began, two stand in line with nothing started, one is in line and at work (half of its items
 * stopped, a quarter in progress, a quarter not started), five are over, with one failure in fifty.
 */
const mixed = {
  submitted: sql`case n % 10 when 0 then 0 else 1 end`,
  cancelled: (now: number) => sql`case n % 10 when 1 then cast(${now - hour} as bigint) end`,
  waiting: sql`case when n % 10 < 5 then 1 else 0 end`,
  running: (now: number) => sql`case n % 10 when 4 then cast(${now - 1000} as bigint) end`,
  started: (now: number) =>
    sql`case when n % 10 > 4 or (n % 10 = 4 and m % 4 < 3) then cast(${now - 1000} as bigint) end`,
  firstStop: (now: number) => sql`case when n % 10 > 3 then cast(${now} as bigint) end`,
  stopsUntil: (now: number) => sql`case when n % 10 > 3 then cast(${now + hour} as bigint) else 0 end`,
  stopped: (now: number) => sql`case when n % 10 > 4 or (n % 10 = 4 and m % 4 < 2) then cast(${now} as bigint) end`,
  failed: sql`case when n % 10 > 4 and m % 50 = 0 then 5 end`,
};

/** Every item is in progress: what workers finish. */
const inProgress: typeof mixed = {
  submitted: sql`1`,
  cancelled: () => sql`cast(null as bigint)`,
  waiting: sql`0`,
  running: (now) => sql`cast(${now - 1000} as bigint)`,
  started: (now) => sql`cast(${now - 1000} as bigint)`,
  firstStop: () => sql`cast(null as bigint)`,
  stopsUntil: () => sql`0`,
  stopped: () => sql`cast(null as bigint)`,
  failed: sql`cast(null as bigint)`,
};

/** Makes jobs 1 to `jobs`, each with one group 1 and items 1 to `itemsInAJob`, past the procedures. */
export async function fillJobs(database: Database, fill: JobsToFill): Promise<void> {
  const state = fill.state === 'in progress' ? inProgress : mixed;
  const jobsInAStep = Math.max(1, Math.floor(rowsInAStep / fill.itemsInAJob));
  for (let first = 1; first <= fill.jobs; first += jobsInAStep) {
    const last = Math.min(fill.jobs, first + jobsInAStep - 1);
    await database.write(async (db) => {
      await addJobs(db, database.kind, state, { first, last }, fill.itemsInAJob);
      await addItems(db, state, { first, last }, fill.itemsInAJob);
    });
    if (fill.progress !== undefined && last % (jobsInAStep * 5) === 0)
      fill.progress(`${(last * fill.itemsInAJob).toLocaleString('en')} items`);
  }
}

interface Range {
  readonly first: number;
  readonly last: number;
}

const numbers = ({ first, last }: Range): Sql => sql`
  with recursive numbers (n) as (select cast(${first} as bigint) union all select n + 1 from numbers where n < ${last})`;

/** Only a translation job must have a token. */
const token = { columns: sql`, user_token`, values: sql`, ${Buffer.from('token')}` };
const none = { columns: sql``, values: sql`` };

async function addJobs(db: Db, kind: string, state: typeof mixed, range: Range, items: number): Promise<void> {
  const now = Date.now();
  const { columns, values } = kind === 'translation' ? token : none;
  await db.run(sql`
    ${numbers(range)}
    insert into jobs (job_key, job_id, partition_id, create_time, cancel_time, submitted, item_total, waiting,
      running_since, first_stop, stops_until, name, settings ${columns})
    select n, n, '', ${createdAt(0)} + n * ${second}, ${state.cancelled(now)}, ${state.submitted}, ${items}, ${state.waiting},
      ${state.running(now)}, ${state.firstStop(now)}, ${state.stopsUntil(now)}, 'Job ' || n, '<settings/>' ${values}
    from numbers`);
  await db.run(sql`
    ${numbers(range)}
    insert into groups (job_key, group_id, input_root, output_root)
    select n, 1, 'https://portal.example/Documents/', 'https://portal.example/Converted/' from numbers`);
}

async function addItems(db: Db, state: typeof mixed, range: Range, items: number): Promise<void> {
  const now = Date.now();
  await db.run(sql`
    ${numbers(range)},
    places (m) as (select cast(1 as bigint) union all select m + 1 from places where m < ${items})
    insert into items (job_key, group_id, item_id, start_time, stop_time, attempts_remaining, error_code,
      input_file, output_file)
    select n, 1, m, ${state.started(now)}, ${state.stopped(now)}, 3, ${state.failed},
      'Document ' || m || '.docx', 'Document ' || m || '.pdf'
    from numbers cross join places order by n, m`);
}
