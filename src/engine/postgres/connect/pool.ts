import { EngineFault, messageOf } from '../../fault.ts';
import type { PoolFigures } from '../../figures.ts';
import { preparedOn } from '../wire/batch.ts';
import { Link } from '../wire/link.ts';
import type { ConnectionHolder, Purpose } from './connections.ts';
import { hangUp, type Session } from './open-session.ts';
import type { Server } from './server.ts';
import { type Patience, Slots } from './slots.ts';
import { mostPrepared, mostPreparedText } from './statement-names.ts';

/** Milliseconds after which an idle connection is closed. */
const idleTime = 30_000;

/**
 * Planner settings. Every statement was written for an index, so a sequential scan is the last resort: before the first
 * ANALYZE of a newly filled table the planner would choose otherwise (measured: 90 ms instead of 0.2), and under
 * SERIALIZABLE a scan of the whole table conflicts with every writer. Rows of a cursor are always fetched to the end.
 */
const planning = { enable_seqscan: 'off', random_page_cost: '1.1', jit: 'off', cursor_tuple_fraction: '1' };

interface PoolOptions {
  /** What its connections are for; `brief` by default. */
  readonly purpose?: Purpose;
  /** True: statements are pipelined. */
  readonly pipeline?: boolean;
  /** Settings of PostgreSQL for these connections. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** An idle connection. */
interface Resting {
  readonly session: Session;
  /** How often the server had been lost by the time it was opened. */
  readonly losses: number;
  readonly since: number;
  readonly timer: NodeJS.Timeout;
}

/** Connections that work in one schema. */
export class Pool implements ConnectionHolder {
  readonly schema: string;
  readonly purpose: Purpose;
  readonly #server: Server;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #size: number;
  readonly #slots: Slots;
  readonly #pipeline: boolean;
  readonly #links = new Map<Link, { readonly session: Session; readonly losses: number }>();
  readonly #resting: Resting[] = [];
  /** Connections that are being closed. */
  readonly #leaving = new Set<Promise<void>>();
  #closing: PromiseWithResolvers<void> | undefined;

  constructor(server: Server, schema: string, size: number, options: PoolOptions = {}) {
    const { pipeline = false, settings = {}, purpose = 'brief' } = options;
    this.schema = schema;
    this.purpose = purpose;
    this.#server = server;
    server.connections.add(this);
    this.#size = size;
    this.#slots = new Slots(size);
    this.#pipeline = pipeline;
    this.#settings = { search_path: `"${schema}"`, ...planning, ...settings };
  }

  /** Runs work on a connection of its own; a broken one is not reused. */
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
      this.#refuseWhenClosing();
      const losses = this.#server.losses;
      const session = this.#rested() ?? (await this.#open(patience));
      if (this.#closing !== undefined) this.#leave(session);
      this.#refuseWhenClosing();
      const link = new Link(session, this.#server, this.#pipeline);
      this.#links.set(link, { session, losses });
      return link;
    } catch (error) {
      this.#slots.give();
      throw error;
    }
  }

  /** True if another pool waits for a connection that one in use here could make room for. */
  get isWanted(): boolean {
    return this.#server.connections.isWanted(this);
  }

  get restingSince(): number | undefined {
    return this.#resting[0]?.since;
  }

  letGo(): void {
    const resting = this.#resting.shift();
    if (resting === undefined) return;
    clearTimeout(resting.timer);
    deaf(resting.session);
    this.#leave(resting.session);
  }

  figures(pool: string): PoolFigures {
    const idle = this.#resting.length;
    return { pool, most: this.#size, open: this.#links.size + idle, idle, waiting: this.#slots.waiting };
  }

  /** The connections in use. */
  get links(): Iterable<Link> {
    return this.#links.keys();
  }

  giveBack(link: Link, broken: boolean): void {
    const used = this.#links.get(link);
    if (used === undefined) return;
    this.#links.delete(link);
    link.release();
    if (link.broken) this.#server.lost();
    const { statements, text } = preparedOn(used.session.client.connection);
    const isFull = statements > mostPrepared || text > mostPreparedText;
    if (broken || link.broken || isFull || this.#closing !== undefined || this.isWanted) this.#leave(used.session);
    else this.#rest(used.session, used.losses);
    this.#slots.give();
    this.#finish();
  }

  /**
   * Rejects callers that wait for a connection or a lock, and resolves when the running calls have ended. With `cut`
   * these are aborted too: a reader whose consumer has stalled would never end.
   */
  async close({ cut }: { readonly cut: boolean }): Promise<void> {
    this.#closing ??= Promise.withResolvers<void>();
    while (this.#resting.length > 0) this.letGo();
    if (cut) for (const link of [...this.#links.keys()]) this.giveBack(link, true);
    await Promise.all([...this.#links.keys()].map((link) => link.stopWaiting()));
    this.#finish();
    await this.#closing.promise;
    await Promise.all(this.#leaving);
    this.#server.connections.remove(this);
  }

  get #options() {
    return { settings: this.#settings, pipeline: this.#pipeline };
  }

  #refuseWhenClosing(): void {
    if (this.#closing !== undefined) throw new EngineFault('The database is being closed.');
  }

  #finish(): void {
    if (this.#links.size === 0) this.#closing?.resolve();
  }

  async #open(patience: Patience): Promise<Session> {
    await this.#server.connections.enter(this, patience);
    try {
      return await this.#server.connect(this.#options);
    } catch (error) {
      this.#server.connections.leave(this);
      throw error;
    }
  }

  /** The most recently used connection, unless the server was lost since it was opened. */
  #rested(): Session | undefined {
    for (;;) {
      const resting = this.#resting.pop();
      if (resting === undefined) return undefined;
      clearTimeout(resting.timer);
      deaf(resting.session);
      if (resting.losses === this.#server.losses) return resting.session;
      this.#leave(resting.session);
    }
  }

  #rest(session: Session, losses: number): void {
    const end = () => {
      this.#resting.splice(this.#resting.indexOf(resting), 1);
      clearTimeout(timer);
      deaf(session);
      this.#leave(session);
    };
    const timer = setTimeout(end, idleTime);
    timer.unref();
    const resting: Resting = { session, losses, since: performance.now(), timer };
    this.#resting.push(resting);
    session.client.once('error', (error) => {
      this.#server.log.warn('an idle PostgreSQL connection broke', { error: messageOf(error) });
      this.#server.lost();
      end();
    });
  }

  #leave({ client }: Session): void {
    const left = hangUp(client).finally(() => {
      this.#leaving.delete(left);
      this.#server.connections.leave(this);
    });
    this.#leaving.add(left);
  }
}

/** It is no longer idle: the listener for its failures is removed. */
const deaf = ({ client }: Session): void => void client.removeAllListeners('error').on('error', () => {});
