import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { sqlError, sqlErrorAfter } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { Steps } from '../../base/threads/steps.ts';
import { defaultNameOf } from '../../procedure/relations/default-name.ts';
import type { ColumnDefinition, DefaultDefinition, TableDefinition } from '../../syntax/ast/table.ts';
import { addKeys, withoutKeys } from './create-table.ts';
import type { MemoryTable } from './memory-table.ts';
import { namedColumns } from './named-columns.ts';
import type { UndoLog } from './undo-log.ts';

/** The definition of a table: that of CREATE TABLE, or the columns that SELECT INTO found. */
export const definitionOf = (table: MemoryTable): TableDefinition =>
  table.definition ?? { columns: table.columns, keys: [], checks: [], references: [] };

/** The columns with a default added to one of them; 1781 if it has one. */
function withDefault(
  columns: readonly ColumnDefinition[],
  added: DefaultDefinition,
  table: string,
): ColumnDefinition[] {
  const at = columns.findIndex(({ name }) => fold(name) === fold(added.column));
  const column = columns[at];
  if (column === undefined) throw sqlErrorAfter([sqlError(1752, added.column, table)], sqlError(1750));
  if (column.default !== undefined) throw sqlErrorAfter([sqlError(1781)], sqlError(1750));
  const named = added.name === undefined ? {} : { defaultName: added.name };
  const fills = added.fillsRows ? { fillsRows: true as const } : {};
  return columns.with(at, { ...column, default: added.value, defaultText: added.text, ...named, ...fills });
}

/** The definition with more columns, keys, checks and defaults; 2705 if a column exists already. */
export function withAdded(definition: TableDefinition, added: TableDefinition, table: string): TableDefinition {
  const columns = (added.defaults ?? []).reduce<readonly ColumnDefinition[]>(
    (all, each) => withDefault(all, each, table),
    [...definition.columns, ...added.columns],
  );
  return {
    ...definition,
    columns,
    keys: [...definition.keys, ...added.keys],
    checks: [...definition.checks, ...added.checks],
    references: [...definition.references, ...added.references],
  };
}

/** The definition without a column; 4924 if there is none, 5074 if a constraint or a computed column needs it. */
export function withoutColumn(definition: TableDefinition, name: string, table: string): TableDefinition {
  const isIt = (column: string): boolean => fold(column) === fold(name);
  const columns = definition.columns.filter((column) => !isIt(column.name));
  if (columns.length === definition.columns.length) throw sqlError(4924, name, table);
  const key = definition.keys.find((each) => each.columns.some(isIt));
  if (key !== undefined) throw sqlError(5074, 'object', key.name ?? 'PRIMARY KEY', name);
  const reference = definition.references.find((each) => each.columns.some(isIt));
  if (reference !== undefined) throw sqlError(5074, 'object', reference.name ?? '', name);
  const check = definition.checks.find(({ condition }) => namedColumns(condition).has(fold(name)));
  if (check !== undefined) throw sqlError(5074, 'object', check.name ?? '', name);
  const computed = columns.find((column) => namedColumns(column.computed).has(fold(name)));
  if (computed !== undefined) throw sqlError(5074, 'column', computed.name, name);
  return { ...definition, columns };
}

/**
 * The definition without a named key, check, foreign key or default; 3728 if there is none of that name, unless IF
 * EXISTS allows that.
 */
export function withoutConstraint(
  definition: TableDefinition,
  name: string,
  table: Pick<MemoryTable, 'schema' | 'name'>,
  ifExists: boolean,
): TableDefinition {
  const at = definition.columns.findIndex(
    (column) => column.default !== undefined && fold(defaultNameOf(table, column)) === fold(name),
  );
  const column = definition.columns[at];
  if (column !== undefined) {
    const { default: gone, defaultText, defaultName, ...kept } = column;
    return { ...definition, columns: definition.columns.with(at, kept) };
  }
  const others = <T extends { readonly name?: string }>(list: readonly T[]): T[] =>
    list.filter((each) => each.name === undefined || fold(each.name) !== fold(name));
  const keys = others(definition.keys);
  const checks = others(definition.checks);
  const references = others(definition.references);
  const count = (of: Omit<TableDefinition, 'columns'>) => of.keys.length + of.checks.length + of.references.length;
  const left = { keys, checks, references };
  if (count(left) === count(definition) && !ifExists) throw sqlError(3728, name);
  return { ...definition, ...left };
}

