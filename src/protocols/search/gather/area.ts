import type { Area } from '../area.ts';

/** A crawl store: the history of URLs, the queue, the links that clients bring, hosts, and what anchor crawls need. */
export const gather: Area = { procedures: [], relations: [], migrations: [] };
