import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { Name } from './params.ts';

export const deleteConfigurationProperty = procedure({
  name: 'proc_MSS_DeleteConfigurationProperty',
  section: 'MS-SQLPGAT2 3.1.5.13',
  summary: 'Deletes a configuration property.',
  access: 'write',
  params: { Name },
  outcomes: { done: { code: 0, meaning: 'There is no such property any more.' } },
  async handle({ db }, { Name: name }) {
    if (name !== null) await db.run(sql`delete from configuration_properties where name_key = ${fold(name)}`);
    return { outcome: 'done' };
  },
});
