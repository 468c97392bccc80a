import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Source, writeArchive } from './archive-writer.ts';
import { formOf, type Manifest, type StoredDatabase } from './manifest.ts';

/** The progress of a backup: the current step, and the share of it that is done. */
type Progress = (what: string, share: number) => void;

/** A database whose snapshot is held. */
interface Held extends StoredDatabase {
  /** Copies the state into files of a folder and returns their names. */
  copyTo(folder: string, progress: (share: number) => void, signal: AbortSignal): Promise<readonly string[]>;
}

/** The archive while it is written, in the folder of the copies; no table or database has a name like this. */
const draftName = '.archive';

/** The contents of a backup. */
export interface Moment {
  readonly engine: Manifest['engine'];
  readonly moment: Date;
  readonly whole: boolean;
  readonly databases: readonly Held[];
  /** Files that belong to the data besides the databases: the certificate. */
  readonly others: readonly Source[];
  /** Which program read the databases, if there is a choice; asked for at the end. */
  how?(): string;
}

/**
 * Writes a snapshot into an archive, one database after the other, so that at most one temporary copy exists. If it
 * fails, or the signal aborts it, nothing is left.
 */
export async function backUp(
  target: string,
  release: string,
  held: Moment,
  progress: Progress,
  signal: AbortSignal,
): Promise<Manifest> {
  const folder = await mkdtemp(join(dirname(resolve(target)), '.granary-backup-'));
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const copied = sources(held, folder, progress, signal);
  // In a separate folder: two backups to one file at the same time are each complete.
  const places = { draft: join(folder, draftName), file: resolve(target) };
  return await writeArchive(places, copied, signal, (files) => ({
    format: formOf(files),
    release,
    engine: held.engine,
    moment: held.moment.toISOString(),
    whole: held.whole,
    databases: held.databases.map(({ name, kind, place, migrations }) => ({ name, kind, place, migrations })),
    files,
  }));
}

async function* sources(
  { databases, others }: Moment,
  folder: string,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<Source> {
  for (const { name, place, copyTo } of databases) {
    const files = await copyTo(folder, (share) => progress(name, share), signal);
    for (const file of files) {
      const path = join(folder, file);
      yield { path: `databases/${place}/${file}`, file: path };
      await rm(path);
    }
    progress(name, 1);
  }
  for (const source of others) if (existsSync(source.file)) yield source;
}
