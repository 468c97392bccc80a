import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import { int } from '../../../../tds/types/index.ts';
import { componentState } from '../../topology/component-state.ts';

const counts = { ready: int, crawlLagging: int, queryLagging: int };

/** How many components are ready, and how many of those have not carried out a compilation. */
export async function progress(db: Db, compilation: number) {
  const found = await db.first(
    counts,
    sql`
      select
        (select count(*) from crawl_components where state = ${componentState.ready})
          + (select count(*) from query_components where is_offline = 0) as "ready",
        (select count(*) from crawl_components
          where state = ${componentState.ready} and scope_compilation_id < ${compilation}) as "crawlLagging",
        (select count(*) from query_components
          where is_offline = 0 and scope_compilation_id < ${compilation}) as "queryLagging"`,
  );
  if (found === undefined) throw new Error('a select without a table yielded no row');
  return found;
}
