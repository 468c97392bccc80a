import { existsSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { closeToOthers, makePrivateFile, makePrivateFolder } from '../../base/private-files.ts';
import { BaseEngine, type EngineOptions, type Place } from '../base-engine.ts';
import type { Schema } from '../engine.ts';
import { EngineFault } from '../fault.ts';
import { safeName } from '../names.ts';
import { Checkpointer } from './checkpointer.ts';
import { Connection } from './connection.ts';
import { SqliteDatabase } from './database.ts';
import { dataFiles, fileAt, systemFile } from './files.ts';
import { migrate } from './migrate.ts';
import { ReaderProcesses } from './reader-process.ts';

/** The longest name of a file, without its ending, that every file system takes. */
const longestFile = 100;

/** What the SQLite engine runs on. */
export interface SqliteEngineOptions extends EngineOptions {
  /** Where the files are; made when it is not there. */
  readonly folder: string;
  /** Bytes of a database's log past which its oldest snapshot is cut. */
  readonly longestLog?: number;
}

/** Databases as files of SQLite in one folder: `granary.db` holds the list, each database is a file beside it. */
export class SqliteEngine extends BaseEngine<SqliteDatabase> {
  readonly name = 'sqlite';
  protected readonly systemPlace = systemFile;
  readonly #folder: string;
  readonly #longestLog: number | undefined;
  #checkpointer = new Checkpointer();
  #readerProcesses = new ReaderProcesses();

  constructor({ folder, longestLog, ...options }: SqliteEngineOptions) {
    super(options);
    this.#folder = folder;
    this.#longestLog = longestLog;
  }

  protected override async prepare(): Promise<void> {
    // Hashes of passwords and everybody's documents: what is here is its owner's alone.
    makePrivateFolder(this.#folder, dataFiles);
    for (const name of await readdir(this.#folder)) {
      if (/\.db(-wal|-shm)?$/.test(name)) closeToOthers(join(this.#folder, name));
    }
    this.#checkpointer = new Checkpointer();
    this.#readerProcesses = new ReaderProcesses();
  }

  protected override async finish(): Promise<void> {
    await this.#checkpointer.stop();
    this.#readerProcesses.stop();
  }

  protected override placeOf(name: string): string {
    const file = safeName(name, longestFile);
    return file === systemFile ? `${file}-database` : file;
  }

  protected override async openAt({ name, kind, place, ready }: Place, schemas: readonly Schema[]) {
    const path = fileAt(this.#folder, place);
    if (ready === 1 && !existsSync(path)) {
      throw new EngineFault(`The file ${path} of the database ${name} is missing.`);
    }
    // SQLite gives the files beside it the mode of the database's own.
    makePrivateFile(path);
    const connection = new Connection(path, 'writer', schemas.find(({ pageSize }) => pageSize !== undefined)?.pageSize);
    try {
      migrate(connection, name, schemas, this.clock);
      const log = this.log.with({ database: name });
      const limit = this.#longestLog === undefined ? {} : { longestLog: this.#longestLog };
      return new SqliteDatabase({
        name,
        kind,
        connection,
        checkpointer: this.#checkpointer,
        readerProcesses: this.#readerProcesses,
        log,
        ...limit,
      });
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  protected override async removeAt(place: string): Promise<void> {
    for (const ending of ['', '-wal', '-shm']) await rm(`${fileAt(this.#folder, place)}${ending}`, { force: true });
  }

  protected override async sizeAt(place: string) {
    const path = fileAt(this.#folder, place);
    const [file, logBytes] = await Promise.all([lengthOf(path), lengthOf(`${path}-wal`)]);
    return { bytes: file + logBytes, logBytes };
  }

  /** A new file is only there after a power loss when its folder is on disk too. */
  protected override async settle(): Promise<void> {
    await using folder = await open(this.#folder, 'r');
    await folder.sync();
  }
}

/** The bytes of a file; a log is not there before the first commit. */
async function lengthOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}
