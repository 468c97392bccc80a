import { systemClock } from '../../base/clock.ts';
import { BaseEngine, type EngineOptions, type Place } from '../base-engine.ts';
import type { Schema } from '../engine.ts';
import { EngineFault } from '../fault.ts';
import { safeName } from '../names.ts';
import { list, quoted, sql } from '../sql.ts';
import { Pool } from './connect/pool.ts';
import { checkPooling } from './connect/pooling.ts';
import { checkRequirements } from './connect/requirements.ts';
import { Server } from './connect/server.ts';
import { ServerClock } from './connect/server-clock.ts';
import { PostgresDatabase } from './database.ts';
import { holdersOf } from './locks/holders.ts';
import { NodeLocks } from './locks/node-locks.ts';
import { migrate } from './migrate.ts';

/** The longest identifier in PostgreSQL, minus space for a number that makes a reused name unique. */
const longestSchema = 63 - 5;

/** The share of all connections that clients may hold through snapshots and transactions; the rest is for calls. */
const heldShare = 1 / 2;

/** Options of the PostgreSQL engine. */
export interface PostgresEngineOptions extends EngineOptions {
  /** `postgres://user:password@host:port,host:port/database`, with libpq's parameters. */
  readonly url: string;
  /** Milliseconds for which calls that had no effect are retried while no server is available. */
  readonly patience?: number;
  /**
   * Milliseconds that this node may be silent in a transaction, or while holding a lock, before PostgreSQL ends its
   * session.
   */
  readonly longestRest?: number;
  /** Connections a database may open for its readers, and again for its writers. */
  readonly poolSize?: number;
  /** Maximum number of connections of all databases together. */
  readonly mostConnections?: number;
  /**
   * The schema of the system database and the prefix of all others' names, so that several Granaries can share one
   * PostgreSQL.
   */
  readonly prefix?: string;
}

/** Databases as schemas of one PostgreSQL database; several Granary nodes may use it at once. */
export class PostgresEngine extends BaseEngine<PostgresDatabase> {
  readonly name = 'postgres';
  protected readonly systemPlace: string;
  readonly sharedLocks: NodeLocks;
  override readonly mostHeld: number;
  readonly #server: Server;
  readonly #poolSize: number;

  constructor({
    url,
    patience = 30_000,
    longestRest = 10_000,
    poolSize = 8,
    mostConnections = 40,
    prefix = 'granary',
    ...options
  }: PostgresEngineOptions) {
    // A clock that a test controls takes precedence.
    const clock = options.clock === systemClock ? new ServerClock() : options.clock;
    super({ ...options, clock });
    if (!/^[a-z][a-z0-9_]{0,19}$/.test(prefix)) {
      throw new EngineFault(`${prefix} is not a valid schema prefix: use up to 20 lowercase letters, digits and _.`);
    }
    this.#server = new Server({
      url,
      log: options.log,
      patience,
      longestRest,
      clock: clock instanceof ServerClock ? clock : undefined,
      mostConnections,
    });
    this.mostHeld = Math.max(1, Math.floor(mostConnections * heldShare));
    this.#poolSize = poolSize;
    this.systemPlace = prefix;
    this.sharedLocks = new NodeLocks(this.#server, prefix);
  }

  override absence(): string | undefined {
    return this.#server.absence;
  }

  /** Sessions that are open stay so when others are refused, and answer when there is no room or nothing may be written. */
  async refusal(): Promise<string | undefined> {
    const refused = await this.#server.refusal();
    if (refused !== undefined) return refused;
    const [said] = await this.system.read((db) => db.all(lockShape, isLocked));
    return said?.locked === 'on' ? 'PostgreSQL is read-only' : undefined;
  }

  protected override placeOf(name: string): string {
    return `${this.systemPlace}_${safeName(name, longestSchema - this.systemPlace.length)}`;
  }

  protected override async prepare(): Promise<void> {
    await checkPooling(this.#server);
    await this.#once(this.systemPlace, (pool) => pool.use({}, checkRequirements));
  }

  protected override finish(): Promise<void> {
    return this.sharedLocks.stop();
  }

  protected override async openAt({ name, kind, place: schema }: Place, schemas: readonly Schema[]) {
    const target = { database: name, schema, schemas };
    await this.#server.patiently(() =>
      this.#once(schema, (pool) => pool.use({}, (link) => migrate(link, target, this.clock))),
    );
    return new PostgresDatabase({
      name,
      kind,
      server: this.#server,
      schema,
      poolSize: this.#poolSize,
    });
  }

  protected override holdersOf(schema: string): Promise<readonly string[]> {
    return holdersOf(this.#server, schema);
  }

  giveUp(): void {
    this.#server.giveUp();
  }

  protected override removeAt(schema: string): Promise<void> {
    return this.#once(this.systemPlace, (pool) =>
      pool.use({}, async (link) => {
        await link.exec(`drop schema if exists ${quoted(schema)} cascade`);
      }),
    );
  }

  /** A single query over an existing connection. */
  protected override async sizesAt(schemas: readonly string[]) {
    const found = await this.system.read((db) => db.all(sizeShape, sizesOf(schemas)));
    const sizes = new Map(found.map(({ place, bytes }) => [place, bytes]));
    return schemas.map((schema) => ({ bytes: sizes.get(schema) ?? 0, logBytes: 0 }));
  }

  /** Runs work on a connection that is closed afterwards. */
  async #once<T>(schema: string, work: (pool: Pool) => Promise<T>): Promise<T> {
    const pool = new Pool(this.#server, schema, 1);
    try {
      return await work(pool);
    } finally {
      await pool.close({ cut: false });
    }
  }
}

const lockShape = { locked: { fromStore: String } };

/** The session's own setting: the transaction that asks is read-only in any case. */
const isLocked = sql`select current_setting('default_transaction_read_only') as locked`;

const sizeShape = { place: { fromStore: String }, bytes: { fromStore: Number } };

const sizesOf = (schemas: readonly string[]) => sql`
  select n.nspname::text as place, sum(pg_total_relation_size(c.oid))::bigint as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ${list('text', schemas)} and c.relkind in ('r', 'm')
  group by n.nspname`;
