import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { PostgresEngine } from '../../src/engine/postgres/engine.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { fillJobs } from './fill/jobs.ts';
import { type Caller, pick } from './load.ts';

const run = promisify(execFile);
const schema = 'peer_translation';

/** The statement of proc_UpdateSucceededItem (src/protocols/translation/update-succeeded-item.ts) as a function. */
const createFunction = `
  create function update_succeeded_item(the_job bigint, the_group bigint, the_item bigint) returns bigint
  language plpgsql as $$
  declare
    now_ms bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
    started bigint;
  begin
    update items set
      stop_time = case when now_ms < j.expired_before then j.expired_before else now_ms end,
      error_code = null, worker = null
    from jobs j
    where j.job_id = the_job and items.job_key = j.job_key
      and items.group_id = the_group and items.item_id = the_item
      and (items.stop_time is null or items.stop_time >= j.expired_before)
    returning items.start_time into started;
    return 0;
  end $$`;

const query = {
  name: 'update_succeeded_item',
  text: 'select update_succeeded_item($1::bigint, $2::bigint, $3::bigint)',
};

/** How many jobs and items the peer's tables hold. */
export interface PeerSize {
  readonly jobs: number;
  readonly itemsInAJob: number;
}

/** A PostgreSQL with fsync on, its tables made by the same migration and filled with the same rows as Granary's. */
export class PostgresPeer implements AsyncDisposable {
  readonly url: string;
  readonly #size: PeerSize;
  readonly #cleanUp: AsyncDisposableStack;
  #script = '';

  private constructor(url: string, size: PeerSize, cleanUp: AsyncDisposableStack) {
    this.url = url;
    this.#size = size;
    this.#cleanUp = cleanUp;
  }

  static async start(size: PeerSize): Promise<PostgresPeer> {
    await using cleanUp = new AsyncDisposableStack();
    const server = await startPostgres({ fsync: true });
    cleanUp.defer(() => server.stop());
    await fillPeer(server.url, size);
    const options = encodeURIComponent(`-c search_path=${schema}`);
    const peer = new PostgresPeer(`${server.url}?options=${options}`, size, cleanUp.move());
    await peer.#prepare();
    return peer;
  }

  /** A client of node-postgres that finishes a random item at each call, with a prepared statement. */
  async caller(): Promise<Caller> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    this.#cleanUp.defer(() => client.end());
    const { jobs, itemsInAJob } = this.#size;
    return () => client.query({ ...query, values: [pick(jobs), 1, pick(itemsInAJob)] });
  }

  /** Calls a second of pgbench with prepared statements; undefined where pgbench is not installed. */
  async pgbench(clients: number, milliseconds: number): Promise<number | undefined> {
    const threads = String(Math.min(clients, availableParallelism()));
    const seconds = String(Math.max(1, Math.round(milliseconds / 1000)));
    const options = ['-n', '-M', 'prepared', '-c', String(clients), '-j', threads, '-T', seconds, '-f', this.#script];
    try {
      const { stdout } = await run('pgbench', [...options, this.url]);
      const rate = /^tps = ([\d.]+) \(without initial connection time\)/m.exec(stdout)?.[1];
      if (rate === undefined) throw new Error(`pgbench said something new:\n${stdout}`);
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
    this.#script = join(folder, 'pgbench.sql');
    const { jobs, itemsInAJob } = this.#size;
    const lines = [
      `\\set job random(1, ${jobs})`,
      `\\set item random(1, ${itemsInAJob})`,
      'select update_succeeded_item(:job, 1, :item);',
    ];
    await writeFile(this.#script, `${lines.join('\n')}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanUp.disposeAsync();
  }
}

async function fillPeer(url: string, size: PeerSize): Promise<void> {
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
