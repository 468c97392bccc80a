import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { sqlError } from '../../base/messages/sql-error.ts';
import type { Bindable } from '../../base/stored.ts';
import { fold } from '../../base/text/collation.ts';
import type { BoundRows } from '../../engine/db.ts';
import type { Column } from '../../procedure/run/sink.ts';
import type { InsertBulk } from '../../syntax/ast/statement.ts';
import { RawRows } from '../../tds/types/raw-rows.ts';
import type { RowBatches } from '../bulk-insert.ts';
import type { Frame } from '../frame.ts';
import { sizeOf } from '../query/run.ts';
import { RawLoad } from './raw-load.ts';
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
  const rows = made(maker.takesRaw && batches.raw !== undefined ? batches.raw() : batches, maker);
  using memory = frame.host.memory.under(frame.host.memory.limit);
  const ahead = await readAhead(rows, memory);
  let isTaken = false;
  return await changing(target, 'INSERT', frame, (db) => {
    // Most rows come once. A conflict takes back those that have come, so the client must send them again.
    if (isTaken && !ahead.isWhole) throw sqlError(1205, frame.host.identity.spid, 'lock');
    isTaken = true;
    return db.load(target.relation.changes.table, maker.columns, after(ahead, rows));
  });
}

/** Rows on their way into the table. */
type MadeRows = BoundRows | RawLoad;

async function* made(
  batches: RowBatches | AsyncIterable<readonly (readonly unknown[])[] | RawRows>,
  maker: RowMaker,
): AsyncGenerator<MadeRows, void> {
  for await (const rows of batches) {
    yield rows instanceof RawRows ? maker.raw(rows) : rows.map((row) => maker.row(row));
  }
}

/** Bytes of rows that are read before the transaction begins. */
const bytesAhead = 1024 * 1024;

/** The first rows of a load. */
interface Ahead {
  readonly batches: readonly MadeRows[];
  /** True when no others follow. */
  readonly isWhole: boolean;
}

/** Reads the first rows: a client that sends few, however slowly, then keeps no other writer waiting. */
async function readAhead(rows: AsyncGenerator<MadeRows, void>, memory: MemoryBudget): Promise<Ahead> {
  const batches: MadeRows[] = [];
  for (let size = 0; size < bytesAhead; ) {
    const next = await rows.next();
    if (next.done === true) return { batches, isWhole: true };
    const batch = next.value instanceof RawLoad ? next.value.kept() : next.value.map(keptRow);
    batches.push(batch);
    const more = batch instanceof RawLoad ? batch.size : batch.reduce((sum, row) => sum + sizeOf(row), 0);
    // What one row has beyond it is counted as a message that is being answered.
    memory.grow(Math.min(more, bytesAhead - size));
    size += more;
  }
  return { batches, isWhole: false };
}

const keptRow = (row: readonly Bindable[]): Bindable[] =>
  row.map((value) => (value instanceof Uint8Array ? Uint8Array.from(value) : value));

async function* after(ahead: Ahead, rest: AsyncGenerator<MadeRows, void>): AsyncGenerator<MadeRows, void> {
  yield* ahead.batches;
  if (!ahead.isWhole) yield* rest;
}
