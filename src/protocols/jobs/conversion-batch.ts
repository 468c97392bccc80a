import { sqlError } from '../../base/messages/sql-error.ts';
import type { Row, Shape } from '../../base/stored.ts';
import { required } from '../../procedure/param.ts';
import { datetime, int } from '../../tds/types/index.ts';
import { type Pages, rowsOf } from './hand-out.ts';

/** The parameters of proc_GetConversionBatch and similar procedures; the meaning of the number differs. */
export const batchParams = (most: string) => ({
  NumberOfConversionsInBatch: required(int, most),
  InProgressThreshold: required(datetime, 'Items in progress since before this moment (UTC) are stale.'),
});

/** Returns the items of a batch; 127 if a negative number of items was requested. */
export function handedOut<S extends Shape>(
  most: number,
  items: Pages<S>,
): { outcome: 'done'; sets: { ResultSet0: AsyncIterable<Row<S>> } } {
  if (most < 0) throw sqlError(127);
  return { outcome: 'done', sets: { ResultSet0: rowsOf(items) } };
}
