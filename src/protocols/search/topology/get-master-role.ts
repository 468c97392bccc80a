import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { bit, int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';

export const getMasterRole = procedure({
  name: 'proc_MSS_GetMasterRole',
  section: 'MS-SQLPGAT2 3.1.5.43',
  summary: 'Returns whether a crawl component is the master; an unknown one counts as master.',
  access: 'read',
  params: {
    ComponentID: nullable(int, 'The crawl component.'),
    MasterRole: output(bit, 'True for the master.'),
  },
  outcomes: done,
  async handle({ db }, { ComponentID }) {
    const row = await db.first(
      { isMaster: bit },
      sql`select is_master as "isMaster" from crawl_components where number = ${ComponentID}`,
    );
    return { outcome: 'done', output: { MasterRole: row?.isMaster ?? true } };
  },
});
