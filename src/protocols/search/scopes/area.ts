import type { Area } from '../area.ts';

/** Scopes and their compilation. */
export const scopes: Area = { procedures: [], relations: [], migrations: [] };
