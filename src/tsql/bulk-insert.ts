import { sqlError } from '../base/messages/sql-error.ts';
import { fold } from '../base/text/collation.ts';
import { inTurns } from '../base/threads/steps.ts';
import type { Column } from '../procedure/run/sink.ts';
import type { InsertBulk } from '../syntax/ast/statement.ts';
import type { RawRows } from '../tds/types/raw-rows.ts';
import { compareNullable } from '../values/compare.ts';
import { StatementContext } from './evaluate/statement-context.ts';
import { Frame } from './frame.ts';
import type { Host } from './host.ts';
import type { StatementSink } from './statement-sink.ts';
import { allOrNothing, Inserter } from './statements/inserter.ts';
import { targetTable } from './statements/rows.ts';
import { beginImplicitly } from './statements/transaction.ts';
import type { MemoryTable } from './storage/memory-table.ts';
import { refuseOrphans } from './storage/references.ts';
import { loadRows } from './stored/load.ts';
import { storedTarget } from './stored/target.ts';

/**
 * Rows of a bulk load in the portions in which they arrive; bytes in them are valid until the next portion is
 * requested.
 */
export type RowBatches = (AsyncIterable<Rows> | Iterable<Rows>) & {
  /** The same rows, with values of plain types as wire bytes. */
  raw?(): AsyncIterable<Rows | RawRows>;
};

type Rows = readonly (readonly unknown[])[];

/**
 * Inserts the rows of a bulk load into the table of the preceding INSERT BULK; returns how many there were. All of them
 * or none: a row that does not fit rejects with its SqlError. 4002 if no INSERT BULK is pending.
 */
export async function bulkInsert(
  host: Host,
  columns: readonly Column[],
  batches: RowBatches,
  sink: StatementSink,
  signal: AbortSignal,
): Promise<number> {
  const { bulk } = host.state;
  host.state.bulk = undefined;
  if (bulk === undefined) throw sqlError(4002);
  if (columns.length !== bulk.columns.length) throw sqlError(4816, columns.length);
  const frame = new Frame(host, sink, signal);
  const stored = await storedTarget(bulk.target, frame, 'INSERT');
  if (stored !== undefined) {
    await beginImplicitly(frame);
    host.state.rowCount = await loadRows(stored, bulk, columns, batches, frame);
    return host.state.rowCount;
  }
  try {
    host.state.rowCount = await intoMemory(bulk, columns, batches, frame);
    return host.state.rowCount;
  } finally {
    // In any case: a failed load must not block the table.
    if (host.transactions.count === 0) host.tempDb.unlock(host.identity.spid);
  }
}

/** Inserts them into a table that a client has created. */
async function intoMemory(
  bulk: InsertBulk,
  columns: readonly Column[],
  batches: RowBatches,
  frame: Frame,
): Promise<number> {
  const table = await targetTable(bulk.target, frame, 'INSERT');
  const context = await StatementContext.of(frame, table.definition);
  const names = bulk.columns.map(({ name }) => name);
  const checks = bulk.options.includes('CHECK_CONSTRAINTS');
  const inserter = new Inserter(table, names, context, {
    explicit: false,
    nullMeansDefault: !bulk.options.includes('KEEP_NULLS'),
    verifyLength: true,
    ignoresChecks: !checks,
  });
  const inOrder = orderCheck(bulk, table);
  await allOrNothing([inserter], async () => {
    for await (const rows of batches) {
      for (const row of rows) {
        inOrder(row);
        const given = row.map((value, at) => ({ type: columns[at]?.type ?? missing(at), value: kept(value) }));
        const slow = inserter.add(given);
        if (slow !== undefined) await slow;
      }
    }
    if (checks) await inTurns(refuseOrphans(table, inserter.inserted, 'INSERT', frame.host), frame.turn);
  });
  return inserter.inserted.length;
}

/** A table in memory keeps its values, while the bytes of a bulk load are reused. */
const kept = (value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value) : value);

function missing(at: number): never {
  throw sqlError(4816, at + 1);
}

/**
 * Refuses a row that is out of order, if the client promised the order of the primary key: 4819. SQL Server does not
 * use a promise of another order, nor one about values that it has to convert: it then sorts itself, and accepts rows
 * in any order.
 */
function orderCheck({ order, columns }: InsertBulk, table: MemoryTable): (row: readonly unknown[]) => void {
  const key = table.primaryKey.map((at) => table.columns[at]);
  const promised = order.map(({ column }) => fold(column)).join();
  if (key.length === 0 || promised !== key.map((column) => fold(column?.name ?? '')).join()) return () => {};
  // A key is stored in ascending order.
  if (order.some(({ descending }) => descending)) return () => {};
  const keys = order.map(({ column }) => {
    const at = columns.findIndex(({ name }) => fold(name) === fold(column));
    const type = columns[at]?.type;
    if (type === undefined) throw sqlError(207, column);
    return { at, type };
  });
  if (keys.some(({ type }, at) => type.declaration !== key[at]?.type.declaration)) return () => {};
  let last: readonly unknown[] | undefined;
  return (row) => {
    for (const { at, type } of last === undefined ? [] : keys) {
      const step = compareNullable(last?.[at] ?? null, row[at] ?? null, type);
      if (step < 0) break;
      if (step > 0) throw sqlError(4819, shown(last, keys), shown(row, keys));
    }
    last = row.map(kept);
  };
}

const shown = (row: readonly unknown[] | undefined, keys: readonly { at: number }[]): string =>
  keys.map(({ at }) => String(row?.[at])).join(', ');
