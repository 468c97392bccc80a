import { createWriteStream } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { messageOf } from '../../fault.ts';
import { quoted } from '../../sql.ts';
import { CopyOut } from '../copy/copy-out.ts';
import { type DumpPlace, dumpedTables, dumpFile, dumpFolder, dumpList, dumpSchema, type StoredDump } from './dump.ts';
import { migrationsTable, type StoredSequence, sequencesFile, storedTables } from './stored-tables.ts';
import type { Found } from './tools.ts';

type Progress = (share: number) => void;

/** Copies schemas as one snapshot sees them: by pg_dump where possible, otherwise, or after it has failed, by COPY. */
export class TableReader {
  readonly #place: DumpPlace;
  readonly #client: pg.Client;
  #found: Found;

  constructor(place: DumpPlace, found: Found) {
    this.#place = place;
    this.#client = place.session.client;
    this.#found = found;
  }

  /** Which program read the tables, and why it was not pg_dump. */
  how(): string {
    if ('lack' in this.#found) return `Read without pg_dump: ${this.#found.lack}.`;
    return `Read by ${this.#found.tool.path} ${this.#found.tool.version}.`;
  }

  /** Copies a schema into files of a folder, and returns their names. */
  async copyTo(schema: string, folder: string, progress: Progress, signal: AbortSignal): Promise<string[]> {
    if ('tool' in this.#found) {
      try {
        return await this.#dump(schema, folder, progress, signal);
      } catch (error) {
        signal.throwIfAborted();
        this.#found = { lack: messageOf(error) };
        await rm(join(folder, dumpFolder), { recursive: true, force: true });
      }
    }
    return this.#copy(schema, folder, progress, signal);
  }

  async #dump(schema: string, folder: string, progress: Progress, signal: AbortSignal): Promise<string[]> {
    if ('lack' in this.#found) return [];
    const { tool } = this.#found;
    const tables = await storedTables(this.#client, schema);
    const target = join(folder, dumpFolder);
    let done = 0;
    const tableDone = () => progress(Math.min(1, ++done / tables.length));
    await rm(target, { recursive: true, force: true });
    await dumpSchema(tool, this.#place, { schema, folder: target }, tableDone, signal);
    const dump: StoredDump = { major: tool.major, tables: await dumpedTables(tool, target, tables) };
    await writeFile(join(folder, dumpFile), JSON.stringify(dump));
    await this.#writeSequences(schema, folder);
    // In the order in which a restore needs them: table definitions, then rows, referenced tables first.
    const first = [dumpList, ...dump.tables.map(({ file }) => file)];
    const files = [...first, ...(await readdir(target)).filter((name) => !first.includes(name))];
    return [dumpFile, ...files.map((name) => join(dumpFolder, name)), sequencesFile];
  }

  async #copy(schema: string, folder: string, progress: Progress, signal: AbortSignal): Promise<string[]> {
    const tables = (await storedTables(this.#client, schema)).filter(({ name }) => name !== migrationsTable);
    const files: string[] = [];
    for (const { name, columns } of tables) {
      const copy = new CopyOut(
        `copy ${quoted(schema)}.${quoted(name)} (${columns.map(quoted).join(', ')}) to stdout (format binary)`,
      );
      this.#client.query(copy);
      const rows = Readable.from(copy.chunks(), { objectMode: false });
      await pipeline(rows, createWriteStream(join(folder, name)), { signal });
      files.push(name);
      progress(files.length / tables.length);
    }
    await this.#writeSequences(schema, folder);
    return [...files, sequencesFile];
  }

  async #writeSequences(schema: string, folder: string): Promise<void> {
    const { rows } = await this.#client.query<StoredSequence>(
      `select sequencename as name, last_value::text as last from pg_sequences
       where schemaname = $1 and last_value is not null order by sequencename`,
      [schema],
    );
    await writeFile(join(folder, sequencesFile), JSON.stringify(rows));
  }
}
