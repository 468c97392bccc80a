import type { Row } from '../../../base/stored.ts';
import { fold } from '../../../base/text/collation.ts';
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
  handle({ db }) {
    const rows = db.rows(
      names,
      sql`select str_val as "NAME" from doc_props where pid = ${preferredName} group by str_val`,
    );
    return { outcome: 'found', sets: { names: once(rows) } };
  },
});

/** Names that differ in case only are one. */
async function* once(rows: AsyncIterable<Row<typeof names>>): AsyncGenerator<Row<typeof names>, void> {
  const seen = new Set<string | null>();
  for await (const row of rows) {
    const key = row.NAME === null ? null : fold(row.NAME);
    if (!seen.has(key)) yield row;
    seen.add(key);
  }
}
