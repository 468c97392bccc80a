import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { required } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';

export const setCrawlComponentStatus = procedure({
  name: 'proc_MSS_SetCrawlComponentStatus',
  aliases: ['proc_MSSSetCrawlComponentStatus'],
  section: 'MS-SQLPGAT2 3.1.5.77',
  summary: 'Records the status of a crawl component in the property store.',
  access: 'write',
  params: {
    ComponentID: required(int, 'The crawl component.'),
    ModifiedByComponentID: required(int, 'The component that says so.'),
    Status: required(int, 'Its state (2.2.1.12).'),
  },
  outcomes: done,
  async handle({ db }, { ComponentID, ModifiedByComponentID, Status }) {
    await db.run(sql`
      insert into metadata_components (component_id, status, modified_by)
      values (${ComponentID}, ${Status}, ${ModifiedByComponentID})
      on conflict (component_id) do update set status = excluded.status, modified_by = excluded.modified_by`);
    return { outcome: 'done' };
  },
});
