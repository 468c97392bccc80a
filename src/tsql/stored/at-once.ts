import { fold } from '../../base/text/collation.ts';
import { identifier, type Sql, sql } from '../../engine/sql.ts';
import { theMoment } from '../../procedure/relations/relation.ts';
import { chained, columnOf, joined } from '../../procedure/relations/select-relation.ts';
import type { Delete, Update, UpdateItem } from '../../syntax/ast/statement.ts';
import type { TypedValue } from '../../tds/types/sql-type.ts';
import { unlessRefused } from '../evaluate/compiled.ts';
import type { Frame } from '../frame.ts';
import { toColumn } from '../statements/rows.ts';
import type { MemoryTable, TableColumn } from '../storage/memory-table.ts';
import type { Narrowed } from './narrow.ts';
import { standIn } from './stand-in.ts';
import { changing, type StoredTarget } from './target.ts';

const and = sql` and `;
const comma = sql`, `;

/**
 * Runs an UPDATE or DELETE as one statement of the engine and returns how many rows it changed; undefined if the
 * interpreter has to read the rows: for OUTPUT, TOP, and new values that depend on the row.
 */
export async function changeAtOnce(
  target: StoredTarget,
  statement: Update | Delete,
  { where, isExact }: Narrowed,
  frame: Frame,
): Promise<number | undefined> {
  if (!isExact || statement.output !== undefined || statement.top !== undefined) return undefined;
  if (frame.host.options.rowCount > 0) return undefined;
  const table = identifier(target.relation.changes.table);
  const only = where.length === 0 ? sql`` : sql` where ${chained(where, and)}`;
  if (statement.kind === 'delete') return run(target, 'DELETE', sql`delete from ${table}${only}`, frame);
  const set = assignments(target, statement, frame);
  return set && run(target, 'UPDATE', sql`update ${table} set ${joined(set, comma)}${only}`, frame);
}

const run = (target: StoredTarget, change: 'UPDATE' | 'DELETE', text: Sql, frame: Frame): Promise<number> =>
  changing(target, change, frame, (db) => db.run(text));

/** The new values of UPDATE, if they are the same for all rows. */
function assignments(target: StoredTarget, { assignments: items }: Update, frame: Frame): Sql[] | undefined {
  const table = standIn(target);
  const set: Sql[] = [];
  for (const item of items) {
    const name = 'column' in item ? fold(item.column) : '';
    const column = table.columns.find((each) => fold(each.name) === name);
    if (column === undefined || column.identity !== undefined) return undefined;
    const { column: own = column.name, keyColumn, byDefault = null } = columnOf(target.relation, column.name);
    const otherwise = byDefault === theMoment ? frame.host.clock.now() : byDefault;
    const given = item.value === 'default' ? { type: column.type, value: otherwise } : constant(item, frame);
    const value = given && converted(given, table, column, frame);
    if (value === undefined) return undefined;
    set.push(sql`${identifier(own)} = ${value === null ? null : column.type.toStore(value)}`);
    if (keyColumn === undefined) continue;
    set.push(sql`${identifier(keyColumn)} = ${value === null ? null : fold(String(value))}`);
  }
  return set;
}

/** A value in the statement or in a variable. */
function constant({ value, operator }: UpdateItem, frame: Frame): TypedValue | undefined {
  if (value === 'default' || operator !== undefined) return undefined;
  if (value.kind === 'variable') return frame.variable(value.name);
  return value.kind === 'literal' ? value : undefined;
}

/** The value converted for the column; undefined if it does not fit, which matters only if there is a row. */
function converted({ value, type }: TypedValue, table: MemoryTable, column: TableColumn, frame: Frame): unknown {
  if (value === null) return column.nullable ? null : undefined;
  return unlessRefused(() => toColumn(value, type, table, column, frame));
}
