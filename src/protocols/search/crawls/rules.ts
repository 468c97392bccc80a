import { sql } from '../../../engine/sql.ts';
import type { Rule } from '../../../procedure/kind.ts';

/** Invariants of crawls. */
export const crawlRules: readonly Rule[] = [
  {
    rule: 'no crawl has a number above the last that was given out',
    broken: sql`
      select c.crawl_id as broken from crawls c where c.crawl_id > (select l.crawl_id from last_crawl l where l.one = 1)`,
  },
];
