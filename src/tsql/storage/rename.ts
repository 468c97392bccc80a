import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import { toTheEnd } from '../../base/steps.ts';
import type { TableDefinition } from '../../syntax/ast/table.ts';
import { walk } from '../../syntax/ast/walk.ts';
import type { Host } from '../host.ts';
import { definitionOf, rebuilt } from './alter-table.ts';
import type { MemoryTable } from './memory-table.ts';
import { exchange, memoryFor, type ObjectPlace } from './object-place.ts';
import { referencesTo } from './references.ts';

/** A table and its place. */
interface Placed {
  readonly table: MemoryTable;
  readonly place: ObjectPlace;
  readonly host: Host;
}

const isSame = (one: string | undefined, other: string): boolean => one !== undefined && fold(one) === fold(other);

/** Gives a table another name; 15335 when one has it, 15336 when a foreign key refers to it. */
export async function renameTable({ table, place, host }: Placed, name: string): Promise<void> {
  if (place.tables.has(fold(name)) || place.procedures.has(fold(name))) throw sqlError(15335, name, 'object');
  refuseReferred({ table, place, host }, () => true);
  await rename({ table, place, host }, definitionOf(table), name);
}

/**
 * Gives a column another name; 15335 when one has it, 15336 when a check, a computed column or a foreign key names it.
 */
export async function renameColumn(placed: Placed, column: string, name: string): Promise<void> {
  const { table } = placed;
  if (table.columns.some((each) => isSame(each.name, name))) throw sqlError(15335, name, 'COLUMN');
  const definition = definitionOf(table);
  const computed = definition.columns.map((each) => each.computed);
  if (names([definition.checks, computed], column)) throw sqlError(15336, `${table.name}.${column}`);
  refuseReferred(placed, ({ definition: { referred } }) => referred.some((each) => isSame(each, column)));
  const called = (each: string) => (isSame(each, column) ? name : each);
  const withColumns = <T extends { readonly columns: readonly string[] }>(of: T): T => ({
    ...of,
    columns: of.columns.map(called),
  });
  await rename(placed, {
    ...definition,
    columns: definition.columns.map((each) => ({ ...each, name: called(each.name) })),
    keys: definition.keys.map(withColumns),
    references: definition.references.map(withColumns),
  });
}

/** Gives an index, a key or another constraint another name; 15335 when one has it. */
export async function renameKey(placed: Placed, key: string, name: string, kind: 'INDEX' | 'object'): Promise<void> {
  const definition = definitionOf(placed.table);
  const named = [...placed.table.keys, ...definition.checks, ...definition.references];
  if (named.some((each) => isSame(each.name, name))) throw sqlError(15335, name, kind);
  const called = <T extends { readonly name?: string }>(of: T): T => (isSame(of.name, key) ? { ...of, name } : of);
  const { keys, checks, references } = definition;
  const renamed = { keys: keys.map(called), checks: checks.map(called), references: references.map(called) };
  await rename(placed, { ...definition, ...renamed }, placed.table.name, (each) => (isSame(each, key) ? name : each));
}

/** Whether a part of a definition names a column. */
function names(part: unknown, column: string): boolean {
  let isNamed = false;
  walk(part, (node) => {
    if (node.kind === 'column' && 'parts' in node && Array.isArray(node.parts)) {
      isNamed ||= isSame(String(node.parts.at(-1)), column);
    }
    return true;
  });
  return isNamed;
}

function refuseReferred({ table, host }: Placed, counts: (to: ReturnType<typeof referencesTo>[number]) => boolean) {
  if (referencesTo(table, host).some(counts)) throw sqlError(15336, table.name);
}

/** Puts a table with other names and the same rows in the place of one. */
async function rename(
  { table, place, host }: Placed,
  definition: TableDefinition,
  name = table.name,
  indexName = (index: string) => index,
): Promise<void> {
  const { undo } = host.state;
  const places = definition.columns.map((_, at) => at);
  const called = { name, places, indexName };
  const copy = await toTheEnd(rebuilt(table, definition, undo, memoryFor(place, host), { renamed: called }));
  exchange(place, table, copy, undo);
}
