import { randomBytes } from 'node:crypto';
import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { SqlError, sqlError, sqlErrorAfter } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { atOnce, type Steps } from '../../base/threads/steps.ts';
import type { KeyDefinition, TableDefinition } from '../../syntax/ast/table.ts';
import { columnPlace, MemoryTable } from './memory-table.ts';
import type { UndoLog } from './undo-log.ts';

/** What a table is made of. */
interface NewTable {
  readonly name: string;
  readonly definition: TableDefinition;
  readonly objectId: number;
  readonly undo?: UndoLog;
  readonly memory: MemoryBudget;
}

/**
 * Makes the table that a definition describes; 1702 for too many columns, 2705 for two of one name, 1911 for a key on
 * none, 1750 after 8111 for a primary key that may be NULL.
 */
export function createTable(wanted: NewTable): MemoryTable {
  const table = withoutKeys(wanted);
  try {
    atOnce(addKeys(table, wanted.definition));
  } catch (error) {
    table.free();
    throw error;
  }
  return table;
}

/** How many columns a table may have, as in SQL Server. */
const mostColumns = 1024;

/** The table without its keys: existing rows are inserted before those. */
export function withoutKeys({ name, definition, objectId, undo, memory }: NewTable): MemoryTable {
  const tooMany = definition.columns[mostColumns];
  if (tooMany !== undefined) throw sqlError(1702, tooMany.name, name, mostColumns);
  const seen = new Set<string>();
  for (const column of definition.columns) {
    if (seen.has(fold(column.name))) throw sqlError(2705, column.name, name);
    seen.add(fold(column.name));
  }
  return new MemoryTable({ name, objectId, columns: definition.columns, undo, definition, memory });
}

/**
 * Adds the keys of a definition to its table; 1750 after 1505 when the rows there already break one, 8112 for two that
 * are clustered. A primary key is clustered where the definition does not say otherwise and nothing else is.
 */
export function* addKeys(table: MemoryTable, definition: TableDefinition, isSorted = false): Steps<void> {
  const { name } = table;
  const [clustered, second] = definition.keys.filter((key) => key.clustered);
  if (second !== undefined) throw sqlErrorAfter([sqlError(8112, name)], sqlError(1750));
  const byDefault = clustered === undefined && !isSorted;
  for (const key of definition.keys) {
    const columns = placesOf(key.columns, definition);
    if (key.primary && columns.some((at) => definition.columns[at]?.nullable))
      throw sqlErrorAfter([sqlError(8111, name)], sqlError(1750));
    const kind = key.primary ? 'PRIMARY KEY' : 'UNIQUE KEY';
    const facts = { kind, columns, ignoresDuplicates: key.ignoresDuplicates ?? false } as const;
    yield* table.addKey({
      name: key.name ?? keyName(name, key),
      ...facts,
      isUnique: true,
      isClustered: key.clustered ?? (key.primary && byDefault),
      descending: placesOf(key.descending ?? [], definition),
      present: [],
    });
  }
}

/** The places of a key's columns; 1750 after 1911 for one that the table does not have. */
function placesOf(names: readonly string[], { columns }: TableDefinition): number[] {
  try {
    return names.map((column) => columnPlace(columns, column, 1911));
  } catch (error) {
    throw error instanceof SqlError ? sqlErrorAfter([error], sqlError(1750)) : error;
  }
}

const keyName = (table: string, { primary }: KeyDefinition): string => constraintName(primary ? 'PK' : 'UQ', table);

/** The definition with names for keys and checks that have none: they are found by them, and keep them. */
export const withNames = (table: string, definition: TableDefinition): TableDefinition => ({
  ...definition,
  keys: definition.keys.map((key) => ({ ...key, name: key.name ?? keyName(table, key) })),
  checks: definition.checks.map((check) => ({ ...check, name: check.name ?? constraintName('CK', table) })),
});

/** A constraint without a name gets one like SQL Server's: PK__#t________3213E83F0A1B2C3D. */
const constraintName = (prefix: string, table: string): string =>
  `${prefix}__${table.slice(0, 9).padEnd(9, '_')}__${randomBytes(8).toString('hex').toUpperCase()}`;
