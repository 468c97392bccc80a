import { list, sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nvarchar } from '../../../tds/types/index.ts';
import { otherNames, preferredName } from './pids.ts';

const aliases = { From: nvarchar(450), To: nvarchar('max') };

export const getMatrixPIAliases = procedure({
  name: 'proc_MSS_GetMatrixPIAliases',
  section: 'MS-SQLPGAT2 3.1.5.44',
  summary: 'Pairs the preferred names of people with their other names.',
  access: 'read',
  params: {},
  outcomes: { found: { code: 0, meaning: 'The pairs.', sets: { aliases } } },
  handle({ db }) {
    const rows = db.rows(
      aliases,
      sql`
        select a.str_val as "From", b.str_val2 as "To"
        from doc_props a join doc_props b on b.doc_id = a.doc_id and b.pid in ${list('bigint', otherNames)}
        where a.pid = ${preferredName} and a.str_val is not null and b.str_val2 is not null`,
    );
    return { outcome: 'found', sets: { aliases: rows } };
  },
});
