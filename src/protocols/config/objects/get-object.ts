import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { configurationObject } from './configuration-object.ts';

/** An addition: MS-WSSCFGD2 relies on this procedure of MS-WSSFO2 for the version that proc_putObject wants. */
export const getObject = procedure({
  name: 'proc_getObject',
  section: 'MS-WSSFO2 3.1.5.35',
  summary: 'Returns one configuration object.',
  access: 'read',
  params: {
    Id: nullable(uniqueidentifier, 'The object to return.'),
    RequestGuid,
  },
  outcomes: {
    done: { code: 0, meaning: 'The object, or no row.', sets: { Object: configurationObject } },
  },
  handle({ db }, { Id }) {
    const rows = db.rows(
      configurationObject,
      sql`
        select id as "Id", parent_id as "ParentId", class_id as "ClassId", name as "Name",
          status as "Status", version as "Version", properties as "Properties"
        from objects where id = ${Id}`,
    );
    return { outcome: 'done', sets: { Object: rows } };
  },
});
