import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import type { Bindable } from '../../base/stored.ts';
import type { BoundRows } from '../../engine/db.ts';
import type { Column } from '../../procedure/sink.ts';
import type { InsertBulk } from '../../syntax/ast/statement.ts';
import type { RowBatches } from '../bulk-insert.ts';
import type { Frame } from '../frame.ts';
import { sizeOf } from '../query/run.ts';
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
  const rows = made(batches, maker);
  const ahead = await readAhead(rows);
  let isTaken = false;
  try {
    return await changing(target, 'INSERT', frame, (db) => {
      // Most rows come once. A conflict takes back those that have come, so the client must send them again.
      if (isTaken && !ahead.isWhole) throw sqlError(1205, frame.host.identity.spid, 'lock');
      isTaken = true;
      return db.load(target.relation.changes.table, maker.columns, after(ahead, rows));
    });
  } catch (error) {
    throw inTermsOf(target, error);
  }
}

async function* made(batches: RowBatches, maker: RowMaker): AsyncGenerator<BoundRows, void> {
  for await (const rows of batches) yield rows.map((row) => maker.row(row));
}

/** Bytes of rows that are read before the transaction begins. */
const bytesAhead = 1024 * 1024;

/** The first rows of a load. */
interface Ahead {
  readonly rows: BoundRows;
  /** True when no others follow. */
  readonly isWhole: boolean;
}

/** Reads the first rows: whoever sends few, however slowly, then keeps no other writer waiting. */
async function readAhead(batches: AsyncGenerator<BoundRows, void>): Promise<Ahead> {
  const rows: (readonly Bindable[])[] = [];
  for (let size = 0; size < bytesAhead; ) {
    const next = await batches.next();
    if (next.done === true) return { rows, isWhole: true };
    for (const row of next.value) {
      const kept = row.map((value) => (value instanceof Uint8Array ? Uint8Array.from(value) : value));
      rows.push(kept);
      size += sizeOf(kept);
    }
  }
  return { rows, isWhole: false };
}

async function* after(ahead: Ahead, rest: AsyncGenerator<BoundRows, void>): AsyncGenerator<BoundRows, void> {
  yield ahead.rows;
  if (!ahead.isWhole) yield* rest;
}
