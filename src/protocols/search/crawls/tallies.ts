import { type Sql, sql } from '../../../engine/sql.ts';
import type { Tally } from '../../../procedure/kind.ts';
import { crawlStatus } from './crawl-status.ts';

/** How many of the newest crawls are counted. */
const most = 10_000;

const nameOfStatus: Sql = Object.entries(crawlStatus).reduce(
  (name, [word, status]) => sql`case when status = ${status} then ${word} else ${name} end`,
  sql`'unknown'`,
);

/** Crawls by status (2.2.1.4). */
const crawls: Tally = {
  name: 'crawls',
  help: `Crawls by status, of the newest ${most.toLocaleString('en')} in a database.`,
  counts: sql`
    select state, count(*) as count
    from (
      select ${nameOfStatus} as state
      from (select * from crawls order by crawl_id desc limit ${most}) newest) told
    group by state`,
};

/** The counts of crawls that operators see. */
export const crawlTallies: readonly Tally[] = [crawls];
