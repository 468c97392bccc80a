import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { inTurns } from '../../base/threads/steps.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { Expression } from '../../syntax/ast/expression.ts';
import type { Top } from '../../syntax/ast/query.ts';
import type { Current, Delete, Update, UpdateItem } from '../../syntax/ast/statement.ts';
import { xml } from '../../tds/types/index.ts';
import { isLong } from '../../values/long-value.ts';
import type { Cursor } from '../cursors/cursor.ts';
import { coerce } from '../evaluate/coerce.ts';
import { type Compiled, type Env, noRows } from '../evaluate/compiled.ts';
import { answered, type Prepared } from '../evaluate/prepared.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame, Variable } from '../frame.ts';
import { withCtes } from '../query/cte.ts';
import { compileFrom } from '../query/joins/from.ts';
import { compileJoins, fromRows } from '../query/joins/join.ts';
import { envOf, joinRowSizer } from '../query/joins/join-row.ts';
import { compileLimits } from '../query/limits.ts';
import { reading } from '../query/read.ts';
import { compileTests, conjuncts } from '../query/row-tests.ts';
import { sizeOf } from '../query/run.ts';
import { SelectScope } from '../query/scope.ts';
import { HeldMemory } from '../storage/held-memory.ts';
import type { MemoryTable, TableRow } from '../storage/memory-table.ts';
import { rowsByValues } from '../storage/rows-by-values.ts';
import { changeAtOnce } from '../stored/at-once.ts';
import { changeStored } from '../stored/change.ts';
import { narrowed } from '../stored/narrow.ts';
import { type StoredTarget, storedTarget } from '../stored/target.ts';
import { give } from './assign.ts';
import { type ChangeTarget, changeTarget, givenBy, namesOf } from './change-target.ts';
import { type ChangedQuery, leavesOf, rowBehind, shownBy, WayThrough } from './changed-query.ts';
import { refuseUnseen } from './check-option.ts';
import { type Completion, next } from './completion.ts';
import { allOrNothing } from './inserter.ts';
import { Output } from './output-clause.ts';
import { deleteRows, updateRows } from './references.ts';
import { RowRules, targetTable, toColumn, toColumnSteps } from './rows.ts';
import { beginImplicitly } from './transaction.ts';

/** The rows that a statement changes, each with the environment of its expressions. */
interface Found {
  readonly table: MemoryTable;
  /** What FROM calls it. */
  readonly alias: string;
  readonly scope: SelectScope;
  readonly context: StatementContext;
  /** Present if the table is changed through a query. */
  readonly way: WayThrough | undefined;
  readonly through: ChangedQuery | undefined;
  /** What OUTPUT sees of a row of the table with these values. */
  imageOf(values: readonly unknown[], env: Env): readonly unknown[];
  /** What the rows of other sources take is counted. */
  rows(held: HeldMemory): Promise<Map<TableRow, Env>>;
}

async function find(
  statement: Update | Delete,
  { table: target, alias, items, through }: ChangeTarget,
  frame: Frame,
  permission: string,
): Promise<Found> {
  const { where } = statement;
  const table = await targetTable(target, frame, permission);
  const how = { carriesRows: through !== undefined };
  const plain = await StatementContext.of(frame, [statement, table.definition, items], how);
  const context = plain.withCtes(withCtes(statement.with, plain, undefined).ctes);
  const compiled = compileFrom(items, undefined, context);
  if (compiled === undefined) throw new Error('a changed table is always a source');
  const scope = new SelectScope(compiled.sources, undefined);
  const tree = compileJoins(compiled.tree, compiled.sources, scope, context, conjuncts(where));
  const tests = compileTests(conjuncts(where), scope, context);
  const at = compiled.sources.findIndex(
    (source) => (through !== undefined || source.table === table) && (alias === undefined || source.alias === alias),
  );
  const index = at < 0 ? compiled.sources.findIndex((source) => source.table === table) : at;
  const way = through && new WayThrough(through, compiled.sources[index]?.columns ?? [], givenBy(statement));
  return {
    table,
    alias: compiled.sources[index]?.alias ?? fold(table.name),
    scope,
    context,
    way,
    through,
    imageOf: (values, { rows }) => shownBy(way, values, rows[index]),
    async rows(held) {
      if (statement.current !== undefined) {
        const row = currentRow(statement, statement.current, table, frame);
        const rows = compiled.sources.map((_, at) => (at === index ? row.values : null));
        return new Map([[row, envOf(rows, noRows)]]);
      }
      const most = await limit(statement.top, table, context);
      const { turn } = context.run;
      const byValues = await rowsByValues(table, turn);
      const isHeld = compiled.sources.length > 1 || way !== undefined;
      const sizeOfPair = isHeld ? joinRowSizer(compiled.sources) : () => 0;
      const found = new Map<TableRow, Env>();
      for await (const batch of fromRows(tree, tests, noRows, context.run)) {
        for (const env of batch) {
          const row = byValues.get(rowBehind(way, env.rows[index]));
          if (row === undefined || found.has(row)) continue;
          if (found.size >= most) return found;
          held.take(sizeOfPair(env.rows));
          found.set(row, env);
        }
        if (turn.isOver) await turn.giveWay();
      }
      return found;
    },
  };
}

