import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isFullDisk } from './errors.ts';
import { existingFile } from './existing-file.ts';
import { whyUnreadable } from './unreadable.ts';

/** Bytes up to which a file is looked through at every start; more would delay it. */
const shortFile = 32 * 1024 * 1024;
/** Faults that are told of one file. */
const mostFaults = 20;

const magic = 'SQLite format 3\0';

/** What is wrong with a file that should hold a database, by its length and its first bytes; undefined for nothing. */
export function damageAtFirstSight(path: string): string | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return 'it is missing';
  if (size === 0) return 'it is empty';
  const header = headerOf(path);
  if (typeof header === 'string') return header;
  if (header.toString('latin1', 0, 16) !== magic) return 'it is not a database';
  // SQLite removes the index of a log before the log itself, and makes it after it.
  if (existsSync(`${path}-shm`) && !existsSync(`${path}-wal`))
    return `its log ${path}-wal is missing, and with it what was committed last (without ${path}-shm the rest is used)`;
  const logSize = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  // What is still in the log may not be in the file yet.
  return logSize === 0 && header.readUInt32BE(28) * pageSize > size ? 'it was cut short' : undefined;
}

/** What is wrong with the structure of a file, where a start can afford to look at all of it. */
export function damageOfShortFile(path: string): string | undefined {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return statSync(path).size + log > shortFile ? undefined : faults(path, 'quick_check')[0];
}

/** The first bytes of a file, or why they cannot be read. */
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

/** What SQLite finds wrong with a database when it looks at all of it; `integrity_check` compares indexes too. */
export function faults(path: string, how: 'quick_check' | 'integrity_check'): string[] {
  try {
    using database = new DatabaseSync(existingFile(path), { timeout: 30_000 });
    const rows = database.prepare(`pragma ${how}(${mostFaults})`).all();
    const said = rows.map((row) => String(Object.values(row)[0]));
    return said.length === 1 && said[0] === 'ok' ? [] : said;
  } catch (error) {
    // To look at it takes room for its `-shm`: nothing is known of it before there is some.
    if (isFullDisk(error)) throw error;
    return [error instanceof Error ? error.message : String(error)];
  }
}
