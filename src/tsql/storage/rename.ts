import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { toTheEnd } from '../../base/threads/steps.ts';
import type { ReferenceDefinition, TableDefinition } from '../../syntax/ast/table.ts';

import type { Host } from '../host.ts';
import { definitionOf, rebuilt } from './alter-table.ts';
import { boundTo, type MadeView } from './made-view.ts';
import type { MemoryTable } from './memory-table.ts';
import { namedColumns } from './named-columns.ts';
import { exchange, memoryFor, type ObjectPlace } from './object-place.ts';
import { referencesTo } from './references.ts';

/** A table and its place. */
interface Placed {
  readonly table: MemoryTable;
  readonly place: ObjectPlace;
  readonly host: Host;
}

const isSame = (one: string | undefined, other: string): boolean => one !== undefined && fold(one) === fold(other);

function refuseTaken({ tables, procedures, views }: ObjectPlace, name: string): void {
  const key = fold(name);
  if (tables.has(key) || procedures.has(key) || views.has(key)) throw sqlError(15335, name, 'object');
}

/** Gives a view another name, unless the transaction is undone; its text keeps the old one. */
export function renameView(view: MadeView, name: string, place: ObjectPlace, host: Host): void {
  refuseTaken(place, name);
  if (boundTo(view, host).length > 0) throw sqlError(15336, view.name);
  const [old, key] = [fold(view.name), fold(name)];
  place.views.delete(old);
  place.views.set(key, { ...view, name });
  host.state.undo.record(() => {
    place.views.delete(key);
    place.views.set(old, view);
  });
}

/** Gives a table another name, by which foreign keys refer to it from now on; 15335 when one has it. */
export async function renameTable(placed: Placed, name: string): Promise<void> {
  const { table, place } = placed;
  refuseTaken(place, name);
  if (boundTo(table, placed.host).length > 0) throw sqlError(15336, table.name);
  const isReferred = referring(placed);
  const renamed = (each: ReferenceDefinition) =>
    isReferred(each) ? { ...each, table: { ...each.table, name } } : each;
  await renameReferred(placed, renamed);
  const definition = definitionOf(table);
  await rename(placed, { ...definition, references: definition.references.map(renamed) }, name);
}

/**
 * Gives a column another name; 15335 when one has it, 15336 when a check, a computed column or a bound view
 * names it.
 */
export async function renameColumn(placed: Placed, column: string, name: string): Promise<void> {
  const { table } = placed;
  if (table.columns.some((each) => isSame(each.name, name))) throw sqlError(15335, name, 'COLUMN');
  const definition = definitionOf(table);
  const computed = definition.columns.map((each) => each.computed);
  const isBound = boundTo(table, placed.host).some(({ boundNames }) => boundNames.has(fold(column)));
  if (isBound || namedColumns([definition.checks, computed]).has(fold(column)))
    throw sqlError(15336, `${table.name}.${column}`);
  const called = (each: string) => (isSame(each, column) ? name : each);
  const withColumns = <T extends { readonly columns: readonly string[] }>(of: T): T => ({
    ...of,
    columns: of.columns.map(called),
  });
  const isReferred = referring(placed);
  const renamed = (each: ReferenceDefinition) =>
    isReferred(each) ? { ...each, referred: each.referred.map(called) } : each;
  await renameReferred(placed, renamed);
  await rename(placed, {
    ...definition,
    columns: definition.columns.map((each) => ({ ...each, name: called(each.name) })),
    keys: definition.keys.map(withColumns),
    references: definition.references.map(renamed).map(withColumns),
  });
}

/** The other tables whose foreign keys refer to one. */
export const referrersOf = (table: MemoryTable, host: Host): ReadonlySet<MemoryTable> =>
  new Set(
    referencesTo(table, host)
      .map(({ from }) => from)
      .filter((from) => from !== table),
  );

/** Whether a foreign key refers to the table. */
function referring({ table, host }: Placed): (reference: ReferenceDefinition) => boolean {
  const referred = new Set(referencesTo(table, host).map(({ definition }) => definition));
  return (reference) => referred.has(reference);
}

/** Has the foreign keys of other tables know what is renamed. */
async function renameReferred({ table, host }: Placed, renamed: (of: ReferenceDefinition) => ReferenceDefinition) {
  for (const from of referrersOf(table, host)) {
    const definition = definitionOf(from);
    const place = host.tempDb.placeOf(from.schema) ?? host.tempDb;
    await rename({ table: from, place, host }, { ...definition, references: definition.references.map(renamed) });
  }
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
