import type { MemoryBudget } from '../../base/memory-budget.ts';
import type { Bindable, Shape, StoredValue } from '../../base/stored.ts';
import type { Db } from '../../engine/db.ts';
import { identifier, type Sql, sql, table as tableOf } from '../../engine/sql.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { Change } from '../../procedure/relation.ts';
import { columnOf, joined, selectFrom } from '../../procedure/select-relation.ts';
import type { Frame } from '../frame.ts';
import { sizeOf } from '../query/run.ts';
import type { MemoryTable, TableRow } from '../storage/memory-table.ts';
import { inTermsOf } from './naming.ts';
import { standIn } from './stand-in.ts';
import { StoredValues } from './stored-values.ts';
import { changing, type StoredTarget } from './target.ts';

/** Rows that are looked for at a time. */
const rowsAtATime = 1000;

/** What tells rows of the table apart, as the engine has it. */
interface RowKey {
  readonly columns: readonly string[];
  of(row: TableRow): readonly Bindable[];
}

/** The rows of a relation in memory, for one statement that changes some of them. */
interface Copy {
  readonly table: MemoryTable;
  readonly key: RowKey;
  readonly before: ReadonlyMap<TableRow, readonly unknown[]>;
}

/**
 * Runs an UPDATE or DELETE of a relation: its rows, of which `where` leaves out what it cannot be about, are copied into a
 * table that stands in for it `at` some names, the statement works on that, and what it changed goes into the database, all in one
 * transaction.
 */
export async function changeStored<T>(
  target: StoredTarget,
  change: Change,
  frame: Frame,
  { where, at }: { readonly where: readonly Sql[]; readonly at: ReadonlySet<ObjectName> },
  statement: () => Promise<T>,
): Promise<T> {
  const run = async (db: Db): Promise<T> => {
    using memory = frame.host.memory.under(frame.host.statementMemory);
    const copy = await copyOf(target, where, db, memory);
    frame.standIn = { table: copy.table, at };
    try {
      const result = await statement();
      await apply(target, copy, db);
      return result;
    } finally {
      frame.standIn = undefined;
    }
  };
  try {
    return await changing(target, change, frame, run, true);
  } catch (error) {
    throw inTermsOf(target, error);
  }
}

async function copyOf(target: StoredTarget, where: readonly Sql[], db: Db, memory: MemoryBudget): Promise<Copy> {
  const { relation } = target;
  const names = Object.keys(relation.columns);
  await refuseMany(target, where, db, memory);
  const { shape, query, key } = withKey(target, names, where);
  const table = standIn(target);
  const keys = new Map<TableRow, readonly Bindable[]>();
  const before = new Map<TableRow, readonly unknown[]>();
  for await (const read of db.rows(shape, query)) {
    const row: Readonly<Record<string, unknown>> = read;
    const values = names.map((name) => row[name] ?? null);
    memory.grow(sizeOf(values) * 2);
    const added = table.insert(values);
    if (added === undefined) continue;
    keys.set(
      added,
      key.columns.map((_, at) => row[keyName(at)] as Bindable),
    );
    before.set(added, values);
  }
  return { table, before, key: { columns: key.columns, of: (row) => keys.get(row) ?? [] } };
}

/** What a value takes in memory at least. */
const leastValue = 16;

/** In a transaction that writes rows come all at once: 701 when they cannot all be held. */
async function refuseMany(
  { relation }: StoredTarget,
  where: readonly Sql[],
  db: Db,
  memory: MemoryBudget,
): Promise<void> {
  const { query } = selectFrom(relation, { columns: [], extra: [{ name: 'n', sql: sql`count(*)` }], where });
  const { n } = (await db.first({ n: asNumber }, query)) ?? { n: 0 };
  const least = n * Object.keys(relation.columns).length * leastValue;
  memory.grow(least);
  memory.shrink(least);
}

const asNumber = { fromStore: Number };

const keyName = (at: number): string => `row key ${at}`;
const asStored = { fromStore: (value: Exclude<StoredValue, null>) => value, wide: true };

/** A SELECT of the relation's columns and of what tells its rows apart. */
function withKey(
  { relation }: StoredTarget,
  names: readonly string[],
  where: readonly Sql[],
): { shape: Shape; query: Sql; key: { columns: readonly string[] } } {
  const { rowId } = relation.changes;
  const columns =
    rowId === undefined
      ? (relation.primaryKey ?? []).map((name) => {
          const { column = name, keyColumn } = columnOf(relation, name);
          return keyColumn ?? column;
        })
      : [rowId];
  const extra = columns.map((column, at) => ({ name: keyName(at), sql: identifier(column) }));
  const { shape, query } = selectFrom(relation, { columns: names, extra, where });
  return {
    shape: { ...shape, ...Object.fromEntries(extra.map(({ name }) => [name, asStored])) },
    query,
    key: { columns },
  };
}

/** Puts what became of the copy into the database. A changed row is taken out and put in anew, so that keys may move. */
async function apply(target: StoredTarget, { table, key, before }: Copy, db: Db): Promise<void> {
  const { relation } = target;
  const now = new Set(table.rows());
  const gone = [...before.keys()].filter((row) => !now.has(row));
  const changed = [...now].filter((row) => before.get(row) !== row.values);
  await remove(target, key, [...gone, ...changed], db);
  if (changed.length === 0) return;
  const values = new StoredValues(target, true);
  const { rowId } = relation.changes;
  const columns = rowId === undefined ? values.columns : [rowId, ...values.columns];
  const rows = changed.map((row) => (rowId === undefined ? [] : key.of(row)).concat(values.of(row.values)));
  await db.insert(relation.changes.table, columns, rows);
}

async function remove({ relation }: StoredTarget, key: RowKey, rows: readonly TableRow[], db: Db): Promise<void> {
  const from = identifier(relation.changes.table);
  const columns = joined(
    key.columns.map((column) => identifier(column)),
    sql`, `,
  );
  for (let at = 0; at < rows.length; at += rowsAtATime) {
    const keys = rows.slice(at, at + rowsAtATime).map((row) => key.of(row));
    const kinds = Object.fromEntries(
      key.columns.map((column, index) => [column, typeof keys[0]?.[index] === 'string' ? 'text' : 'bigint'] as const),
    );
    await db.run(sql`delete from ${from} where (${columns}) in (select ${columns} from ${tableOf(kinds, keys)} k)`);
  }
}
