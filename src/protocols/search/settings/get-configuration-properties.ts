import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { nvarchar, sqlVariant } from '../../../tds/types/index.ts';
import { Pattern } from './params.ts';
import { nameMatches } from './pattern.ts';

const properties = { Name: nvarchar(300), Value: orNull(sqlVariant) };

export const getConfigurationProperties = procedure({
  name: 'proc_MSS_GetConfigurationProperties',
  section: 'MS-SQLPGAT2 3.1.5.20',
  summary: 'Lists the configuration properties whose names match a pattern.',
  access: 'read',
  params: { Pattern },
  outcomes: { found: { code: 0, meaning: 'The properties that match.', sets: { properties } } },
  handle({ db }, input) {
    const rows = db.rows(
      properties,
      sql`
        select name as "Name", value as "Value" from configuration_properties
        where ${nameMatches(input.Pattern)} order by name_key`,
    );
    return { outcome: 'found', sets: { properties: rows } };
  },
});
