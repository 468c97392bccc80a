import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { sqlVariant } from '../../../tds/types/index.ts';
import { NewName, Value } from './params.ts';

export const setConfigurationProperty = procedure({
  name: 'proc_MSS_SetConfigurationProperty',
  section: 'MS-SQLPGAT2 3.1.5.76',
  summary: 'Sets a configuration property, creating it if needed.',
  access: 'write',
  params: { Name: NewName, Value },
  outcomes: { done: { code: 0, meaning: 'The property has the value.' } },
  async handle({ db }, { Name: name, Value: value }) {
    const stored = value === null ? null : sqlVariant.toStore(value);
    await db.run(sql`
      insert into configuration_properties (name_key, name, value) values (${fold(name)}, ${name}, ${stored})
      on conflict (name_key) do update set value = excluded.value`);
    return { outcome: 'done' };
  },
});
