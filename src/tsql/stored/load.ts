import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import type { BoundRows } from '../../engine/db.ts';
import type { Column } from '../../procedure/sink.ts';
import type { InsertBulk } from '../ast/statement.ts';
import type { RowBatches } from '../bulk-insert.ts';
import type { Frame } from '../frame.ts';
import { inTermsOf } from './naming.ts';
import { RowMaker } from './row-maker.ts';
import { changing, type StoredTarget } from './target.ts';

/** Puts the rows of a bulk load into a relation as they come, in one transaction or the client's; returns how many. */
export async function loadRows(
  target: StoredTarget,
  bulk: InsertBulk,
  columns: readonly Column[],
  batches: RowBatches,
  frame: Frame,
): Promise<number> {
  const given = columns.map((column, at) => ({ ...column, name: bulk.columns[at]?.name ?? '' }));
  const maker = new RowMaker(target, given, !bulk.options.some((option) => fold(option) === 'keep_nulls'), frame);
  let isTaken = false;
  try {
    return await changing(target, 'INSERT', frame, (db) => {
      // The rows come once. A conflict takes back those that have come, so the client must send them again.
      if (isTaken) throw sqlError(1205, frame.host.identity.spid, 'lock');
      isTaken = true;
      return db.load(target.relation.changes.table, maker.columns, made(batches, maker));
    });
  } catch (error) {
    throw inTermsOf(target, error);
  }
}

async function* made(batches: RowBatches, maker: RowMaker): AsyncGenerator<BoundRows, void> {
  for await (const rows of batches) yield rows.map((row) => maker.row(row));
}
