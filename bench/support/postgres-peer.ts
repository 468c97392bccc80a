import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log/log.ts';
import { PostgresEngine } from '../../src/engine/postgres/engine.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { fillJobs } from './fill/jobs.ts';
import { Items, type Order, type Size } from './items.ts';
import type { Caller } from './load.ts';

const run = promisify(execFile);
const schema = 'peer_translation';

/**
 * The statement of proc_UpdateSucceededItem (src/protocols/jobs/stop-item.ts) as a function. What follows it once an hour
 * and job is left out.
 */
const createFunction = `
  create function update_succeeded_item(the_job bigint, the_group bigint, the_item bigint) returns bigint
  language plpgsql as $$
  declare
    now_ms bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
    started bigint;
    noted bigint;
  begin
    update items set
      stop_time = case when now_ms < j.expired_before then j.expired_before else now_ms end,
      error_code = null, worker = null
    from jobs j
    where j.job_id = the_job and items.job_key = j.job_key
      and items.group_id = the_group and items.item_id = the_item
      and (items.stop_time is null or items.stop_time >= j.expired_before)
    returning items.start_time, (
      select 1 from jobs where jobs.job_key = items.job_key
        and jobs.first_stop <= items.stop_time and jobs.stops_until > items.stop_time) into started, noted;
    return 0;
  end $$`;

const query = {
  name: 'update_succeeded_item',
  text: 'select update_succeeded_item($1::bigint, $2::bigint, $3::bigint)',
};

/** A PostgreSQL with fsync on, its tables made by the same migration and filled with the same rows as Granary's. */
export class PostgresPeer implements AsyncDisposable {
  readonly url: string;
  readonly #size: Size;
  readonly #items: Items;
  readonly #cleanUp: AsyncDisposableStack;
  #folder = '';

  private constructor(url: string, size: Size, cleanUp: AsyncDisposableStack) {
    this.url = url;
    this.#size = size;
    this.#items = new Items(size);
    this.#cleanUp = cleanUp;
  }

  static async start(size: Size): Promise<PostgresPeer> {
    await using cleanUp = new AsyncDisposableStack();
    const server = await startPostgres({ fsync: true });
    cleanUp.defer(() => server.stop());
    await fillPeer(server.url, size);
    const options = encodeURIComponent(`-c search_path=${schema}`);
    const peer = new PostgresPeer(`${server.url}?options=${options}`, size, cleanUp.move());
    await peer.#prepare();
    return peer;
  }

  /** A client of node-postgres that finishes an item at each call, with a prepared statement. */
  async caller(): Promise<(order: Order) => Caller> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    this.#cleanUp.defer(() => client.end());
    return (order) => () => {
      const { job, item } = this.#items.next(order);
      return client.query({ ...query, values: [job, 1, item] });
    };
  }

  /** Calls a second of pgbench with prepared statements; undefined where pgbench is not installed. */
  async pgbench(order: Order, clients: number, milliseconds: number): Promise<number | undefined> {
    const script = join(this.#folder, 'pgbench.sql');
    await writeFile(script, `${this.#script(order, clients).join('\n')}\n`);
    const threads = String(Math.min(clients, availableParallelism()));
    const seconds = String(Math.max(1, Math.round(milliseconds / 1000)));
    const options = ['-n', '-M', 'prepared', '-c', String(clients), '-j', threads, '-T', seconds, '-D', 'turn=0'];
    try {
      const { stdout } = await run('pgbench', [...options, '-f', script, this.url]);
      const [rate, calls] = [/^tps = ([\d.]+) \(without/m, /actually processed: (\d+)/].map(
        (part) => part.exec(stdout)?.[1],
      );
      if (rate === undefined || calls === undefined) throw new Error(`pgbench said something new:\n${stdout}`);
      if (order === 'as handed out') this.#items.leaveOut(Number(calls) + clients);
      return Number(rate);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async #prepare(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      await client.query(createFunction);
      await client.query('vacuum analyze');
      await client.query('checkpoint');
    } finally {
      await client.end();
    }
    const folder = await mkdtemp(join(tmpdir(), 'granary-bench-'));
    this.#cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
    this.#folder = folder;
  }

  /** The items in the same orders as `Items` has them; a variable of pgbench lives as long as its client. */
  #script(order: Order, clients: number): string[] {
    const { jobs, itemsInAJob } = this.#size;
    const call = 'select update_succeeded_item(:job, 1, :item);';
    if (order === 'at random') return [`\\set job random(1, ${jobs})`, `\\set item random(1, ${itemsInAJob})`, call];
    return [
      `\\set index (${this.#items.taken} + :turn * ${clients} + :client_id) % ${jobs * itemsInAJob}`,
      `\\set job 1 + :index / ${itemsInAJob}`,
      `\\set item 1 + :index % ${itemsInAJob}`,
      '\\set turn :turn + 1',
      call,
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanUp.disposeAsync();
  }
}

async function fillPeer(url: string, size: Size): Promise<void> {
  await using engine = new PostgresEngine({
    url,
    schemas: [translation.schema],
    clock: systemClock,
    log: silentLog,
    prefix: 'peer',
  });
  await engine.start();
  await fillJobs(await engine.create('Translation', translation.name), { ...size, state: 'in progress' });
}
