import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { bit, float, nvarchar } from '../../../tds/types/index.ts';

const parameters = {
  ParamName: nvarchar(40),
  IsString: bit,
  strValue: orNull(nvarchar(256)),
  fltValue: orNull(float),
};

export const getSchemaParameters = procedure({
  name: 'proc_MSS_GetSchemaParameters',
  section: 'MS-SQLPGAT2 3.1.5.55',
  summary: 'Lists the parameters of the metadata schema.',
  access: 'read',
  params: {},
  outcomes: { found: { code: 0, meaning: 'The parameters.', sets: { parameters } } },
  handle({ db }) {
    const rows = db.rows(
      parameters,
      sql`
        select name as "ParamName", is_string as "IsString", string_value as "strValue", float_value as "fltValue"
        from schema_parameters order by name_key`,
    );
    return { outcome: 'found', sets: { parameters: rows } };
  },
});