/** The cursor of WHERE CURRENT OF, and the row of its block: 16916 if there is none of that name. */
function cursorOf(current: Current, frame: Frame): { readonly cursor: Cursor; readonly row?: number } {
  const { cursors } = frame.host.state;
  if ('handle' in current) return { cursor: cursors.byHandle(current.handle, 'sp_cursor'), row: current.row };
  const own = current.global ? undefined : frame.cursors.get(fold(current.name));
  const cursor = own ?? cursors.byName(current.name);
  if (cursor === undefined) throw sqlError(16916, current.name);
  return { cursor };
}

/**
 * The row that WHERE CURRENT OF refers to: 16943 if its table has been rebuilt, 16932 for a column that must not be
 * changed.
 */
function currentRow(statement: Update | Delete, current: Current, table: MemoryTable, frame: Frame): TableRow {
  const { cursor, row } = cursorOf(current, frame);
  const { updatable } = cursor.traits;
  if (statement.kind === 'update' && updatable !== undefined) {
    const allowed = new Set(updatable.map(fold));
    const isRefused = (item: UpdateItem) => 'column' in item && !allowed.has(fold(item.column));
    if (statement.assignments.some(isRefused)) throw sqlError(16932);
  }
  if (cursor.keyset?.positioned.tables.some((each) => each.table.objectId === table.objectId && each.table !== table))
    throw sqlError(16943);
  return cursor.rowToChange(table, row);
}

export async function limit(top: Top | undefined, table: MemoryTable, context: StatementContext): Promise<number> {
  const byOption = context.frame.host.options.rowCount || Number.POSITIVE_INFINITY;
  if (top === undefined) return byOption;
  const { count = 0, percent } = await compileLimits(top, {}, context).of(noRows);
  return Math.min(byOption, percent === undefined ? count : Math.ceil((table.rowCount * percent) / 100));
}

/** Runs an UPDATE or DELETE; `work` changes rows of a table, and returns their number and what OUTPUT shows. */
async function runChange(
  statement: Update | Delete,
  frame: Frame,
  work: (found: Found, output: Output) => Promise<number>,
): Promise<Completion> {
  const { kind: command } = statement;
  const change = command === 'update' ? 'UPDATE' : 'DELETE';
  let output: Output | undefined;
  const run = async (target: ChangeTarget): Promise<number> => {
    const found = await find(statement, target, frame, change);
    await beginImplicitly(frame);
    output = await Output.of(statement.output, (found.way ?? found.table).columns, found.context);
    return work(found, output);
  };
  const count = await allOrNothing([{ undo: () => output?.undo() }], () => onTarget(statement, change, frame, run));
  await output?.send();
  frame.host.state.rowCount = count;
  if (!output?.sendsRows) frame.sink.done({ command, count });
  return next;
}

/** Runs a change of rows: on a table in memory directly, on a relation of a database through its stand-in. */
async function onTarget(
  statement: Update | Delete,
  change: 'UPDATE' | 'DELETE',
  frame: Frame,
  run: (target: ChangeTarget) => Promise<number>,
): Promise<number> {
  const target = await changeTarget(statement, frame);
  const stored = await storedTarget(target.table, frame, change);
  // A cursor belongs to another statement: it knows neither the stand-in of this one nor its queries.
  if (statement.current !== undefined && (stored ?? target.through) !== undefined) throw sqlError(16929);
  if (stored === undefined) return run(target);
  await beginImplicitly(frame);
  const rows = await narrowed(stored, statement, frame);
  const count = await changeAtOnce(stored, statement, rows, frame);
  if (count !== undefined) return count;
  const at = new Set(namesOf(target.table));
  for (const item of statement.from.flatMap(leavesOf)) {
    if (item.kind === 'table' && (await isOf(stored, item.name, frame))) at.add(item.name);
  }
  return changeStored(stored, change, frame, { where: rows.where, at }, () => run(target));
}

/** True for a name of FROM that means the relation which is changed. */
async function isOf({ relation, database }: StoredTarget, name: ObjectName, { host }: Frame): Promise<boolean> {
  if (fold(name.name) !== fold(relation.name) || fold(name.database ?? host.database) !== fold(database)) return false;
  return (await host.relation(name)) === relation;
}

/** DELETE. */
export function runDelete(statement: Delete, frame: Frame): Promise<Completion> {
  return runChange(statement, frame, async ({ table, context, rows: find, imageOf }, output) => {
    using held = new HeldMemory(frame.host.memory);
    const found = await reading(context, () => find(held));
    const rows = [...found.keys()];
    await output.take(rows, (row) => ({ inserted: undefined, deleted: imageOf(row.values, found.get(row) ?? noRows) }));
    return deleteRows(table, rows, frame);
  });
}

