import { join } from 'node:path';

/** The system database is the file granary.db, so no other may be called that. */
export const systemFile = 'granary';

/** What tells a folder of data from any other: one of these is in it. */
export const dataFiles: readonly string[] = [`${systemFile}.db`, 'server.lock', 'tls'];

/** The file of what is kept at a place. */
export const fileAt = (folder: string, place: string): string => join(folder, `${place}.db`);
