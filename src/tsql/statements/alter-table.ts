import { sqlError, sqlErrorAfter } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { type Steps, toTheEnd } from '../../base/threads/steps.ts';
import type { Turn } from '../../base/threads/turn.ts';
import type { AlterTable, DroppedPart } from '../../syntax/ast/statement.ts';
import type { ColumnDefinition, TableDefinition } from '../../syntax/ast/table.ts';
import { convert } from '../../tds/convert/convert.ts';
import { bigint } from '../../tds/types/index.ts';
import { isLong } from '../../values/long-value.ts';
import { coerce } from '../evaluate/coerce.ts';
import { type Compiled, noRows } from '../evaluate/compiled.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import type { Host } from '../host.ts';
import { emptyScope } from '../query/scope.ts';
import {
  definitionOf,
  rebuilt,
  withAdded,
  withColumn,
  withConstraints,
  withoutColumn,
  withoutConstraint,
} from '../storage/alter-table.ts';
import { withNames } from '../storage/create-table.ts';
import { boundTo } from '../storage/made-view.ts';
import type { MemoryTable, TableRow } from '../storage/memory-table.ts';
import { exchange, memoryFor, placeOf } from '../storage/object-place.ts';
import { referenceToKey } from '../storage/references.ts';
import { type Completion, ended } from './completion.ts';
import { withReferences } from './definition.ts';
import { verifyReferences } from './references.ts';
import { RowRules, targetTable, toColumn, toColumnSteps } from './rows.ts';
import { completed } from './table-definition.ts';
import { beginImplicitly } from './transaction.ts';

/** Fills the computed columns of all rows and checks the constraints, using their current values. */
async function refill(copy: MemoryTable, rules: RowRules, turn: Turn): Promise<void> {
  const changes: [TableRow, readonly unknown[]][] = [];
  for (const row of copy.rows()) {
    changes.push([row, await rules.finish([...row.values], 'ALTER TABLE')]);
    if (turn.isOver) await turn.giveWay();
  }
  await toTheEnd(copy.update(changes));
}

/** ALTER TABLE #t: rebuilds the table with its rows. */
export async function runAlterTable(statement: AlterTable, frame: Frame): Promise<Completion> {
  const table = await targetTable(statement.table, frame, 'ALTER', 4902);
  await beginImplicitly(frame);
  const { state } = frame.host;
  const place = placeOf(statement.table, frame.host) ?? state;
  if (statement.action === 'triggers') return ended(frame.sink, { command: 'alter table' });
  if (statement.action === 'drop') {
    refuseIndexed(table, statement.dropped);
    refuseReferred(table, statement.dropped, frame);
  }
  refuseBoundColumns(table, changedColumns(statement), frame.host);
  const wanted = withNames(table.name, await completed(changed(statement, table), frame));
  const definition = statement.action === 'add' ? withReferences(table, wanted, frame) : wanted;
  const context = await StatementContext.of(frame, definition);
  const isNew = new Set(statement.action === 'add' ? statement.definition.columns.map(({ name }) => fold(name)) : []);
  const first = firstValues(context, frame);
  function* holds(column: ColumnDefinition, old: number, row: readonly unknown[]): Steps<unknown> {
    if (old < 0 && isNew.has(fold(column.name))) return first(column);
    const from = table.columns[old];
    if (from === undefined) return null;
    if (!isLong(row[old])) return toColumn(row[old], from.type, table, column, frame);
    return yield* toColumnSteps(row[old], from.type, table, column, frame);
  }
  const copy = await toTheEnd(rebuilt(table, definition, state.undo, memoryFor(place, frame.host), { holds }));
  if (table.lastGiven === undefined && first.lastNumber !== undefined) copy.sawIdentity(first.lastNumber);
  if (!isUnverified(statement)) {
    await refill(copy, new RowRules(copy, context), frame.turn);
    await verifyReferences(copy, frame);
  }
  exchange(place, table, copy, state.undo);
  return ended(frame.sink, { command: 'alter table' });
}

