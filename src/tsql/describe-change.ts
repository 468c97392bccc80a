import { sqlError } from '../base/sql-error.ts';
import type { Expression } from '../syntax/ast/expression.ts';
import type { Delete, Insert, Statement, Update } from '../syntax/ast/statement.ts';
import { coerce } from './evaluate/coerce.ts';
import type { Context, Scope } from './evaluate/context.ts';
import { StatementContext } from './evaluate/statement-context.ts';
import type { Frame } from './frame.ts';
import { memorySource } from './query/from.ts';
import { emptyScope, SelectScope } from './query/scope.ts';
import { changedQuery } from './statements/changed-query.ts';
import { columnPlace, type MemoryTable, type TableColumn } from './storage/memory-table.ts';
import { tableNamed } from './storage/object-place.ts';

type Change = Insert | Update | Delete;

const isChange = ({ kind }: Statement): boolean => kind === 'insert' || kind === 'update' || kind === 'delete';

/**
 * Compiles the statements of a batch that change tables, which FMTONLY leaves out: their variables take columns' types.
 */
export async function compileChanges(statements: readonly Statement[], frame: Frame): Promise<void> {
  for (const statement of statements) {
    if (!isChange(statement)) continue;
    // `isChange` says so of the kind; a filter does not narrow a union of many.
    const change = statement as Change;
    // What a query leads to is found when the statement runs.
    if (changedQuery(change.target, 'from' in change ? change.from : [], change.with, frame.host) !== undefined)
      continue;
    const table = tableOf(change, frame);
    const context = await StatementContext.of(frame, change);
    if (change.kind === 'insert') compileInsert(change, table, context);
    else compileRows(change, table, context);
  }
}

function tableOf({ target }: Change, frame: Frame): MemoryTable {
  if ('variable' in target) return frame.table(target.variable);
  const table = tableNamed(target, frame.host);
  if (table === undefined) throw sqlError(208, target.name);
  return table;
}

const columnNamed = ({ columns }: MemoryTable, name: string): TableColumn | undefined =>
  columns[columnPlace(columns, name, 207)];

const compileAs = (expression: Expression, column: TableColumn | undefined, scope: Scope, context: Context): void => {
  const compiled = context.expression(expression, scope);
  if (column !== undefined) coerce(compiled, column.type, context);
};

function compileInsert({ source, columns }: Insert, table: MemoryTable, context: Context): void {
  if (source === 'default values' || !('body' in source)) return;
  if (source.body.kind !== 'values') {
    context.query(source, undefined);
    return;
  }
  const targets =
    columns.length > 0
      ? columns.map((name) => columnNamed(table, name))
      : table.columns.filter(({ identity, type }) => identity === undefined && type.name !== 'timestamp');
  for (const row of source.body.rows) {
    for (const [at, value] of row.entries()) {
      if (value !== 'default') compileAs(value, targets[at], emptyScope, context);
    }
  }
}

/** UPDATE and DELETE of one table; other tables of a FROM are ignored. */
function compileRows(change: Update | Delete, table: MemoryTable, context: Context): void {
  const scope = new SelectScope([memorySource(table, table.name)], undefined);
  if (change.kind === 'update') {
    for (const item of change.assignments) {
      if (item.value === 'default') continue;
      compileAs(item.value, 'column' in item ? columnNamed(table, item.column) : undefined, scope, context);
    }
  }
  if (change.where !== undefined) context.condition(change.where, scope);
}
