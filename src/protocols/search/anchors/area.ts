import type { Area } from '../area.ts';

/** What components read and write of anchors while an anchor crawl runs. */
export const anchors: Area = { procedures: [], relations: [], migrations: [] };
