import { fold } from '../base/text/collation.ts';
import type { Expression } from '../syntax/ast/expression.ts';
import type { FromItem } from '../syntax/ast/query.ts';
import type { Delete, Insert, Statement, Update } from '../syntax/ast/statement.ts';
import { coerce } from './evaluate/coerce.ts';
import type { Context, Scope } from './evaluate/context.ts';
import { StatementContext } from './evaluate/statement-context.ts';
import type { Frame } from './frame.ts';
import { withCtes } from './query/cte.ts';
import { compileFrom, type Source } from './query/joins/from.ts';
import { compileJoins } from './query/joins/join.ts';
import { compileLimits } from './query/limits.ts';
import type { PlanColumn } from './query/plan.ts';
import { emptyScope, SelectScope } from './query/scope.ts';
import { changeTarget, insertThrough } from './statements/change-target.ts';
import { columnPlace } from './storage/memory-table.ts';

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
    if (change.kind === 'insert') await compileInsert(change, frame);
    else await compileRows(change, frame);
  }
}

/** The FROM of a statement, and what it is compiled in. */
async function compiledFrom(change: Change, items: readonly FromItem[], frame: Frame, carriesRows: boolean) {
  const plain = await StatementContext.of(frame, [change, items], { carriesRows });
  const context = plain.withCtes(withCtes(change.with, plain, undefined).ctes);
  compileLimits(change.top, {}, context);
  const compiled = compileFrom(items, undefined, context);
  if (compiled === undefined) throw new Error('a changed table is always a source');
  return { ...compiled, context };
}

const columnNamed = (columns: readonly PlanColumn[], name: string): PlanColumn | undefined =>
  columns[columnPlace(columns, name, 207)];

const compileAs = (expression: Expression, column: PlanColumn | undefined, scope: Scope, context: Context): void => {
  const compiled = context.expression(expression, scope);
  if (column !== undefined) coerce(compiled, column.type, context);
};

async function compileInsert(written: Insert, frame: Frame): Promise<void> {
  const { statement } = await insertThrough(written, frame);
  const { source, columns, target } = statement;
  const item: FromItem =
    'variable' in target ? { kind: 'variable', name: target.variable } : { kind: 'table', name: target };
  const { sources, context } = await compiledFrom(statement, [item], frame, false);
  if (source === 'default values' || !('body' in source)) return;
  if (source.body.kind !== 'values') {
    context.query(source, undefined);
    return;
  }
  const into = sources.flatMap((each) => each.columns.filter((column, at) => !fillsItself(each, column, at)));
  const targets = columns.length > 0 ? columns.map((name) => columnNamed(sources[0]?.columns ?? [], name)) : into;
  for (const row of source.body.rows) {
    for (const [at, value] of row.entries()) {
      if (value !== 'default') compileAs(value, targets[at], emptyScope, context);
    }
  }
}

const fillsItself = ({ table, stored }: Source, { name, type }: PlanColumn, at: number): boolean =>
  type.name === 'timestamp' ||
  table?.columns[at]?.identity !== undefined ||
  stored?.relation.stored[name]?.identity === true;

/** UPDATE and DELETE. */
async function compileRows(change: Update | Delete, frame: Frame): Promise<void> {
  const { alias, table, items, through } = await changeTarget(change, frame);
  const { tree, sources, context } = await compiledFrom(change, items, frame, through !== undefined);
  const scope = new SelectScope(sources, undefined);
  compileJoins(tree, sources, scope, context, []);
  const called = alias ?? fold('variable' in table ? table.variable : table.name);
  const target =
    sources.find((source) => source.alias === called) ??
    sources.find(({ tableName }) => fold(tableName?.at(-1) ?? '') === called);
  if (change.kind === 'update') {
    for (const item of change.assignments) {
      if (item.value === 'default') continue;
      const column = 'column' in item ? columnNamed(target?.columns ?? [], item.column) : undefined;
      compileAs(item.value, column, scope, context);
    }
  }
  if (change.where !== undefined) context.condition(change.where, scope);
}
