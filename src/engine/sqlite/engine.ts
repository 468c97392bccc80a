import { existsSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { Catalog, type Entry } from '../catalog.ts';
import type { Database } from '../db.ts';
import type { Engine, ListedDatabase, Schema } from '../engine.ts';
import { EngineFault } from '../fault.ts';
import { safeName } from '../names.ts';
import { OpenDatabases } from '../open-databases.ts';
import { systemKind } from '../own-schema.ts';
import { Schemas } from '../schemas.ts';
import { Checkpointer } from './checkpointer.ts';
import { Connection } from './connection.ts';
import { SqliteDatabase } from './database.ts';
import { migrate } from './migrate.ts';

/** The longest name of a file, without its ending, that every file system takes. */
const longestFile = 100;

/** The system database is the file granary.db, so no other may be called that. */
const systemFile = 'granary';

/** What the SQLite engine runs on. */
export interface SqliteEngineOptions {
  /** Where the files are; made when it is not there. */
  readonly folder: string;
  readonly schemas: readonly Schema[];
  readonly clock: Clock;
  readonly log: Log;
}

interface Running {
  readonly system: SqliteDatabase;
  readonly catalog: Catalog;
  readonly checkpointer: Checkpointer;
}

/** Databases as files of SQLite in one folder: `granary.db` holds the list, each database is a file beside it. */
export class SqliteEngine implements Engine {
  readonly name = 'sqlite';
  readonly #folder: string;
  readonly #schemas: Schemas;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #opened = new OpenDatabases<SqliteDatabase>();
  #running: Running | undefined;

  constructor({ folder, schemas, clock, log }: SqliteEngineOptions) {
    this.#folder = folder;
    this.#schemas = new Schemas(schemas);
    this.#clock = clock;
    this.#log = log;
  }

  get system(): Database {
    return this.#state.system;
  }

  async start(): Promise<void> {
    if (this.#running !== undefined) return;
    await mkdir(this.#folder, { recursive: true });
    const checkpointer = new Checkpointer();
    const system = this.#openFile(
      systemFile,
      { name: systemFile, kind: systemKind },
      this.#schemas.system,
      checkpointer,
    );
    const catalog = new Catalog(system, this.#clock, (name) => {
      const file = safeName(name, longestFile);
      return file === systemFile ? `${file}-database` : file;
    });
    this.#running = { system, catalog, checkpointer };
    for (const place of await catalog.droppedPlaces()) await this.#removeFile(place);
  }

  async stop(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    await this.#opened.closeAll();
    await running.system.close();
    await running.checkpointer.stop();
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
    await syncFolder(this.#folder);
    await catalog.markReady(entry);
    return database;
  }

  async drop(name: string): Promise<void> {
    const entry = await this.#state.catalog.drop(name);
    await this.#opened.close(entry.id);
    await this.#removeFile(entry.place);
    this.#log.info('database dropped', { database: entry.name });
  }

  get #state(): Running {
    if (this.#running === undefined) throw new EngineFault('The engine is not running.');
    return this.#running;
  }

  #openEntry(entry: Entry): Promise<SqliteDatabase> {
    const { checkpointer } = this.#state;
    return this.#opened.get(entry, async () => {
      if (entry.ready === 1 && !existsSync(this.#path(entry.place))) {
        throw new EngineFault(`The file ${this.#path(entry.place)} of the database ${entry.name} is missing.`);
      }
      return this.#openFile(entry.place, entry, this.#schemas.of(entry.kind), checkpointer);
    });
  }

  #openFile(
    place: string,
    { name, kind }: { readonly name: string; readonly kind: string },
    schemas: readonly Schema[],
    checkpointer: Checkpointer,
  ): SqliteDatabase {
    const connection = new Connection(this.#path(place), 'writer');
    try {
      migrate(connection, name, schemas, this.#clock);
      return new SqliteDatabase({ name, kind, connection, checkpointer, log: this.#log.with({ database: name }) });
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  async #removeFile(place: string): Promise<void> {
    for (const ending of ['', '-wal', '-shm']) await rm(`${this.#path(place)}${ending}`, { force: true });
  }

  #path(place: string): string {
    return join(this.#folder, `${place}.db`);
  }
}

/** A new file is only there after a power loss when its folder is on disk too. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
