import { join } from 'node:path';

/** The system database is the file granary.db, so no other database may have that name. */
export const systemFile = 'granary';

/**
 * The file of the checksums of databases that are not open, and the file on which all processes that use the folder
 * share a lock.
 */
export const sealsFile = 'seals.json';
export const usersFile = 'users.lock';

/**
 * Where a restore unpacks an archive before it takes its place, and what the folders begin with that it moves old
 * contents to.
 */
export const restoringFolder = '.restoring';
export const replacedPrefix = 'replaced-';

/** What distinguishes a data folder from any other: it contains at least one of these. */
export const dataFiles: readonly string[] = [`${systemFile}.db`, 'server.lock', 'tls'];

/** The file of the database at a place. */
export const fileAt = (folder: string, place: string): string => join(folder, `${place}.db`);

/** Everything that a database at a place may have on the disk; a journal is there only while it is created. */
export const filesAt = (folder: string, place: string): string[] =>
  ['', '-wal', '-shm', '-journal'].map((ending) => `${fileAt(folder, place)}${ending}`);
