import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';

export const clearProductVersions = procedure({
  name: 'proc_ClearProductVersions',
  section: 'MS-WSSCFGD2 3.1.5.4',
  summary: 'Removes the records of all installations and patches on a server.',
  access: 'write',
  params: { ServerId: nullable(uniqueidentifier, 'The server.') },
  outcomes: { done: { code: 0, meaning: 'The server has no records.' } },
  async handle({ db }, { ServerId }) {
    await db.run(sql`delete from product_versions where server_id = ${ServerId}`);
    return { outcome: 'done' };
  },
});
