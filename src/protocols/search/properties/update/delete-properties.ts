import { ruleBroken } from '../../../../base/messages/sql-error.ts';
import type { Db } from '../../../../engine/db.ts';
import { sql, table } from '../../../../engine/sql.ts';
import type { Changes } from './changes.ts';

/** Deletes all values of properties of documents. */
export async function deleteProperties(db: Db, properties: Changes['deletions']): Promise<void> {
  if (properties.length === 0) return;
  const gone = table(
    { doc_id: 'bigint', pid: 'bigint' },
    properties.map(({ DocId, Pid }) => [DocId, Pid]),
  );
  await db.run(sql`delete from doc_props where (doc_id, pid) in (select g.doc_id, g.pid from ${gone} g)`);
}

/**
 * Deletes single values: of text those with the same high half of llVal, of anything else those with the same llVal.
 */
export async function deleteValues(db: Db, values: Changes['valueDeletions']): Promise<void> {
  if (values.length === 0) return;
  const gone = table({ doc_id: 'bigint', pid: 'bigint', least: 'bigint', greatest: 'bigint' }, values.map(rangeOf));
  await db.run(sql`
    delete from doc_props where (doc_id, pid, ll_val) in (
      select p.doc_id, p.pid, p.ll_val from ${gone} g
      join doc_props p on p.doc_id = g.doc_id and p.pid = g.pid and p.ll_val >= g.least and p.ll_val <= g.greatest)`);
}

function rangeOf({ DocId, Pid, IsStringType, llVal }: Changes['valueDeletions'][number]) {
  if (IsStringType > 1) throw ruleBroken(`IsStringType (2.2.3.7) is 0 or 1, not ${IsStringType}.`);
  if (IsStringType === 0) return [DocId, Pid, llVal, llVal];
  const least = (llVal >> 32n) << 32n;
  return [DocId, Pid, least, least + 0xffffffffn];
}
