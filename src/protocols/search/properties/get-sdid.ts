import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { image, int } from '../../../tds/types/index.ts';

const descriptors = { SDID: int, SD: image };

export const getSDID = procedure({
  name: 'proc_MSS_GetSDID',
  section: 'MS-SQLPGAT2 3.1.5.58',
  summary: 'Lists the security descriptors with a checksum.',
  access: 'read',
  params: { sdCheckSum: nullable(int, 'The checksum.') },
  outcomes: { found: { code: 0, meaning: 'The descriptors.', sets: { descriptors } } },
  handle({ db }, { sdCheckSum }) {
    const rows = db.rows(
      descriptors,
      sql`
        select sdid as "SDID", descriptor as "SD" from security_descriptors where checksum = ${sdCheckSum} order by sdid`,
    );
    return { outcome: 'found', sets: { descriptors: rows } };
  },
});
