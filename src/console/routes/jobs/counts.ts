import type { Client } from '../../../client/client.ts';
import { int } from '../../../tds/types/index.ts';
import type { Counts } from '../../api/jobs.ts';
import type { ConsoleServer } from '../../console-server.ts';

/** Jobs with at most this many items are counted within the request. */
const fewItems = 10_000;
/** A large job is counted again after this many milliseconds, and after this multiple of the duration of its count. */
const leastAge = 30_000;
const rest = 30;
/** So many jobs are remembered. */
const mostKept = 2_000;

const columns = { total: int, stopped: int, failed: int, started: int };

/** The counts of a job's items by state. */
async function count(client: Client, job: bigint, now: () => Date, signal?: AbortSignal): Promise<Counts> {
  const [row] = await client.select(
    columns,
    `select count(*) as total, count(StopTime) as stopped, count(ErrorCode) as failed, count(StartTime) as started
     from Items where JobId = @job`,
    { job },
    { idempotent: true, ...(signal === undefined ? {} : { signal }) },
  );
  const { total, stopped, failed, started } = row ?? { total: 0, stopped: 0, failed: 0, started: 0 };
  const inProgress = Math.max(0, started - stopped);
  const waiting = Math.max(0, total - stopped - inProgress);
  return { total, succeeded: Math.max(0, stopped - failed), failed, inProgress, waiting, at: now().toISOString() };
}

/** The identity of a job, which also distinguishes it from one of the same number in a recreated database. */
interface CountedJob {
  readonly JobId: bigint;
  readonly CreateTime: Date;
  readonly Items: bigint;
}

const keyOf = ({ databaseName }: Client, { JobId, CreateTime }: CountedJob): string =>
  `${databaseName.toLowerCase()}/${JobId}/${CreateTime.getTime()}`;

interface Kept {
  readonly counts: Counts;
  readonly taken: number;
  readonly ended: number;
}

/**
 * The counts of large jobs. Nobody waits for the count of ten million items: a request starts one in the background,
 * one at a time, and the last count is shown with its time.
 */
class CountBook {
  readonly #now: () => Date;
  readonly #kept = new Map<string, Kept>();
  readonly #waiting = new Map<string, { readonly client: Client; readonly job: bigint }>();
  #running = false;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** The counts of a job; for a large one, a count is started if the last one is old. */
  async of(client: Client, job: CountedJob, signal: AbortSignal): Promise<Counts | null> {
    if (job.Items <= fewItems) return count(client, job.JobId, this.#now, signal);
    return this.known(client, job);
  }

  /** What was counted of a job without waiting for it. */
  known(client: Client, job: CountedJob): Counts | null {
    const key = keyOf(client, job);
    const kept = this.#kept.get(key);
    const age = kept === undefined ? Number.POSITIVE_INFINITY : this.#now().getTime() - kept.ended;
    if (age > Math.max(leastAge, rest * (kept?.taken ?? 0))) {
      this.#waiting.set(key, { client, job: job.JobId });
      void this.#run();
    }
    return kept?.counts ?? null;
  }

  /** The counts of a job that has ended: they hardly change, so those of a small one are kept for a while as well. */
  async ofEnded(client: Client, job: CountedJob, signal: AbortSignal): Promise<Counts | null> {
    if (job.Items > fewItems || this.#kept.has(keyOf(client, job))) return this.known(client, job);
    const began = this.#now().getTime();
    const counts = await count(client, job.JobId, this.#now, signal);
    this.#keep(keyOf(client, job), counts, began);
    return counts;
  }

  /** True while a job is being counted, or waits for it. */
  isCounting(client: Client, job: CountedJob): boolean {
    return this.#waiting.has(keyOf(client, job));
  }

  /** Forgets what an action has made untrue. */
  forget(client: Client, job: CountedJob): void {
    this.#kept.delete(keyOf(client, job));
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (const [key, { client, job }] of this.#waiting) {
      const began = this.#now().getTime();
      // Whoever asked may be gone, and its connection with it: the next look asks again.
      const counts = await count(client, job, this.#now).catch(() => undefined);
      this.#waiting.delete(key);
      if (counts === undefined) continue;
      this.#keep(key, counts, began);
    }
    this.#running = false;
  }

  #keep(key: string, counts: Counts, began: number): void {
    const ended = this.#now().getTime();
    this.#kept.delete(key);
    this.#kept.set(key, { counts, taken: ended - began, ended });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
  }
}

const books = new WeakMap<ConsoleServer, CountBook>();

/** The counts that a server's consoles share. */
export function countsOf(server: ConsoleServer): CountBook {
  let book = books.get(server);
  if (book === undefined) {
    book = new CountBook(() => server.clock.now());
    books.set(server, book);
  }
  return book;
}
