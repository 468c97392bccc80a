import { sqlError } from '../../../../base/messages/sql-error.ts';
import type { Db } from '../../../../engine/db.ts';
import { parts } from '../../parts.ts';
import { lastOfEach } from '../../records/index.ts';
import type { Changes } from './changes.ts';
import { deleteProperties } from './delete-properties.ts';

/** The maximum number of characters of strVal: clients put longer values into strVal2. */
const longestStrVal = 450;

/** So many values are sorted out at a time: a batch of any size keeps nobody else waiting. */
const valuesAtATime = 2000;

/** Gives properties of documents the values that are sent for them, instead of all that they had. */
export async function updateProperties(db: Db, updates: Changes['updates']): Promise<void> {
  for (const some of parts(updates, valuesAtATime)) {
    await deleteProperties(
      db,
      lastOfEach(some, ({ DocId, Pid }) => `${DocId} ${Pid}`),
    );
  }
  await addProperties(db, updates);
}

/** Adds values of properties; one with the same llVal takes the place of the old one. */
export async function addProperties(db: Db, additions: Changes['additions']): Promise<void> {
  for (const some of parts(additions, valuesAtATime)) {
    if (some.some(({ strVal }) => strVal !== null && strVal.length > longestStrVal)) throw sqlError(8152);
    const values = isAscending(some) ? some : lastOfEach(some, ({ DocId, Pid, llVal }) => `${DocId} ${Pid} ${llVal}`);
    await db.insert(
      'doc_props',
      ['doc_id', 'pid', 'll_val', 'str_val', 'str_val2'],
      values.map(({ DocId, Pid, llVal, strVal, strVal2 }) => [DocId, Pid, llVal, strVal, strVal2]),
      ['doc_id', 'pid', 'll_val'],
    );
  }
}

/** True for values as crawl components send them, document by document: no document occurs twice. */
const isAscending = (values: Changes['additions']): boolean =>
  values.every(({ DocId, Pid, llVal }, at) => {
    const before = values[at - 1];
    if (before === undefined || before.DocId < DocId) return true;
    if (before.DocId > DocId) return false;
    return before.Pid < Pid || (before.Pid === Pid && before.llVal < llVal);
  });
