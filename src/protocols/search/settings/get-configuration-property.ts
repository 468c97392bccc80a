import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { output } from '../../../procedure/param.ts';
import { sqlVariant } from '../../../tds/types/index.ts';
import { Name } from './params.ts';

export const getConfigurationProperty = procedure({
  name: 'proc_MSS_GetConfigurationProperty',
  section: 'MS-SQLPGAT2 3.1.5.21',
  summary: 'Returns the value of a configuration property.',
  access: 'read',
  params: { Name, Value: output(sqlVariant, 'Set to its value with the type that it was stored with, or to NULL.') },
  outcomes: { done: { code: 0, meaning: 'The value, if there is such a property.' } },
  async handle({ db }, { Name: name }) {
    const found = await db.first(
      { Value: orNull(sqlVariant) },
      sql`select value as "Value" from configuration_properties where name_key = ${name === null ? null : fold(name)}`,
    );
    return { outcome: 'done', output: { Value: found?.Value ?? null } };
  },
});
