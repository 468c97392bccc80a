import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log/log.ts';
import { sqlErrorOf } from '../base/messages/sql-error.ts';
import { Catalog, type Entry } from './catalog.ts';
import type { Database, Db, LockWait } from './db.ts';
import type { Contents, DatabaseSize, Engine, ListedDatabase, Schema } from './engine.ts';
import { Damage, EngineFault } from './fault.ts';
import type { DatabaseFigures, Measured } from './figures.ts';
import { ownName, standInName } from './names.ts';
import { type Closable, OpenDatabases } from './open-databases.ts';
import { systemKind } from './own-schema.ts';
import { Schemas } from './schemas.ts';

/** What every engine needs in addition to its own storage options. */
export interface EngineOptions {
  readonly schemas: readonly Schema[];
  readonly clock: Clock;
  readonly log: Log;
  /** Called when a database can no longer store anything until the process is restarted. */
  lost?(database: string, error: Error): void;
}

/** Where a database is stored. If it is `ready`, it was created earlier and must exist. */
export type Place = Pick<Entry, 'name' | 'kind' | 'place' | 'ready'>;

/** A database that has been created, and its catalog entry. */
interface Made<D> {
  readonly entry: Entry;
  readonly database: D;
}

/**
 * The common part of the engines: the list of databases and which of them are open. How a database is stored at a place
 * (a file, a schema) is up to each engine.
 */
export abstract class BaseEngine<D extends Database & Closable & Measured> implements Engine {
  abstract readonly name: Engine['name'];
  readonly mostHeld: number = Number.POSITIVE_INFINITY;
  readonly clock: Clock;
  protected readonly log: Log;
  protected readonly lost: (database: string, error: Error) => void;
  readonly #schemas: Schemas;
  readonly #opened = new OpenDatabases<D>();
  readonly #suspects = new Map<string, string>();
  #running: { readonly system: D; readonly catalog: Catalog } | undefined;

  constructor({ schemas, clock, log, lost = () => {} }: EngineOptions) {
    this.lost = lost;
    this.#schemas = new Schemas(schemas);
    this.clock = clock;
    this.log = log;
  }

  /** The place of the system database. */
  protected abstract readonly systemPlace: string;

  /** The place for a new database of this name. */
  protected abstract placeOf(name: string): string;

  /** Opens the database at a place, creating it if it does not exist, and applies the missing migrations. */
  protected abstract openAt(place: Place, schemas: readonly Schema[]): Promise<D>;

  /** Removes whatever is stored at a place, if anything. */
  protected abstract removeAt(place: string): Promise<void>;

  /** The disk space used at each of these places, in the same order. */
  protected abstract sizesAt(places: readonly string[]): Promise<readonly Omit<DatabaseSize, 'name'>[]>;

  /** Checks of a place that are cheap enough for startup. */
  protected damageAtStart(_place: string): Damage | undefined {
    return undefined;
  }

  /** What is wrong with the data at a place. Empty for an engine whose server checks its own data. */
  protected async damageAt(_place: string): Promise<readonly string[]> {
    return [];
  }

  /** Descriptions of the other processes' sessions that have a transaction at a place. */
  protected async holdersOf(_place: string): Promise<readonly string[]> {
    return [];
  }

  /** Runs before anything is opened. */
  protected async prepare(): Promise<void> {}

  /** Resolves when a newly created place would survive a power failure. */
  protected async settle(): Promise<void> {}

  /** Runs after everything was closed. */
  protected async finish(): Promise<void> {}

  get system(): Database {
    return this.#state.system;
  }

