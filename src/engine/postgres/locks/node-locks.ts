import { createHash } from 'node:crypto';
import { sqlError } from '../../../base/messages/sql-error.ts';
import type { SharedLock, SharedLocks, SharedWait } from '../../shared-locks.ts';
import { hangUp, type Session } from '../connect/open-session.ts';
import type { Server } from '../connect/server.ts';
import { translated } from '../errors.ts';
import { PublishedWaits } from './published-waits.ts';
import { type Conflict, codeOf } from './wait-cycles.ts';

/** Milliseconds after which the session is closed when no lock is held. */
const rest = 5000;

/** The share of PostgreSQL's lock table that the locks of a node may fill: every transaction needs some of it. */
const shareOfTable = 1 / 4;

/** A name takes 61 bits of the key; the rest says what is locked: a mode, or the check of all modes. */
const modeBits = 3n;
const looking = 7;

const sizeOfTable = `select current_setting('max_locks_per_transaction')::int *
  (current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int) as size`;

/**
 * Locks of a node as advisory locks of one session. PostgreSQL releases them when the session ends: when the node dies,
 * or is silent for so long that the server closes it, by the server's own clock. A mode is a shared lock on its own
 * key; whether others hold a conflicting mode is checked while nobody else checks that name.
 */
export class NodeLocks implements SharedLocks {
  readonly #server: Server;
  readonly #scope: string;
  readonly #published: PublishedWaits;
  #session: Promise<Session> | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #held = 0;
  #most = Number.POSITIVE_INFINITY;
  #heardAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #lost: () => void = () => {};

  get #longestRest(): number {
    return this.#server.longestRest;
  }

  /** `scope` keeps the names of several Granaries in one PostgreSQL apart. */
  constructor(server: Server, scope: string) {
    this.#server = server;
    this.#scope = scope;
    this.#published = new PublishedWaits(
      (text) => this.#ask(text),
      ({ name, mode }: SharedLock) => codeOf(Number(this.#hash(name) & 0xffff_ffffn), mode),
    );
  }

  /** Known once the first session is open. */
  get most(): number {
    return this.#most;
  }

  onLost(listener: () => void): void {
    this.#lost = listener;
  }

  tellWaits(waits: readonly SharedWait[], conflict: Conflict): Promise<SharedWait[]> {
    return this.#published.publish(waits, conflict);
  }

  async take(name: string, mode: number, conflicting: readonly number[]): Promise<boolean> {
    const keys = conflicting.map((each) => this.#key(name, each));
    const text = `
      select pg_advisory_xact_lock(${this.#key(name, looking)});
      select case when exists (
        select from pg_locks
        where locktype = 'advisory' and objsubid = 1 and granted and pid <> pg_backend_pid()
          and database = (select oid from pg_database where datname = current_database())
          and (classid::bigint << 32 | objid::bigint) in (${[...keys, 'null'].join(', ')})
      ) then false else pg_try_advisory_lock_shared(${this.#key(name, mode)}) end as taken`;
    if (this.#held >= this.#most) throw sqlError(1204);
    // Counted before it exists, so that the session is not closed in the meantime.
    this.#held++;
    try {
      const [answer] = await this.#server.patiently(() => this.#ask(text));
      const isTaken = answer?.['taken'] === true;
      if (!isTaken) this.#held--;
      return isTaken;
    } catch (error) {
      this.#held--;
      throw error;
    }
  }

  async give(name: string, mode: number): Promise<void> {
    if (this.#held === 0) return;
    this.#held--;
    await this.#ask(`select pg_advisory_unlock_shared(${this.#key(name, mode)})`).catch((error: unknown) =>
      // The lock ends with its session.
      this.#server.log.warn('a lock could not be released', { error: String(error) }),
    );
  }

  /** Releases everything. */
  async stop(): Promise<void> {
    this.#held = 0;
    const session = await this.#session?.catch(() => undefined);
    this.#session = undefined;
    clearInterval(this.#timer);
    if (session !== undefined) await hangUp(session.client);
  }

  /** Statements are run one after another on the single session. */
  #ask(text: string): Promise<Record<string, unknown>[]> {
    const answer = this.#tail.then(() => this.#run(text));
    this.#tail = answer.catch(() => {});
    return answer;
  }

  async #run(text: string): Promise<Record<string, unknown>[]> {
    this.#session ??= this.#open();
    const { client } = await this.#session;
    try {
      const results = [await client.query(text)].flat();
      this.#heardAt = performance.now();
      return results.at(-1)?.rows ?? [];
    } catch (error) {
      throw translated(error, text);
    }
  }

  async #open(): Promise<Session> {
    try {
      // The node must consider its locks lost before the server does.
      const settings = {
        idle_session_timeout: String(1.5 * this.#longestRest),
        statement_timeout: String(this.#longestRest),
      };
      const session = await this.#server.connect({ settings });
      const { rows } = await session.client.query(sizeOfTable);
      this.#most = Math.floor(Number(rows[0]?.['size']) * shareOfTable);
      session.client.once('end', () => this.#over(session));
      this.#heardAt = performance.now();
      clearInterval(this.#timer);
      this.#timer = setInterval(() => this.#beat(session), 0.3 * this.#longestRest).unref();
      return session;
    } catch (error) {
      this.#session = undefined;
      throw error;
    }
  }

  #beat({ client }: Session): void {
    const silence = performance.now() - this.#heardAt;
    if (silence > this.#longestRest) client.connection.stream.destroy();
    else if (this.#held > 0) this.#ask('select 1').catch(() => {});
    else if (silence > rest) void this.stop();
  }

  /** The session has ended, and with it all locks. */
  async #over(ended: Session): Promise<void> {
    if ((await this.#session?.catch(() => undefined)) !== ended) return;
    this.#session = undefined;
    clearInterval(this.#timer);
    if (this.#held === 0) return;
    this.#held = 0;
    this.#server.log.warn('the locks of sp_getapplock were lost with their connection to PostgreSQL');
    this.#lost();
  }

  #key(name: string, mode: number): bigint {
    return BigInt.asIntN(64, (this.#hash(name) << modeBits) | BigInt(mode));
  }

  #hash(name: string): bigint {
    return createHash('sha256').update(`${this.#scope}\0${name}`).digest().readBigUInt64BE();
  }
}
