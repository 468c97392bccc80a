import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import type { Bindable, StoredValue } from '../../base/stored.ts';
import type { Db } from '../../engine/db.ts';
import { identifier, type Sql, sql, table as tableOf } from '../../engine/sql.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { Change } from '../../procedure/relations/relation.ts';
import { columnOf, joined, selectFrom } from '../../procedure/relations/select-relation.ts';
import type { Frame } from '../frame.ts';
import { sizeOf } from '../query/run.ts';
import type { MemoryTable, TableRow } from '../storage/memory-table.ts';
import { standIn } from './stand-in.ts';
import { StoredValues } from './stored-values.ts';
import { changing, type StoredTarget } from './target.ts';

/** Rows that are looked up at a time. */
const rowsAtATime = 1000;

/** The rows of a relation in memory, for one statement that changes some of them. */
interface Copy {
  readonly table: MemoryTable;
  /** What they held. */
  readonly before: ReadonlyMap<TableRow, readonly unknown[]>;
  /** Their keys in the engine. */
  readonly keys: ReadonlyMap<TableRow, readonly Bindable[]>;
}

/**
 * Runs an UPDATE or DELETE of a relation in one transaction: copies its rows, except those that `where` excludes, into
 * a table that replaces it `at` some names, runs the statement on that, and writes the changes to the database.
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
    return frame.standingIn(copy.table, at, async () => {
      const result = await statement();
      await apply(target, copy, db);
      return result;
    });
  };
  return await changing(target, change, frame, run, true);
}

async function copyOf(target: StoredTarget, where: readonly Sql[], db: Db, memory: MemoryBudget): Promise<Copy> {
  const { relation } = target;
  const names = Object.keys(relation.columns);
  await refuseMany(target, where, db, memory);
  const extra = keyColumns(target).map((column, at) => ({ name: `row key ${at}`, sql: identifier(column) }));
  const { shape, query } = selectFrom(relation, { columns: names, extra, where });
  const withKey = { ...shape, ...Object.fromEntries(extra.map(({ name }) => [name, asStored])) };
  const table = standIn(target);
  const keys = new Map<TableRow, readonly Bindable[]>();
  const before = new Map<TableRow, readonly unknown[]>();
  for await (const read of db.rows(withKey, query)) {
    const row: Readonly<Record<string, unknown>> = read;
    const values = names.map((name) => row[name] ?? null);
    memory.grow(sizeOf(values) * 2);
    const added = table.insert(values);
    if (added === undefined) continue;
    keys.set(
      added,
      extra.map(({ name }) => row[name] as Bindable), // as it is stored
    );
    before.set(added, values);
  }
  return { table, before, keys };
}

/** The minimum memory of a value. */
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

const asStored = { fromStore: (value: Exclude<StoredValue, null>) => value, wide: true };

/** The columns of the table that identify its rows. */
function keyColumns({ relation }: StoredTarget): readonly string[] {
  const { rowId } = relation.changes;
  if (rowId !== undefined) return [rowId];
  return (relation.primaryKey ?? []).map((name) => {
    const { column = name, keyColumn } = columnOf(relation, name);
    return keyColumn ?? column;
  });
}

/**
 * Writes the changes of the copy to the database. A changed row is deleted and inserted again, so that keys may move.
 */
async function apply(target: StoredTarget, { table, keys, before }: Copy, db: Db): Promise<void> {
  const { relation } = target;
  const keyOf = (row: TableRow): readonly Bindable[] => keys.get(row) ?? [];
  const now = new Set(table.rows());
  const gone = [...before.keys()].filter((row) => !now.has(row));
  const changed = [...now].filter((row) => before.get(row) !== row.values);
  await remove(target, [...gone, ...changed].map(keyOf), db);
  if (changed.length === 0) return;
  const values = new StoredValues(target, true);
  const { rowId } = relation.changes;
  const columns = rowId === undefined ? values.columns : [rowId, ...values.columns];
  const rows = changed.map((row) => (rowId === undefined ? [] : keyOf(row)).concat(values.of(row.values)));
  await db.insert(relation.changes.table, columns, rows);
}

async function remove(target: StoredTarget, rows: readonly (readonly Bindable[])[], db: Db): Promise<void> {
  const from = identifier(target.relation.changes.table);
  const names = keyColumns(target);
  const columns = joined(
    names.map((name) => identifier(name)),
    sql`, `,
  );
  for (let at = 0; at < rows.length; at += rowsAtATime) {
    const keys = rows.slice(at, at + rowsAtATime);
    const kinds = Object.fromEntries(
      names.map((name, index) => [name, typeof keys[0]?.[index] === 'string' ? 'text' : 'bigint'] as const),
    );
    await db.run(sql`delete from ${from} where (${columns}) in (select ${columns} from ${tableOf(kinds, keys)} k)`);
  }
}
