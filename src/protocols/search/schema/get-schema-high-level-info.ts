import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { datetime, int } from '../../../tds/types/index.ts';

const info = {
  LastCatChange: orNull(datetime),
  LastCPDelete: orNull(datetime),
  LastCPAddsBenignModified: orNull(datetime),
  LastURIAdds: orNull(datetime),
  LastURIModifiedDeleted: orNull(datetime),
  LastManagedProp: orNull(datetime),
  LastGlobalProps: orNull(datetime),
  LastManagedPropDeleted: orNull(datetime),
  LastSmpDelete: orNull(datetime),
  LastAliasAdd: orNull(datetime),
  LastAliasOther: orNull(datetime),
  ForceChangeSchemaVersion: orNull(int),
};

export const getSchemaHighLevelInfo = procedure({
  name: 'proc_MSS_GetSchemaHighLevelInfo',
  section: 'MS-SQLPGAT2 3.1.5.53',
  summary: 'Returns when each part of the metadata schema last changed.',
  access: 'read',
  params: {},
  outcomes: { found: { code: 0, meaning: 'One row.', sets: { info } } },
  handle({ db }) {
    // Clients ignore the columns that are NULL here, and the version.
    const rows = db.rows(
      info,
      sql`
        select last_category_change as "LastCatChange", last_crawled_property_delete as "LastCPDelete",
          last_crawled_property_add as "LastCPAddsBenignModified", null as "LastURIAdds",
          null as "LastURIModifiedDeleted", last_managed_property as "LastManagedProp",
          last_parameter as "LastGlobalProps", last_managed_property_delete as "LastManagedPropDeleted",
          null as "LastSmpDelete", null as "LastAliasAdd", null as "LastAliasOther", 0 as "ForceChangeSchemaVersion"
        from schema_times`,
    );
    return { outcome: 'found', sets: { info: rows } };
  },
});
