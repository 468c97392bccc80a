import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { compare } from '../../../base/text/collation.ts';
import { list, type Sql, sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int, nvarchar } from '../../../tds/types/index.ts';
import { shownText } from '../shown-text.ts';
import { byDisplay } from './by-url-hash.ts';

const status = { DocId: int, ErrorId: int, DisplayURL: shownText };

export const getDocStatus = procedure({
  name: 'proc_MSS_GetDocStatus',
  section: 'MS-SQLPGAT2 3.1.5.35',
  summary: 'Returns the identifier and the error of documents by the hashes of their display URLs.',
  access: 'read',
  params: { DisplayHashes: nullable(nvarchar(2048), 'Hashes, with commas between them.') },
  outcomes: { done: { code: 0, meaning: 'Completed.', sets: { documents: status } } },
  async handle({ db }, { DisplayHashes }) {
    const hashes = hashesIn(DisplayHashes ?? '');
    const [same, other] = byDisplay((column) => sql`${column} in ${list('bigint', hashes)}`);
    const rows = await db.all({ ...status, IndexType: int }, sql`${found(same)} union all ${found(other)}`);
    const documents = rows.sort(
      (one, other) =>
        compare(one.DisplayURL, other.DisplayURL) || other.IndexType - one.IndexType || one.DocId - other.DocId,
    );
    return { outcome: 'done', sets: { documents } };
  },
});

const found = (which: Sql): Sql => sql`
  select h.doc_id as "DocId", h.error_id as "ErrorId", substr(coalesce(h.display_url, ''), 1, 1500) as "DisplayURL",
    coalesce(h.index_type, 0) as "IndexType"
  from crawl_history h where ${which} and h.delete_pending = 0`;

function hashesIn(text: string): number[] {
  return text
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .map((piece) => {
      if (!/^[+-]?\d{1,10}$/.test(piece)) throw ruleBroken(`${piece.slice(0, 40)} is not a hash of a display URL.`);
      return Number(piece);
    });
}
