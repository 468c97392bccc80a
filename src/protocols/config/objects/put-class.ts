import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, required } from '../../../procedure/param.ts';
import { nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { emptyGuid, notNull, RequestGuid } from '../common.ts';
import { classExists } from './lookup.ts';

export const putClass = procedure({
  name: 'proc_putClass',
  section: 'MS-WSSCFGD2 3.1.5.49',
  summary: 'Registers a class under its base class, or changes a registered one.',
  access: 'write',
  params: {
    Id: nullable(uniqueidentifier, 'The identifier of the class.'),
    BaseClassId: nullable(uniqueidentifier, 'The class it derives from; NULL or the empty GUID for a root class.'),
    FullName: required(nvarchar(256), 'A name by which an application recognises the class.'),
    RequestGuid,
  },
  outcomes: {
    stored: { code: 0, meaning: 'The class is registered.' },
    baseNotFound: { code: 1, meaning: 'No class has the identifier @BaseClassId.' },
  },
  async handle({ db }, { Id, BaseClassId, FullName }) {
    const id = notNull(Id, 'Id', 'Classes');
    const base = BaseClassId === emptyGuid ? null : BaseClassId;
    if (base !== null && !(await classExists(db, base))) return { outcome: 'baseNotFound' };
    await db.run(sql`
      insert into classes (id, base_id, full_name) values (${id}, ${base}, ${FullName})
      on conflict (id) do update set base_id = excluded.base_id, full_name = excluded.full_name`);
    return { outcome: 'stored' };
  },
});
