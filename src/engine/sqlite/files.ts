import { join } from 'node:path';

/** The system database is the file granary.db, so no other may be called that. */
export const systemFile = 'granary';

/** The checksums of the files while nobody has them open, and what those who have them open share a lock on. */
export const sealsFile = 'seals.json';
export const usersFile = 'users.lock';

/** What tells a folder of data from any other: one of these is in it. */
export const dataFiles: readonly string[] = [`${systemFile}.db`, 'server.lock', 'tls'];

/** The file of what is kept at a place. */
export const fileAt = (folder: string, place: string): string => join(folder, `${place}.db`);
