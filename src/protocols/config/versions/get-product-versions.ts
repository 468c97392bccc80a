import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { int, ntext, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';

const installation = {
  ServerId: uniqueidentifier,
  Product: nvarchar(1023),
  Version: nvarchar(64),
  PatchableUnit: orNull(nvarchar(1023)),
  PatchableUnitName: orNull(nvarchar(1023)),
  PatchName: orNull(nvarchar(1023)),
  PatchUrl: orNull(nvarchar(260)),
  Flags: int,
  CustomData: orNull(ntext),
};

export const getProductVersions = procedure({
  name: 'proc_GetProductVersions',
  section: 'MS-WSSCFGD2 3.1.5.27',
  summary: 'Returns the records of all installations and patches of the farm.',
  access: 'read',
  params: {},
  outcomes: {
    done: { code: 0, meaning: 'A row for each record.', sets: { GetProductVersions: installation } },
  },
  handle({ db }) {
    const rows = db.rows(
      installation,
      sql`
        select server_id as "ServerId", product as "Product", version as "Version",
          patchable_unit as "PatchableUnit", patchable_unit_name as "PatchableUnitName", patch_name as "PatchName",
          patch_url as "PatchUrl", flags as "Flags", cast(null as text) as "CustomData"
        from product_versions order by server_id, product, version, record_key`,
    );
    return { outcome: 'done', sets: { GetProductVersions: rows } };
  },
});
