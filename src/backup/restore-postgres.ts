import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Migration } from '../engine/engine.ts';
import { messageOf } from '../engine/fault.ts';
import { dumpFile, dumpFolder, dumpList, type StoredDump, sectionOf } from '../engine/postgres/archive/dump.ts';
import type { PostgresRestore } from '../engine/postgres/archive/restore.ts';
import { migrationsTable, type StoredSequence, sequencesFile } from '../engine/postgres/archive/stored-tables.ts';
import { type Found, findTool } from '../engine/postgres/archive/tools.ts';
import { archivedFiles, type ReadProgress } from './archive-reader.ts';
import type { Manifest, StoredDatabase } from './manifest.ts';

/** How a stored database is restored: into which schema, and which of the known migrations it has. */
interface Target {
  readonly place: string;
  readonly migrations: readonly Migration[];
}

/** What is to be restored, and with which programs. */
interface Task {
  readonly archive: string;
  readonly manifest: Manifest;
  /** The target of a database; undefined if it is not to be restored. */
  targetOf(database: StoredDatabase): Target | undefined;
  /** Where pg_restore is searched. */
  readonly tools: string | undefined;
  readonly now: Date;
  readonly progress?: ReadProgress;
}

type Content = AsyncIterable<Buffer>;

type LayerTarget = Target & Pick<Task, 'tools' | 'now'> & { readonly isMoved: boolean };

/**
 * Restores databases of an archive into a PostgreSQL, all or none; returns lines that say which program created the
 * tables.
 */
export async function restoreInto(restore: PostgresRestore, task: Task): Promise<string> {
  const { archive, manifest, targetOf, tools, now, progress } = task;
  const makers = new Set<string>();
  let current: { readonly database: StoredDatabase; readonly layer: Layer } | undefined;
  for await (const { path, content } of archivedFiles(archive, progress)) {
    const [, place, file = ''] = /^databases\/([^/]+)\/(.+)$/s.exec(path) ?? [];
    const database = manifest.databases.find((each) => each.place === place);
    const target = database && targetOf(database);
    if (database === undefined || target === undefined) continue;
    if (database !== current?.database) {
      await current?.layer.end();
      current = { database, layer: new Layer(restore, { ...target, isMoved: target.place !== place, tools, now }) };
    }
    const maker = await current.layer.take(file, content);
    if (maker !== undefined) makers.add(maker);
  }
  await current?.layer.end();
  return [...makers].map((line) => `${line}\n`).join('');
}

/** Restores one database, file by file as they are read from the archive. */
class Layer {
  readonly #restore: PostgresRestore;
  readonly #target: LayerTarget;
  #madeBy: 'migrations' | 'pg_restore' | undefined;
  #dump: StoredDump = { major: 0, tables: [] };
  #after = '';

  constructor(restore: PostgresRestore, target: LayerTarget) {
    this.#restore = restore;
    this.#target = target;
  }

  /** Processes a file; if it creates the tables, returns the program that did. */
  async take(file: string, content: Content): Promise<string | undefined> {
    if (file === dumpFile) this.#dump = await parsed<StoredDump>(content);
    else if (file === join(dumpFolder, dumpList)) return this.#makeAsDumped(await whole(content));
    else if (dirname(file) === dumpFolder) await this.#fillFromDump(basename(file), content);
    else {
      await this.#makeByMigrations();
      if (file === sequencesFile) await this.#restore.number(await parsed<StoredSequence[]>(content));
      else await this.#restore.fill(file, content);
    }
    return undefined;
  }

  /** Creates what comes after the rows: indexes and constraints. */
  async end(): Promise<void> {
    if (this.#after !== '') await this.#restore.finish(this.#after);
  }

  async #makeByMigrations(): Promise<void> {
    if (this.#madeBy !== undefined) return;
    this.#madeBy = 'migrations';
    const { place, migrations, now } = this.#target;
    await this.#restore.prepare(place, migrations, now);
  }

  async #makeAsDumped(list: Buffer): Promise<string> {
    let found = await this.#program();
    if ('tool' in found) {
      const { tool } = found;
      try {
        await using folder = await mkdtempDisposable(join(tmpdir(), 'granary-restore-'));
        await writeFile(join(folder.path, dumpList), list);
        this.#after = await sectionOf(tool, folder.path, 'post-data');
        await this.#restore.make(this.#target.place, await sectionOf(tool, folder.path, 'pre-data'));
        this.#madeBy = 'pg_restore';
        return `Tables created by ${tool.path} ${tool.version}.`;
      } catch (error) {
        this.#after = '';
        found = { lack: messageOf(error) };
      }
    }
    await this.#makeByMigrations();
    return `Tables created without pg_restore: ${found.lack}.`;
  }

  /** A pg_restore that can read the dump and generates statements that this PostgreSQL understands. */
  async #program(): Promise<Found> {
    const { isMoved, tools } = this.#target;
    if (isMoved) return { lack: 'it cannot rename a schema' };
    const server = await this.#restore.major();
    const { major } = this.#dump;
    return findTool('pg_restore', tools, (own) => {
      if (own < major) return `is older than the pg_dump ${major} that wrote the backup`;
      return own > server ? `is newer than PostgreSQL ${server}` : undefined;
    });
  }

  async #fillFromDump(file: string, content: Content): Promise<void> {
    const table = this.#dump.tables.find((each) => each.file === file);
    // The migrations table was filled as the migrations were applied.
    if (table === undefined || (this.#madeBy === 'migrations' && table.name === migrationsTable)) return;
    await this.#restore.fillAs(table.name, table.columns, 'text', content);
  }
}

async function whole(content: Content): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(content));
}

/** Parses JSON that a backup wrote, from an archive with valid checksums. */
async function parsed<Written>(content: Content): Promise<Written> {
  return JSON.parse((await whole(content)).toString());
}
