import type { Area } from '../area.ts';

/** Configuration properties and their transactions. */
export const settings: Area = { procedures: [], relations: [], migrations: [] };
