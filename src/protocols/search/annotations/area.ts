import type { Area } from '../area.ts';

/** Annotations of documents, and those that wait for an anchor crawl. */
export const annotations: Area = { procedures: [], relations: [], migrations: [] };