/** True if the existing rows are not checked against the constraints. */
const isUnverified = (statement: AlterTable): boolean =>
  'verifies' in statement &&
  !statement.verifies &&
  !('definition' in statement && statement.definition.columns.length > 0);

/** A column of an index is not dropped: 5074. */
function refuseIndexed({ keys, columns }: MemoryTable, dropped: readonly DroppedPart[]): void {
  for (const { what, name } of dropped) {
    if (what !== 'column') continue;
    const place = columns.findIndex((column) => fold(column.name) === fold(name));
    const index = keys.find((key) => key.kind === 'index' && key.columns.includes(place));
    if (index !== undefined) throw sqlError(5074, 'index', index.name, name);
  }
}

/** The columns that will no longer be what they are. */
function changedColumns(statement: AlterTable): readonly string[] {
  if (statement.action === 'alter column') return [statement.column.name];
  return statement.action === 'drop'
    ? statement.dropped.flatMap(({ what, name }) => (what === 'column' ? name : []))
    : [];
}

/** A column that a view bound to the table names stays as it is: 5074. */
function refuseBoundColumns(table: MemoryTable, names: readonly string[], host: Host): void {
  for (const view of names.length === 0 ? [] : boundTo(table, host)) {
    const column = names.find((name) => view.boundNames.has(fold(name)));
    if (column !== undefined) throw sqlError(5074, 'object', view.name, column);
  }
}

/** A key that a foreign key refers to is not dropped: 3725. */
function refuseReferred(table: MemoryTable, dropped: readonly DroppedPart[], { host }: Frame): void {
  for (const { what, name } of dropped) {
    const reference = what === 'constraint' ? referenceToKey(table, name, host) : undefined;
    if (reference === undefined) continue;
    const { definition, from } = reference;
    throw sqlErrorAfter([sqlError(3725, name, from.name, definition.name ?? '')], sqlError(3727));
  }
}

/** The definition without a column or constraint; unchanged if there is none and IF EXISTS allows that. */
function withoutPart(definition: TableDefinition, part: DroppedPart, table: MemoryTable): TableDefinition {
  const { what, name, ifExists } = part;
  if (what === 'constraint') return withoutConstraint(definition, name, table, ifExists);
  if (ifExists && !definition.columns.some((column) => fold(column.name) === fold(name))) return definition;
  return withoutColumn(definition, name, table.name);
}

function changed(statement: Exclude<AlterTable, { action: 'triggers' }>, table: MemoryTable): TableDefinition {
  const { name } = statement.table;
  const definition = definitionOf(table);
  switch (statement.action) {
    case 'add':
      return withAdded(definition, statement.definition, name);
    case 'drop':
      return statement.dropped.reduce((left, part) => withoutPart(left, part, table), definition);
    case 'check constraints':
      return withConstraints(definition, statement.names, statement.isEnabled);
    case 'alter column':
      return withColumn(definition, statement.column, name);
  }
}

/**
 * What a new column holds in the rows there are: a number or version of its own, its default if it is NOT NULL, else
 * NULL.
 */
function firstValues(context: StatementContext, frame: Frame): FirstValues {
  const defaults = new Map<ColumnDefinition, Compiled>();
  const first: FirstValues = (column) => {
    const { identity, type } = column;
    if (identity !== undefined) {
      first.lastNumber = first.lastNumber === undefined ? identity.seed : first.lastNumber + identity.increment;
      return convert(first.lastNumber, bigint, type);
    }
    if (type.name === 'timestamp') return frame.host.tempDb.newRowVersion();
    if ((column.nullable && !column.fillsRows) || column.computed !== undefined) return null;
    if (column.default === undefined) throw sqlError(4901, column.name);
    const known = defaults.get(column) ?? coerce(context.expression(column.default, emptyScope), type, context);
    defaults.set(column, known);
    return known.evaluate(noRows);
  };
  return first;
}

interface FirstValues {
  (column: ColumnDefinition): unknown;
  /** The last number that an identity column was given. */
  lastNumber?: bigint;
}
