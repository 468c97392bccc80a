import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { bit, int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';

const error = { ErrorID: int, ErrorLevel: int, MarkDelete: bit };

/** The level of an unclassified error (2.2.1.10). */
const unclassified = 2;

export const getError = procedure({
  name: 'proc_MSS_GetError',
  section: 'MS-SQLPGAT2 3.1.5.36',
  summary: 'Returns the crawl error of an HRESULT; a new one is registered as an error.',
  access: 'serial',
  params: {
    hrResult: nullable(int, 'The HRESULT.'),
    ErrorID: output(int, 'The identifier of the error.'),
    ErrorLevel: output(int, 'How severe it is (2.2.1.10).'),
    MarkDelete: output(bit, 'True where items with this error are to be deleted.'),
  },
  outcomes: done,
  async known({ db }, { hrResult }) {
    const row = await errorOf(db, hrResult ?? 0);
    return row && { outcome: 'done', output: row };
  },
  async handle({ db }, { hrResult }) {
    const code = hrResult ?? 0;
    await db.run(sql`
      insert into crawl_errors (error_id, hr_result, error_level, mark_delete)
      select (select max(error_id) + 1 from crawl_errors), ${code}, ${unclassified}, 0
      where not exists (select 1 from crawl_errors where hr_result = ${code})`);
    const row = await errorOf(db, code);
    return { outcome: 'done', ...(row && { output: row }) };
  },
});

const errorOf = (db: Db, code: number) =>
  db.first(
    error,
    sql`
      select error_id as "ErrorID", error_level as "ErrorLevel", mark_delete as "MarkDelete"
      from crawl_errors where hr_result = ${code}`,
  );
