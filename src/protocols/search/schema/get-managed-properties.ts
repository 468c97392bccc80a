import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { bit, datetime } from '../../../tds/types/index.ts';
import { managedProperty, managedPropertyColumns } from './managed-property.ts';

export const getManagedProperties = procedure({
  name: 'proc_MSS_GetManagedProperties',
  section: 'MS-SQLPGAT2 3.1.5.40',
  summary: 'Lists the managed properties that changed since a time.',
  access: 'read',
  params: {
    ldate: nullable(datetime, 'Only those that changed then or later; NULL for any.'),
    GetAll: nullable(bit, '1 for the internal ones too.'),
  },
  outcomes: { found: { code: 0, meaning: 'The managed properties.', sets: { properties: managedProperty } } },
  handle({ db }, { ldate, GetAll }) {
    const rows = db.rows(
      managedProperty,
      sql`
        select ${managedPropertyColumns} from managed_properties
        where ${ldate === null ? sql`1 = 1` : sql`last_modified >= ${ldate}`}
          ${GetAll === true ? sql`` : sql`and hidden = 0`}
        order by pid`,
    );
    return { outcome: 'found', sets: { properties: rows } };
  },
});