/** The definition with some checks and foreign keys, or all, enabled or disabled; 4917 if there is none of a name. */
export function withConstraints(
  { checks, references, ...rest }: TableDefinition,
  names: readonly string[] | undefined,
  isEnabled: boolean,
): TableDefinition {
  const known = new Set([...checks, ...references].map(({ name = '' }) => fold(name)));
  const missing = names?.find((name) => !known.has(fold(name)));
  if (missing !== undefined) throw sqlErrorAfter([sqlError(4917, missing)], sqlError(4916));
  const meant = names && new Set(names.map(fold));
  const set = <C extends { readonly name?: string }>(all: readonly C[]): C[] =>
    all.map((each) => (meant?.has(fold(each.name ?? '')) === false ? each : { ...each, isDisabled: !isEnabled }));
  return { ...rest, checks: set(checks), references: set(references) };
}

/** The definition with another type for one column. */
export function withColumn(definition: TableDefinition, changed: ColumnDefinition, table: string): TableDefinition {
  const at = definition.columns.findIndex(({ name }) => fold(name) === fold(changed.name));
  const old = definition.columns[at];
  if (old === undefined) throw sqlError(4924, changed.name, table);
  const { type, nullable } = changed;
  // Whether it is padded is determined again for the new type.
  const { unpadded, ...kept } = old;
  return { ...definition, columns: definition.columns.with(at, { ...kept, type, nullable }) };
}

/** Rows between two checks of the clock. */
const between = 128;

/** New names in a rebuilt table. */
interface Renamed {
  readonly name: string;
  /** Where each column of the new definition is in the old one. */
  readonly places: readonly number[];
  indexName(index: string): string;
}

/** How a rebuilt table differs from the old one, besides its definition. */
interface Differences {
  /** What a column of a row holds, if it is not the same as before. */
  holds?(column: ColumnDefinition, old: number, row: readonly unknown[]): Steps<unknown>;
  readonly renamed?: Renamed;
}

/** A table of a new definition with the rows of an old one. */
export function* rebuilt(
  table: MemoryTable,
  definition: TableDefinition,
  undo: UndoLog,
  memory: MemoryBudget,
  { holds, renamed }: Differences = {},
): Steps<MemoryTable> {
  const { objectId } = table;
  const copy = withoutKeys({ name: renamed?.name ?? table.name, definition, objectId, undo, memory });
  copy.schema = table.schema;
  const places =
    renamed?.places ??
    definition.columns.map(({ name }) => table.columns.findIndex((column) => fold(column.name) === fold(name)));
  try {
    for (const [count, { values }] of table.rows().entries()) {
      const made: unknown[] = [];
      for (const [at, column] of definition.columns.entries()) {
        const old = places[at] ?? -1;
        made.push(holds === undefined ? values[old] : yield* holds(column, old, values));
      }
      copy.insert(made);
      if (count % between === 0) yield;
    }
    yield* addKeys(
      copy,
      definition,
      table.keys.some(({ kind, isClustered }) => kind === 'index' && isClustered),
    );
    const moved = (columns: readonly number[]) => columns.map((at) => places.indexOf(at));
    for (const key of table.keys) {
      if (key.kind !== 'index') continue;
      const name = renamed?.indexName(key.name) ?? key.name;
      yield* copy.addKey({
        ...key,
        name,
        columns: moved(key.columns),
        descending: moved(key.descending ?? []),
        included: moved(key.included ?? []),
        present: moved(key.present),
      });
    }
  } catch (error) {
    copy.free();
    throw error;
  }
  if (table.lastGiven !== undefined && copy.lastIdentity !== undefined) copy.sawIdentity(table.lastGiven);
  return copy;
}
