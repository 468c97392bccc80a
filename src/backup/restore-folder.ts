import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makePrivateFolder } from '../base/private-files.ts';
import {
  dataFiles,
  fileAt,
  replacedPrefix,
  restoringFolder,
  systemFile,
  usersFile,
} from '../engine/sqlite/files/files.ts';
import { type ArchivedFile, archivedFiles, type ReadProgress } from './archive-reader.ts';
import { BadArchive } from './bad-archive.ts';
import type { Manifest } from './manifest.ts';

/** Whether a folder holds data of Granary, or anything else. */
export async function holdsSomething(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => !ignored.has(name));
}

/**
 * What a folder may contain and still count as empty: files of the file system, a lock file, and remains of a restore
 * that was killed.
 */
const ignored: ReadonlySet<string> = new Set([
  'lost+found',
  'server.lock',
  'server.lock-journal',
  usersFile,
  restoringFolder,
]);

/**
 * Restores an archive as a data folder. Existing content is moved into a separate folder inside, never deleted. The
 * list of databases comes last: a folder without it is not served.
 */
export async function restoreFolder(
  archive: string,
  { databases }: Manifest,
  folder: string,
  { now, progress }: { readonly now: Date; readonly progress?: ReadProgress },
): Promise<string | undefined> {
  makePrivateFolder(folder, dataFiles);
  const fresh = join(folder, restoringFolder);
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  const places = new Map(databases.map(({ place }) => [`databases/${place}/database`, place]));
  for await (const file of archivedFiles(archive, progress)) {
    const place = places.get(file.path);
    if (place !== undefined) await laidDown(file, fileAt(fresh, place));
    else if (file.path.startsWith('tls/')) await laidDown(file, join(fresh, 'tls', basename(file.path)));
  }
  const replaced = await moveAside(folder, now);
  const isLast = (name: string) => Number(name === `${systemFile}.db`);
  const names = (await readdir(fresh)).toSorted((one, other) => isLast(one) - isLast(other));
  for (const name of names) await rename(join(fresh, name), join(folder, name));
  await rm(fresh, { recursive: true });
  await settled(folder);
  return replaced;
}

/** Writes one file of an archive, complete and on disk. */
export async function laidDown({ path, content }: ArchivedFile, target: string): Promise<void> {
  if (existsSync(target)) throw new BadArchive(`${path} occurs twice in the archive.`);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await pipeline(content, createWriteStream(target, { mode: 0o600 }));
  await settled(target);
}

async function moveAside(folder: string, now: Date): Promise<string | undefined> {
  const names = (await readdir(folder)).filter((name) => !ignored.has(name));
  if (names.length === 0) return undefined;
  const aside = join(folder, `${replacedPrefix}${now.toISOString().replaceAll(':', '-')}`);
  await mkdir(aside, { mode: 0o700 });
  for (const name of names) await rename(join(folder, name), join(aside, name));
  return aside;
}

async function settled(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}
