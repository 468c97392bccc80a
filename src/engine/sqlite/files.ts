import { join } from 'node:path';

/** The system database is the file granary.db, so no other may be called that. */
export const systemFile = 'granary';

/** The file of what is kept at a place. */
export const fileAt = (folder: string, place: string): string => join(folder, `${place}.db`);
