import pg from 'pg';
import type { Log } from '../../base/log.ts';
import { EngineFault, messageOf } from '../fault.ts';
import type { PoolFigures } from '../figures.ts';
import { isLoss, translated } from './errors.ts';
import { Link } from './link.ts';
import { type Patience, Slots } from './slots.ts';

/** How long opening a connection may take. */
const connectTimeout = 10_000;

/** What every connection to PostgreSQL is made from. */
export interface Server {
  readonly url: string;
  readonly log: Log;
}

/**
 * What the planner is told. Every statement was written for an index, so a sequential scan is only the last resort: before
 * the first ANALYZE of a table that was just filled the planner would guess otherwise (measured: 90 ms for 0.2), and
 * under SERIALIZABLE a scan of the whole table conflicts with every writer. Rows of a cursor are fetched to the end.
 */
const planning = { enable_seqscan: 'off', random_page_cost: '1.1', jit: 'off', cursor_tuple_fraction: '1' };

/** The settings of a connection that works in one schema. */
function clientConfig(url: string, schema: string, own: Readonly<Record<string, string>>): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'granary',
    keepAlive: true,
    connectionTimeoutMillis: connectTimeout,
    options: Object.entries({ search_path: `"${schema}"`, ...planning, ...own })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  };
}

interface PoolOptions {
  /** True: statements go out without waiting for the answers to those before. */
  readonly pipeline?: boolean;
  /** Settings of PostgreSQL for these connections. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Connections that work in one schema. */
export class Pool {
  readonly #server: Server;
  readonly #pool: pg.Pool;
  readonly #slots: Slots;
  readonly #pipeline: boolean;
  readonly #links = new Set<Link>();
  #closing = false;

  constructor(server: Server, schema: string, size: number, { pipeline = false, settings = {} }: PoolOptions = {}) {
    this.#server = server;
    this.#slots = new Slots(size);
    this.#pipeline = pipeline;
    const config = clientConfig(server.url, schema, settings);
    this.#pool = new pg.Pool({ ...config, max: size, idleTimeoutMillis: 30_000, pipeline });
    // An idle connection that breaks is dropped by the pool; without a listener its error would end the process.
    this.#pool.on('error', (error) => {
      if (!this.#closing) server.log.warn('an idle PostgreSQL connection broke', { error: messageOf(error) });
    });
  }

  /** Runs work with a connection of its own; one that broke is not used again. */
  async use<T>(patience: Patience, work: (link: Link) => Promise<T>): Promise<T> {
    const link = await this.take(patience);
    let broken = true;
    try {
      const value = await work(link);
      broken = false;
      return value;
    } catch (error) {
      broken = link.broken;
      throw error;
    } finally {
      this.giveBack(link, broken);
    }
  }

  async take(patience: Patience): Promise<Link> {
    await this.#slots.take(patience);
    try {
      if (this.#closing) throw new EngineFault('The database is being closed.');
      const link = new Link(await this.#pool.connect(), (processId) => this.#cancel(processId), this.#pipeline);
      this.#links.add(link);
      return link;
    } catch (error) {
      this.#slots.give();
      throw translated(error, 'connect');
    }
  }

  figures(pool: string): PoolFigures {
    const { totalCount: open, idleCount: idle, options } = this.#pool;
    return { pool, most: options.max, open, idle, waiting: this.#slots.waiting };
  }

  /** The connections in use. */
  get links(): Iterable<Link> {
    return this.#links;
  }

  giveBack(link: Link, broken: boolean): void {
    if (!this.#links.delete(link)) return;
    link.release(broken || link.broken);
    this.#slots.give();
  }

  /**
   * Refuses who waits for a connection or a lock, and resolves when the calls that run have ended. With `cut` those are
   * cut off too: a reader whose consumer has stalled would never end.
   */
  async close({ cut }: { readonly cut: boolean }): Promise<void> {
    this.#closing = true;
    if (cut) for (const link of this.#links) this.giveBack(link, true);
    await Promise.all([...this.#links].map((link) => link.stopWaiting()));
    await this.#pool.end();
  }

  /** Stops what a connection is doing, from a connection of its own: the pool's may all be waiting. */
  async #cancel(processId: number): Promise<void> {
    const client = new pg.Client({ connectionString: this.#server.url, connectionTimeoutMillis: connectTimeout });
    try {
      await client.connect();
      await client.query('select pg_cancel_backend($1)', [processId]);
    } catch (error) {
      this.#server.log.warn('a PostgreSQL statement could not be cancelled', { error: messageOf(error) });
    } finally {
      await client.end().catch((error: unknown) => {
        if (!isLoss(error)) throw error;
      });
    }
  }
}
