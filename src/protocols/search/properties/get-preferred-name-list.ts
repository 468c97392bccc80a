import { fold } from '../../../base/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { nvarchar } from '../../../tds/types/index.ts';
import { preferredName } from './pids.ts';

const names = { NAME: orNull(nvarchar(450)) };

export const getPreferredNameList = procedure({
  name: 'proc_MSS_GetPreferredNameList',
  section: 'MS-SQLPGAT2 3.1.5.50',
  summary: 'Lists the preferred names of people, each once.',
  access: 'read',
  params: {},
  outcomes: { found: { code: 0, meaning: 'The names.', sets: { names } } },
  async handle({ db }) {
    const rows = await db.all(
      names,
      sql`select str_val as "NAME" from doc_props where pid = ${preferredName} group by str_val order by str_val`,
    );
    // Names that differ in case only are one.
    const once = new Map(rows.map((row) => [row.NAME === null ? null : fold(row.NAME), row] as const).toReversed());
    return { outcome: 'found', sets: { names: [...once.values()].toReversed() } };
  },
});
