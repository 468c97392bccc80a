import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { dependedUpon, removeObjects } from './removal.ts';

const found = { Id: uniqueidentifier };

export const dropObject = procedure({
  name: 'proc_DropObject',
  section: 'MS-WSSCFGD2 3.1.5.18',
  summary: 'Removes a configuration object with its descendants; error 547 while another object depends on it.',
  access: 'serial',
  params: {
    Id: nullable(uniqueidentifier, 'The object to remove.'),
    RequestGuid,
  },
  outcomes: {
    removed: { code: 0, meaning: 'The object and its descendants are removed.' },
    notFound: { code: 1, meaning: 'No object has the identifier @Id.' },
  },
  async handle(call, { Id }) {
    // For the named object any other dependent counts, even a descendant that would go with it: "another object".
    const dependent = await call.db.first(
      found,
      sql`select object_id as "Id" from dependencies where dependee_id = ${Id} and object_id <> ${Id} limit 1`,
    );
    if (dependent) throw dependedUpon(call.database);
    const removed = await removeObjects(call, sql`select id from objects where id = ${Id}`);
    return { outcome: removed > 0 ? 'removed' : 'notFound' };
  },
});
