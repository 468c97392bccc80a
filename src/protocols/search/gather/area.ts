import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';

/** A crawl store: the history of URLs, the queue, the links that clients bring, hosts, and what anchor crawls need. */
export const gather: Area = {
  procedures: [],
  relations: [],
  migrations: migrationsIn('search/gather', new URL('./migrations/', import.meta.url)),
};
