import type { Bindable } from '../../base/stored.ts';
import type { Db } from '../../engine/db.ts';
import { identifier, type Sql, sql } from '../../engine/sql.ts';
import { columnsOf } from '../../procedure/relations/columns-of.ts';
import { columnOf, joined } from '../../procedure/relations/select-relation.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { Frame } from '../frame.ts';
import type { TableRow } from '../storage/memory-table.ts';
import { StoredValues } from './stored-values.ts';
import { changing, type StoredTarget } from './target.ts';

const comma = sql`, `;

/** The maximum number of values of a statement that returns the numbers of its rows. */
const valuesTogether = 2000;

/**
 * How rows of a relation are inserted. The pieces are the same each time, so that a statement's text is found again.
 */
interface Insertion {
  readonly values: StoredValues;
  readonly into: Sql;
  readonly columns: Sql;
  readonly identity: NumberedColumn | undefined;
}

const insertions = new WeakMap<StoredTarget['relation'], Insertion>();

function insertionOf(target: StoredTarget): Insertion {
  let insertion = insertions.get(target.relation);
  if (insertion === undefined) {
    const values = new StoredValues(target, false);
    const columns = values.columns.map((column) => identifier(column));
    const into = identifier(target.relation.changes.table);
    insertion = { values, into, columns: joined(columns, comma), identity: identityOf(target) };
    insertions.set(target.relation, insertion);
  }
  return insertion;
}

/**
 * Puts the rows of an INSERT into the database: all of them or none. The numbers that the engine gives go into the
 * rows; `then` is done with them before they last.
 */
export async function putRows(
  target: StoredTarget,
  rows: readonly TableRow[],
  frame: Frame,
  then: () => Promise<void>,
): Promise<void> {
  const insertion = insertionOf(target);
  const { values, identity } = insertion;
  const { table } = target.relation.changes;
  await changing(target, 'INSERT', frame, async (db) => {
    if (identity === undefined) await db.insert(table, values.columns, bound(rows, values));
    else number(rows, identity, await insertNumbered(insertion, identity, rows, db), frame);
    await then();
  });
}

function number(rows: readonly TableRow[], { at }: NumberedColumn, numbers: readonly unknown[], { host }: Frame): void {
  rows.forEach((row, index) => {
    row.values = row.values.with(at, numbers[index]);
  });
  const last = numbers.at(-1);
  if (last !== undefined) host.state.identity = BigInt(String(last));
}

function* bound(rows: readonly TableRow[], values: StoredValues): Generator<readonly Bindable[], void> {
  for (const row of rows) yield values.of(row.values);
}

/** The column that the engine numbers. */
interface NumberedColumn {
  readonly at: number;
  readonly type: AnyType;
  readonly sql: Sql;
}

function identityOf({ relation }: StoredTarget): NumberedColumn | undefined {
  const columns = columnsOf(relation.columns);
  const at = columns.findIndex(({ name }) => relation.stored[name]?.identity);
  const column = columns[at];
  return column && { at, type: column.type, sql: columnOf(relation, column.name).sql };
}

async function insertNumbered(
  { values, into, columns }: Insertion,
  identity: NumberedColumn,
  rows: readonly TableRow[],
  db: Db,
): Promise<unknown[]> {
  const together = Math.max(1, Math.floor(valuesTogether / Math.max(1, values.columns.length)));
  const numbers: unknown[] = [];
  for (let at = 0; at < rows.length; at += together) {
    const some = rows.slice(at, at + together).map(({ values: row }) => {
      const cells = values.of(row).map((value) => sql`${value}`);
      return sql`(${joined(cells, comma)})`;
    });
    const inserted = await db.all(
      { number: identity.type },
      sql`insert into ${into} (${columns}) values ${joined(some, comma)} returning ${identity.sql} as number`,
    );
    for (const { number } of inserted) numbers.push(number);
  }
  return numbers;
}
