import type { Row } from '../base/stored.ts';
import type { Columns } from '../procedure/declare.ts';
import type { ColumnInfo } from '../tds/token/index.ts';

/** A table to load rows into: a declared relation, or anything with a name and columns. */
export interface BulkTarget<C extends Columns = Columns> {
  readonly schema?: string;
  readonly name: string;
  readonly columns: C;
}

/** Rows of some columns of a table. */
export type BulkRows<C extends Columns> = Iterable<Partial<Row<C>>> | AsyncIterable<Partial<Row<C>>>;

/** A bulk load as it is sent: the statement that announces it, its columns, and its rows in order. */
interface BulkPlan {
  readonly statement: string;
  readonly columns: readonly ColumnInfo[];
  readonly rows: Iterable<unknown[]> | AsyncIterable<unknown[]>;
}

const quoted = (name: string): string => `[${name.replaceAll(']', ']]')}]`;

/** Plans the load of rows into the given columns of a table, or all of them. */
export function bulkPlan<C extends Columns>(
  { schema = 'dbo', name, columns }: BulkTarget<C>,
  rows: BulkRows<C>,
  names: readonly (keyof C & string)[] = Object.keys(columns),
): BulkPlan {
  const infos = names.map((column) => infoOf(column, columns));
  const list = infos.map(({ name: column, type }) => `${quoted(column)} ${type.declaration}`).join(', ');
  return {
    statement: `insert bulk ${quoted(schema)}.${quoted(name)} (${list})`,
    columns: infos,
    rows: Symbol.iterator in rows ? inOrder(rows, infos) : inOrderLater(rows, infos),
  };
}

function infoOf(name: string, columns: Columns): ColumnInfo {
  const column = columns[name];
  if (column === undefined) throw new TypeError(`There is no column ${name} to load.`);
  return 'orNull' in column ? { name, type: column.orNull, nullable: true } : { name, type: column, nullable: false };
}

function valuesOf(row: Readonly<Record<string, unknown>>, columns: readonly ColumnInfo[]): unknown[] {
  return columns.map(({ name, type, nullable }) => {
    const value = row[name] ?? null;
    if (value !== null) return type.check(value);
    if (!nullable) throw new TypeError(`A row has no ${name}, which is never NULL.`);
    return null;
  });
}

function* inOrder<C extends Columns>(rows: Iterable<Partial<Row<C>>>, columns: readonly ColumnInfo[]) {
  for (const row of rows) yield valuesOf(row, columns);
}

async function* inOrderLater<C extends Columns>(rows: AsyncIterable<Partial<Row<C>>>, columns: readonly ColumnInfo[]) {
  for await (const row of rows) yield valuesOf(row, columns);
}