  async start(): Promise<void> {
    if (this.#running !== undefined) return;
    await this.prepare();
    try {
      await this.#openAll();
    } catch (error) {
      if (this.#running === undefined) await this.finish();
      else await this.stop();
      throw error;
    }
  }

  async #openAll(): Promise<void> {
    const own: Place = { name: ownName, kind: systemKind, place: this.systemPlace, ready: 0 };
    const system = await this.openAt(own, this.#schemas.system);
    const catalog = new Catalog(system, this.clock, (name) => this.placeOf(name));
    this.#running = { system, catalog };
    for (const place of await catalog.droppedPlaces()) await this.removeAt(place);
    for (const { name, place } of await catalog.places()) this.#note(name, this.damageAtStart(place));
  }

  async stop(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    await this.#opened.closeAll();
    await running.system.close();
    await this.finish();
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

  async create(name: string, kind: string, contents?: Contents): Promise<Database> {
    return this.#list(await this.#make(name, kind, async () => {}, contents));
  }

  async adopt(name: string, kind: string, put: (place: string) => Promise<void>): Promise<Database> {
    return this.#list(await this.#make(name, kind, put));
  }

  async replace(name: string, kind: string, put: (place: string) => Promise<void>): Promise<void> {
    const { entry } = await this.#make(standInName(name), kind, put);
    await this.#refuseInUse(name);
    await this.#remove(await this.#state.catalog.replace(name, entry));
  }

  /** Creates a database with its initial contents; it is not listed yet, so nobody sees it. */
  async #make(
    name: string,
    kind: string,
    put: (place: string) => Promise<void>,
    contents?: Contents,
  ): Promise<Made<D>> {
    this.#schemas.of(kind);
    const entry = await this.#state.catalog.reserve(name, kind);
    await put(entry.place);
    const database = await this.#openEntry(entry);
    if (contents !== undefined) await database.write((db) => contents(db, database.name), { serial: true });
    await this.settle();
    return { entry, database };
  }

  async #list({ entry, database }: Made<D>): Promise<Database> {
    await this.#state.catalog.markReady(entry);
    return database;
  }

  async drop(name: string, also?: (db: Db) => Promise<unknown>): Promise<void> {
    await this.#refuseInUse(name);
    await this.#remove(await this.#state.catalog.drop(name, also));
  }

  async #refuseInUse(name: string): Promise<void> {
    const listed = await this.#state.catalog.find(name);
    if (listed === undefined) return;
    const holders = await this.holdersOf(listed.place);
    if (holders.length === 0) return;
    this.log.info('database not dropped because it is in use', { database: listed.name, holders: holders.join('; ') });
    throw sqlErrorOf(3702, holders.join('; '), listed.name);
  }

  /** Removes the stored data of a database that is no longer listed. */
  async #remove(entry: Entry): Promise<void> {
    await this.#opened.close(entry.id);
    await this.removeAt(entry.place);
    this.log.info('database dropped', { database: entry.name });
  }

  async waits(): Promise<readonly (LockWait & { readonly database: string })[]> {
    const opened = await this.#opened.all();
    const waits = opened.map(async (database) =>
      (await database.waits()).map((wait) => ({ ...wait, database: database.name })),
    );
    return (await Promise.all(waits)).flat();
  }

  async sizes(): Promise<readonly DatabaseSize[]> {
    const places = await this.#places();
    const sizes = await this.sizesAt(places.map(({ place }) => place));
    return places.map(({ name }, i) => ({ name, ...(sizes[i] ?? { bytes: 0, logBytes: 0 }) }));
  }

  async figures(): Promise<readonly DatabaseFigures[]> {
    return [this.#state.system, ...(await this.#opened.all())].map((database) => database.figures());
  }

  suspects(): ReadonlyMap<string, string> {
    return this.#suspects;
  }

  absence(): string | undefined {
    return undefined;
  }

  abstract refusal(): Promise<string | undefined>;

  async damage(): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = new Map<string, readonly string[]>();
    for (const { name, place } of await this.#places()) {
      const wrong = await this.damageAt(place);
      if (wrong.length > 0) found.set(name, wrong);
    }
    return found;
  }

  async #places(): Promise<{ name: string; place: string }[]> {
    return [{ name: ownName, place: this.systemPlace }, ...(await this.#state.catalog.places())];
  }

  get #state() {
    if (this.#running === undefined) throw new EngineFault('The engine is not running.');
    return this.#running;
  }

  #openEntry(entry: Entry): Promise<D> {
    return this.#opened.get(entry, async () => {
      try {
        const database = await this.openAt(entry, this.#schemas.of(entry.kind));
        this.#note(entry.name, undefined);
        return database;
      } catch (error) {
        if (error instanceof Damage) this.#note(entry.name, error);
        throw error;
      }
    });
  }

  /** Records that a database cannot be opened, and logs it once per cause. */
  #note(name: string, damage: Damage | undefined): void {
    const known = this.#suspects.get(name);
    if (damage === undefined) this.#suspects.delete(name);
    else if (known !== damage.message) {
      this.#suspects.set(name, damage.message);
      this.log.error('a database cannot be opened', { database: name, error: damage.message });
    }
  }
}
