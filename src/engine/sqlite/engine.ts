import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { closeToOthers, makePrivateFile, makePrivateFolder } from '../../base/private-files.ts';
import { systemCode } from '../../base/system-code.ts';
import { BaseEngine, type EngineOptions, type Place } from '../base-engine.ts';
import type { Schema } from '../engine.ts';
import { Damage, EngineFault } from '../fault.ts';
import { safeName } from '../names.ts';
import { Connection } from './connection.ts';
import { SqliteDatabase } from './database.ts';
import { fullDisk, isFullDisk } from './errors.ts';
import { FarProcesses, mostReading, mostWriting } from './far/far-process.ts';
import { dataFiles, fileAt, filesAt, systemFile } from './files/files.ts';
import { lostList } from './files/lost-list.ts';
import { Seals } from './files/seals.ts';
import { damageAtFirstSight, damageOfShortFile, faults, undoCreation } from './files/soundness.ts';
import { writeFault } from './files/write-probe.ts';
import { Checkpointer } from './log/checkpointer.ts';
import { syncPath } from './log/sync-path.ts';
import { lacksMigrations, migrate } from './migrate.ts';

/** The maximum length of a file name, without its extension, that every file system accepts. */
const longestFile = 100;

/** Files up to this size in bytes are compared with their checksums at startup, which takes a fifth of a second. */
const comparedAtStart = 256 * 1024 ** 2;

/** The options of the SQLite engine. */
export interface SqliteEngineOptions extends EngineOptions {
  /** The folder of the files; created if it does not exist. */
  readonly folder: string;
  /** The size in bytes of a database's log above which long reads are aborted. */
  readonly longestLog?: number;
}

/**
 * Databases as SQLite files in one folder: `granary.db` holds the list, and each database is another file in the
 * folder.
 */
export class SqliteEngine extends BaseEngine<SqliteDatabase> {
  readonly name = 'sqlite';
  protected readonly systemPlace = systemFile;
  readonly #folder: string;
  readonly #longestLog: number | undefined;
  readonly #seals: Seals;
  /** Places with no known damage, which this process seals when it ends. */
  readonly #sound = new Set<string>();
  #checkpointer = new Checkpointer();
  #farReaders = new FarProcesses(mostReading);
  #farWriters = new FarProcesses(mostWriting);

  constructor({ folder, longestLog, ...options }: SqliteEngineOptions) {
    super(options);
    this.#folder = folder;
    this.#seals = new Seals(folder);
    this.#longestLog = longestLog;
  }

