import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { Catalog, type Entry } from '../catalog.ts';
import { quoted } from '../compile.ts';
import type { Database } from '../db.ts';
import type { Engine, ListedDatabase, Schema } from '../engine.ts';
import { EngineFault } from '../fault.ts';
import { safeName } from '../names.ts';
import { OpenDatabases } from '../open-databases.ts';
import { systemKind } from '../own-schema.ts';
import { Schemas } from '../schemas.ts';
import { PostgresDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { Pool, type Server } from './pool.ts';

/** The longest identifier of PostgreSQL, less the room for a number behind a name that was used before. */
const longestSchema = 63 - 5;

/** What the PostgreSQL engine runs on. */
export interface PostgresEngineOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  readonly schemas: readonly Schema[];
  readonly clock: Clock;
  readonly log: Log;
  /** Connections a database may open for its readers, and again for its writers. */
  readonly poolSize?: number;
  /** The schema of the system database and the start of all others' names, so that several Granaries can share one PostgreSQL. */
  readonly prefix?: string;
}

interface Running {
  readonly system: PostgresDatabase;
  readonly catalog: Catalog;
}

/** Databases as schemas of one PostgreSQL database; several Granary nodes may use it at once. */
export class PostgresEngine implements Engine {
  readonly name = 'postgres';
  readonly #server: Server;
  readonly #schemas: Schemas;
  readonly #clock: Clock;
  readonly #poolSize: number;
  readonly #prefix: string;
  readonly #opened = new OpenDatabases<PostgresDatabase>();
  #running: Running | undefined;

  constructor({ url, schemas, clock, log, poolSize = 8, prefix = 'granary' }: PostgresEngineOptions) {
    if (!/^[a-z][a-z0-9_]{0,19}$/.test(prefix)) {
      throw new EngineFault(`${prefix} is no prefix of schemas: it has up to 20 small letters, digits and _.`);
    }
    this.#server = { url, log };
    this.#schemas = new Schemas(schemas);
    this.#clock = clock;
    this.#poolSize = poolSize;
    this.#prefix = prefix;
  }

  get system(): Database {
    return this.#state.system;
  }

  async start(): Promise<void> {
    if (this.#running !== undefined) return;
    const system = await this.#openSchema(this.#prefix, { name: 'granary', kind: systemKind }, this.#schemas.system);
    const catalog = new Catalog(system, this.#clock, (name) => {
      return `${this.#prefix}_${safeName(name, longestSchema - this.#prefix.length)}`;
    });
    this.#running = { system, catalog };
    for (const place of await catalog.droppedPlaces()) await this.#removeSchema(place);
  }

  async stop(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    await this.#opened.closeAll();
    await running.system.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async list(): Promise<readonly ListedDatabase[]> {
    return this.#state.catalog.list();
  }

  async open(name: string): Promise<Database | undefined> {
    const entry = await this.#state.catalog.find(name);
    await this.#opened.closeForgotten(name, entry);
    return entry === undefined || entry.ready !== 1 ? undefined : this.#openEntry(entry);
  }

  async create(name: string, kind: string): Promise<Database> {
    this.#schemas.of(kind);
    const { catalog } = this.#state;
    const entry = await catalog.reserve(name, kind);
    const database = await this.#openEntry(entry);
    await catalog.markReady(entry);
    return database;
  }

  async drop(name: string): Promise<void> {
    const entry = await this.#state.catalog.drop(name);
    await this.#opened.close(entry.id);
    await this.#removeSchema(entry.place);
    this.#server.log.info('database dropped', { database: entry.name });
  }

  get #state(): Running {
    if (this.#running === undefined) throw new EngineFault('The engine is not running.');
    return this.#running;
  }

  #openEntry(entry: Entry): Promise<PostgresDatabase> {
    return this.#opened.get(entry, () => this.#openSchema(entry.place, entry, this.#schemas.of(entry.kind)));
  }

  async #openSchema(
    schema: string,
    { name, kind }: { readonly name: string; readonly kind: string },
    schemas: readonly Schema[],
  ): Promise<PostgresDatabase> {
    const target = { database: name, schema, schemas };
    await this.#once(schema, (pool) => pool.use({}, (link) => migrate(link, target, this.#clock)));
    return new PostgresDatabase({ name, kind, server: this.#server, schema, poolSize: this.#poolSize });
  }

  #removeSchema(schema: string): Promise<void> {
    return this.#once(this.#prefix, (pool) =>
      pool.use({}, async (link) => {
        await link.exec(`drop schema if exists ${quoted(schema)} cascade`);
      }),
    );
  }

  /** Work on a connection that is closed after it. */
  async #once(schema: string, work: (pool: Pool) => Promise<void>): Promise<void> {
    const pool = new Pool(this.#server, schema, 1);
    try {
      await work(pool);
    } finally {
      await pool.close({ cut: false });
    }
  }
}
