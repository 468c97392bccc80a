import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isFullDisk } from '../errors.ts';
import { existingFile } from './existing-file.ts';
import { whyUnreadable } from './unreadable.ts';

/** Files up to this size in bytes are checked at every start; larger ones would delay it. */
const shortFile = 32 * 1024 * 1024;
/** The maximum number of faults reported for one file. */
const mostFaults = 20;

const magic = 'SQLite format 3\0';

/**
 * Undoes what a power loss has left of the creation of a file, which is empty afterwards: it may be cut short until
 * then. Only this first transaction has a rollback journal, later ones have the log.
 */
export function undoCreation(path: string): void {
  if ((statSync(`${path}-journal`, { throwIfNoEntry: false })?.size ?? 0) === 0 || !existsSync(path)) return;
  try {
    using database = new DatabaseSync(existingFile(path), { timeout: 5000 });
    database.exec('select 1 from sqlite_schema');
  } catch {
    // Why the file cannot be used is what looking at it will say.
  }
}

/** What is wrong with a database file, judging by its size and its first bytes; undefined if nothing. */
export function damageAtFirstSight(path: string): string | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return 'it is missing';
  if (size === 0) return 'it is empty';
  const header = headerOf(path);
  if (typeof header === 'string') return header;
  if (header.toString('latin1', 0, 16) !== magic) return 'it is not a database';
  const beside = unreadableBeside(path);
  if (beside !== undefined) return beside;
  // SQLite removes the index of a log (`-shm`) before the log itself, and creates it after the log.
  if (existsSync(`${path}-shm`) && !existsSync(`${path}-wal`))
    return `its log ${path}-wal is missing, and with it what was committed last (without ${path}-shm the rest is used)`;
  const logSize = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  // What is still in the log may be missing from the file.
  return logSize === 0 && header.readUInt32BE(28) * pageSize > size ? 'it was cut short' : undefined;
}

/** What is wrong with the structure of a file that is small enough to be checked at startup. */
export function damageOfShortFile(path: string): string | undefined {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return statSync(path).size + log > shortFile ? undefined : faults(path, 'quick_check')[0];
}

/** The first bytes of a file, or the reason why they cannot be read. */
function headerOf(path: string): Buffer | string {
  const header = Buffer.alloc(100);
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    readSync(file, header, 0, header.length, 0);
    return header;
  } catch (error) {
    const reason = whyUnreadable(error);
    if (reason === undefined) throw error;
    return reason;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Why the log of a database, or its index, cannot be read. Neither is opened: closing it would release SQLite's locks
 * on it.
 */
function unreadableBeside(path: string): string | undefined {
  for (const beside of [`${path}-wal`, `${path}-shm`]) {
    try {
      if (statSync(beside, { throwIfNoEntry: false })?.isDirectory()) return `its log ${beside} is a folder`;
      if (existsSync(beside)) accessSync(beside, constants.R_OK);
    } catch (error) {
      const reason = whyUnreadable(error);
      if (reason === undefined) throw error;
      return `its log cannot be read: ${reason}`;
    }
  }
  return undefined;
}

/** The faults that SQLite finds when it checks the whole database; `integrity_check` also compares the indexes. */
export function faults(path: string, how: 'quick_check' | 'integrity_check'): string[] {
  try {
    using database = new DatabaseSync(existingFile(path), { timeout: 30_000 });
    const rows = database.prepare(`pragma ${how}(${mostFaults})`).all();
    const said = rows.map((row) => String(Object.values(row)[0]));
    return said.length === 1 && said[0] === 'ok' ? [] : said;
  } catch (error) {
    // The check needs room for a `-shm` file: without it nothing is known about the database.
    if (isFullDisk(error)) throw error;
    return [error instanceof Error ? error.message : String(error)];
  }
}
