import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { classAndDerived } from './class-tree.ts';

const dependentObjectIds = { Id: uniqueidentifier };

export const getDependentObjectsByBaseClass = procedure({
  name: 'proc_GetDependentObjectsByBaseClass',
  section: 'MS-WSSCFGD2 3.1.5.22',
  summary: 'Lists the objects of a class, or of classes derived from it, that depend on an object.',
  access: 'read',
  params: {
    BaseClassId: nullable(uniqueidentifier, 'The class at the root of the hierarchy.'),
    DependeeId: nullable(uniqueidentifier, 'The object that is depended upon.'),
    RequestGuid,
  },
  outcomes: {
    done: { code: 0, meaning: 'The objects that depend directly.', sets: { DependentObjectIds: dependentObjectIds } },
  },
  handle({ db }, { BaseClassId, DependeeId }) {
    const rows = db.rows(
      dependentObjectIds,
      sql`
        select o.id as "Id" from dependencies d join objects o on o.id = d.object_id
        where d.dependee_id = ${DependeeId} and o.class_id in (${classAndDerived(BaseClassId)})
        order by o.id`,
    );
    return { outcome: 'done', sets: { DependentObjectIds: rows } };
  },
});
