import { type SqlError, sqlError } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { objectExists } from './lookup.ts';

export const putDependency = procedure({
  name: 'proc_putDependency',
  section: 'MS-WSSCFGD2 3.1.5.50',
  summary: 'Records that one configuration object depends on another, which then cannot be removed.',
  access: 'write',
  params: {
    ObjectId: nullable(uniqueidentifier, 'The object that depends.'),
    DependantId: nullable(uniqueidentifier, 'The object that it depends on.'),
    RequestGuid,
  },
  outcomes: { stored: { code: 0, meaning: 'The dependency is recorded.' } },
  async handle({ db, database }, { ObjectId, DependantId }) {
    if (!(await objectExists(db, ObjectId))) throw noSuchObject('ObjectId', database);
    if (!(await objectExists(db, DependantId))) throw noSuchObject('DependantId', database);
    await db.run(sql`
      insert into dependencies (object_id, dependee_id) values (${ObjectId}, ${DependantId}) on conflict do nothing`);
    return { outcome: 'stored' };
  },
});

const noSuchObject = (parameter: string, database: string): SqlError =>
  sqlError(547, 'INSERT', 'FOREIGN KEY', `FK_Dependencies_${parameter}`, database, 'dbo.Objects', ", column 'Id'");
