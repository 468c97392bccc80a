import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { classAndDerived } from './class-tree.ts';
import { removeObjects } from './removal.ts';

export const dropClass = procedure({
  name: 'proc_dropClass',
  section: 'MS-WSSCFGD2 3.1.5.14',
  summary: 'Removes a class, the classes derived from it, and their configuration objects.',
  access: 'serial',
  params: {
    ClassId: nullable(uniqueidentifier, 'The class to remove.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'The class is not (or no longer) registered.' } },
  async handle(call, { ClassId }) {
    const classes = classAndDerived(ClassId);
    await removeObjects(call, sql`select id from objects where class_id in (${classes})`);
    await call.db.run(sql`delete from classes where id in (${classes})`);
    return { outcome: 'done' };
  },
});
