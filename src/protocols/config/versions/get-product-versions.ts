import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { ntext } from '../../../tds/types/index.ts';
import { installation, keptInstallation } from './installation.ts';

const versions = { ...installation, CustomData: orNull(ntext) };

export const getProductVersions = procedure({
  name: 'proc_GetProductVersions',
  section: 'MS-WSSCFGD2 3.1.5.27',
  summary: 'Returns the records of all installations and patches of the farm.',
  access: 'read',
  params: {},
  outcomes: {
    done: { code: 0, meaning: 'A row for each record.', sets: { GetProductVersions: versions } },
  },
  handle({ db }) {
    const rows = db.rows(
      versions,
      sql`
        select ${keptInstallation}, cast(null as text) as "CustomData"
        from product_versions order by server_id, product, version, record_key`,
    );
    return { outcome: 'done', sets: { GetProductVersions: rows } };
  },
});
