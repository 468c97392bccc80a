import { sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';

/** What is recorded of an installation or a patch. */
export const installation = {
  ServerId: uniqueidentifier,
  Product: nvarchar(1023),
  Version: nvarchar(64),
  PatchableUnit: orNull(nvarchar(1023)),
  PatchableUnitName: orNull(nvarchar(1023)),
  PatchName: orNull(nvarchar(1023)),
  PatchUrl: orNull(nvarchar(260)),
  Flags: int,
};

/** The same as `product_versions` has it. */
export const keptInstallation = sql`
  server_id as "ServerId", product as "Product", version as "Version", patchable_unit as "PatchableUnit",
  patchable_unit_name as "PatchableUnitName", patch_name as "PatchName", patch_url as "PatchUrl", flags as "Flags"`;