/** What an UPDATE assigns: a column or a variable. */
export interface Setter {
  readonly column: number | undefined;
  readonly variable: Variable | undefined;
  readonly value: Prepared<Compiled> | 'default';
}

/** UPDATE. */
export function runUpdate(statement: Update, frame: Frame): Promise<Completion> {
  return runChange(statement, frame, async (found, output) => {
    const rules = new RowRules(found.table, found.context);
    const setters = statement.assignments.map((item) => setter(item, found, rules));
    using held = new HeldMemory(frame.host.memory, found.table.refused);
    const { rows, changes } = await reading(found.context, async () => {
      const rows = await found.rows(held);
      return { rows, changes: await changedRows(rows, setters, rules, found, held) };
    });
    await output.take(changes, ([row, inserted]) => {
      const env = rows.get(row) ?? noRows;
      return { inserted: found.imageOf(inserted, env), deleted: found.imageOf(row.values, env) };
    });
    // From here on the table counts them.
    held.free();
    await updateRows(found.table, changes, frame, (rows) => refuseUnseen(found.through, found.table, rows, frame));
    if (statement.current !== undefined) {
      const { keyset } = cursorOf(statement.current, frame).cursor;
      for (const [row] of changes) keyset?.changed(row);
    }
    return changes.length;
  });
}

export function setter(
  item: UpdateItem,
  { table, alias, scope, context, way }: Pick<Found, 'table' | 'alias' | 'scope' | 'context'> & Partial<Found>,
  rules: RowRules,
): Setter {
  const name = 'column' in item ? item.column : undefined;
  const column =
    name === undefined
      ? undefined
      : (way?.placeOf(name) ?? table.columns.findIndex((each) => fold(each.name) === fold(name)));
  if (name !== undefined && column !== undefined) refuseColumn(table, column, name, rules);
  const variable = 'variable' in item ? context.frame.variable(item.variable) : undefined;
  if (item.value === 'default') return { column, variable, value: 'default' };
  const left: Expression =
    'column' in item ? { kind: 'column', parts: [alias, item.column] } : { kind: 'variable', name: item.variable };
  const value: Expression =
    item.operator === undefined ? item.value : { kind: 'binary', operator: item.operator, left, right: item.value };
  const compile = () => context.expression(value, scope);
  // Rows that were read in steps while the rest was prepared need not be read again.
  const isDocument = (variable ?? table.columns[column ?? -1])?.type.name === 'xml';
  return { column, variable, value: context.prepared(isDocument ? () => coerce(compile(), xml, context) : compile) };
}

function refuseColumn(table: MemoryTable, at: number, name: string, rules: RowRules): void {
  const column = table.columns[at];
  if (column === undefined) throw sqlError(207, name);
  if (column.identity !== undefined) throw sqlError(8102, name);
  if (column.type.name === 'timestamp') throw sqlError(272);
  if (rules.isComputed(at)) throw sqlError(271, name);
}

export async function changedRows(
  rows: ReadonlyMap<TableRow, Env>,
  setters: readonly Setter[],
  rules: RowRules,
  found: Pick<Found, 'table' | 'context'>,
  held: HeldMemory,
): Promise<[TableRow, readonly unknown[]][]> {
  const { turn } = found.context.run;
  const changes: [TableRow, readonly unknown[]][] = [];
  for (const [row, env] of rows) {
    if (turn.isOver) await turn.giveWay();
    for (const { value } of setters) if (value !== 'default') await answered(value.pending, env);
    const values = await rules.finish(await changed(row, env, setters, rules, found), 'UPDATE');
    held.take(sizeOf(values));
    changes.push([row, values]);
  }
  return changes;
}

async function changed(
  row: TableRow,
  env: Env,
  setters: readonly Setter[],
  rules: RowRules,
  { table, context }: Pick<Found, 'table' | 'context'>,
): Promise<unknown[]> {
  const { frame } = context;
  const values = [...row.values];
  for (const { column, variable, value: given } of setters) {
    if (given === 'default') {
      if (column !== undefined) values[column] = rules.defaultOf(column);
      continue;
    }
    const { compiled: value } = given;
    const result = value.evaluate(env);
    if (variable !== undefined) await give(variable, result, value.type, frame);
    const target = column === undefined ? undefined : table.columns[column];
    if (column === undefined || target === undefined) continue;
    const from = value.bare ? target.type : value.type;
    if (target.type.name === 'xml' && from.name === 'xml') values[column] = result;
    else if (isLong(result))
      values[column] = await inTurns(toColumnSteps(result, from, table, target, frame), context.run.turn);
    else values[column] = toColumn(result, from, table, target, frame);
  }
  table.columns.forEach((column, at) => {
    if (column.type.name === 'timestamp') values[at] = frame.host.tempDb.newRowVersion();
  });
  return values;
}