  protected override async prepare(): Promise<void> {
    const lost = lostList(this.#folder);
    if (lost !== undefined) throw new EngineFault(lost);
    // The folder holds password hashes and everybody's documents, so only its owner may read it.
    makePrivateFolder(this.#folder, dataFiles);
    for (const name of await readdir(this.#folder)) {
      if (/\.db(-wal|-shm)?$/.test(name)) closeToOthers(join(this.#folder, name));
    }
    this.#seals.take(comparedAtStart);
    this.#checkpointer = new Checkpointer();
    this.#farReaders = new FarProcesses(mostReading);
    this.#farWriters = new FarProcesses(mostWriting);
  }

  protected override async finish(): Promise<void> {
    await this.#checkpointer.stop();
    await Promise.all([this.#farReaders.stop(), this.#farWriters.stop()]);
    this.#seals.put(this.#sound);
    this.#sound.clear();
  }

  protected override placeOf(name: string): string {
    const file = safeName(name, longestFile);
    return file === systemFile ? `${file}-database` : file;
  }

  protected override async openAt({ name, kind, place, ready }: Place, schemas: readonly Schema[]) {
    const path = fileAt(this.#folder, place);
    undoCreation(path);
    const wasThere = ready === 1 || (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
    const damage = wasThere ? this.#damageOf(place, name) : undefined;
    if (damage !== undefined) throw damage;
    this.#sound.add(place);
    // SQLite creates the files beside the database with the same mode.
    makePrivateFile(path);
    const connection = new Connection(path, 'writer', schemas.find(({ pageSize }) => pageSize !== undefined)?.pageSize);
    connection.database = name;
    try {
      if (wasThere) settleLog(connection);
      this.#bringForward(connection, { name, place }, schemas);
      // Checkpoints what its creation wrote: a server that is idle afterwards need not keep that in the log, nor start
      // a thread for it.
      if (!wasThere) settleLog(connection);
      connection.exec('pragma shrink_memory');
      const log = this.log.with({ database: name });
      const limit = this.#longestLog === undefined ? {} : { longestLog: this.#longestLog };
      return new SqliteDatabase({
        name,
        kind,
        connection,
        checkpointer: this.#checkpointer,
        farReaders: this.#farReaders,
        farWriters: this.#farWriters,
        log,
        lost: (error) => this.lost(name, error),
        ...limit,
      });
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Applies the migrations that a file lacks, after keeping a copy of one that an earlier release has made. */
  #bringForward(connection: Connection, { name, place }: Pick<Place, 'name' | 'place'>, schemas: readonly Schema[]) {
    const kept = lacksMigrations(connection, name, schemas) ? this.#keepBefore(connection, place) : undefined;
    try {
      migrate(connection, name, schemas, this.clock);
    } catch (error) {
      // A migration that failed has changed nothing, and is tried again whenever somebody opens the database.
      if (kept !== undefined && error instanceof EngineFault) rmSync(kept);
      throw error;
    }
  }

  /**
   * Keeps a copy of a file that a newer release is about to change; it has its name when it is complete and on disk.
   */
  #keepBefore(connection: Connection, place: string): string {
    const folder = join(this.#folder, 'before-upgrade');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stem = join(folder, `${place}-${this.clock.now().toISOString().replaceAll(':', '-')}`);
    let path = `${stem}.db`;
    for (let n = 2; existsSync(path); n++) path = `${stem}-${n}.db`;
    const draft = `${path}.partial`;
    try {
      makePrivateFile(draft);
      connection.exec(`vacuum into '${draft.replaceAll("'", "''")}'`);
      syncPath(draft);
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
    syncPath(folder);
    this.log.info('the previous state of a database is kept before its upgrade', { path });
    return path;
  }

  async refusal(): Promise<string | undefined> {
    const fault = writeFault(fileAt(this.#folder, systemFile));
    if (fault === undefined) return undefined;
    const why = systemCode(fault) === 'EDQUOT' ? 'the disk quota is exhausted' : fault.message;
    return `nothing can be written in ${this.#folder}: ${why}`;
  }

  protected override async removeAt(place: string): Promise<void> {
    this.#seals.forget(place);
    this.#sound.delete(place);
    for (const file of filesAt(this.#folder, place)) await rm(file, { force: true });
  }

  /** On a full disk the file cannot be checked; opening it reports why. */
  protected override damageAtStart(place: string): Damage | undefined {
    const found = this.#damageOf(place, place);
    // If nobody opens this file and the previous server was killed, it has no other chance to be sealed.
    if (found === undefined) this.#sound.add(place);
    return found instanceof Damage ? found : undefined;
  }

  #damageOf(place: string, database: string): Error | undefined {
    const path = fileAt(this.#folder, place);
    let damage: string | undefined;
    try {
      damage = damageAtFirstSight(path) ?? this.#damageInside(place, path);
    } catch (error) {
      if (isFullDisk(error)) return fullDisk(database);
      throw error;
    }
    if (damage === undefined) return undefined;
    this.#sound.delete(place);
    return new Damage(`The file ${path} cannot be used: ${damage}. Restore it from a backup (granary restore).`);
  }

  #damageInside(place: string, path: string): string | undefined {
    const seen = this.#seals.look(place, comparedAtStart);
    if (seen === 'whole') return undefined;
    return seen?.changed ?? damageOfShortFile(path);
  }

  protected override async damageAt(place: string): Promise<readonly string[]> {
    const path = fileAt(this.#folder, place);
    const seen = this.#seals.look(place);
    const damage = damageAtFirstSight(path) ?? (typeof seen === 'object' ? seen.changed : undefined);
    const found = damage === undefined ? faults(path, 'integrity_check') : [damage];
    if (found.length > 0) this.#sound.delete(place);
    return found;
  }

  protected override sizesAt(places: readonly string[]) {
    return Promise.all(
      places.map(async (place) => {
        const path = fileAt(this.#folder, place);
        const [file, logBytes] = await Promise.all([lengthOf(path), lengthOf(`${path}-wal`)]);
        return { bytes: file + logBytes, logBytes };
      }),
    );
  }

  /** After a power loss a new file only exists if its folder was synced too. */
  protected override async settle(): Promise<void> {
    await using folder = await open(this.#folder, 'r');
    await folder.sync();
  }
}

/** The size of a file in bytes; a log does not exist before the first commit. */
async function lengthOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/**
 * Checkpoints and syncs what a killed server left in the log: otherwise readers would see data that the next power loss
 * removes, and later commits would come after a gap in the log.
 */
function settleLog(connection: Connection): void {
  // If another process uses the file, this would wait for it; that process did the same at its own start.
  connection.exec('pragma busy_timeout = 0; pragma synchronous = full');
  connection.exec('pragma wal_checkpoint(truncate)');
  connection.exec('pragma busy_timeout = 5000; pragma synchronous = normal');
}
