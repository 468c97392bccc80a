import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';

/** The answer to a component without a crawl store. */
const noStore = -1;

export const getDatabaseID = procedure({
  name: 'proc_MSS_GetDatabaseID',
  section: 'MS-SQLPGAT2 3.1.5.27',
  summary: 'Returns the crawl store of a crawl component.',
  access: 'read',
  params: {
    ComponentID: nullable(int, 'The crawl component.'),
    GthrDBID: output(int, 'The ordinal of its crawl store, or -1.'),
  },
  outcomes: done,
  async handle({ db }, { ComponentID }) {
    const row = await db.first(
      { store: int },
      sql`select crawl_store as "store" from crawl_components where number = ${ComponentID}`,
    );
    return { outcome: 'done', output: { GthrDBID: row?.store ?? noStore } };
  },
});
