import { createHash } from 'node:crypto';
import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, optional } from '../../../procedure/param.ts';
import { int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { notNull } from '../common.ts';

const table = 'ProductVersions';

export const registerProductVersion = procedure({
  name: 'proc_RegisterProductVersion',
  section: 'MS-WSSCFGD2 3.1.5.58',
  summary: 'Saves the record of one installation or patch on a server.',
  access: 'write',
  params: {
    ServerId: nullable(uniqueidentifier, 'The server that it is installed on.'),
    Product: nullable(nvarchar(1023), 'The product that it belongs to.'),
    Version: nullable(nvarchar(64), 'Its version: major.minor[.build[.revision]].'),
    PatchableUnit: optional(nvarchar(1023), null, 'The ProductCode, or the identifier of a unit that can be patched.'),
    PatchableUnitName: optional(nvarchar(1023), null, 'The ProductName, or the name of that unit.'),
    PatchName: optional(nvarchar(1023), null, 'The name of the patch, if it is one.'),
    PatchUrl: optional(nvarchar(260), null, 'The URL of the patch, if it has one.'),
    Flags: optional(int, null, '1 required on all servers, 2 optional upgrade available, 4 upgrade required.'),
    CustomData: optional(nvarchar('max'), null, 'Reserved; ignored.'),
  },
  outcomes: { saved: { code: 0, meaning: 'The record is saved.' } },
  async handle({ db }, input) {
    const server = notNull(input.ServerId, 'ServerId', table);
    const product = notNull(input.Product, 'Product', table);
    const version = notNull(input.Version, 'Version', table);
    const { PatchableUnit, PatchableUnitName, PatchName, PatchUrl, Flags } = input;
    const key = recordKey([server, product, version, PatchableUnit, PatchName]);
    await db.run(sql`
      insert into product_versions (record_key, server_id, product, version,
        patchable_unit, patchable_unit_name, patch_name, patch_url, flags)
      values (${key}, ${server}, ${product}, ${version},
        ${PatchableUnit}, ${PatchableUnitName}, ${PatchName}, ${PatchUrl}, ${Flags ?? 0})
      on conflict (record_key) do update set product = excluded.product, version = excluded.version,
        patchable_unit = excluded.patchable_unit, patchable_unit_name = excluded.patchable_unit_name,
        patch_name = excluded.patch_name, patch_url = excluded.patch_url, flags = excluded.flags`);
    return { outcome: 'saved' };
  },
});

/** A digest of what identifies a record, as the collation compares it; NULL equals NULL and nothing else. */
const recordKey = (parts: readonly (string | null)[]): string =>
  createHash('sha256')
    .update(JSON.stringify(parts.map((part) => (part === null ? null : fold(part)))))
    .digest('hex');
