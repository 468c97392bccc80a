import { randomBytes } from 'node:crypto';
import { type SqlError, sqlError, sqlErrorAfter } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { Steps } from '../../base/threads/steps.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { ReferenceDefinition, TableDefinition } from '../../syntax/ast/table.ts';
import { keyOf } from '../../values/key.ts';
import type { Host } from '../host.ts';
import type { MemoryTable, TableRow } from './memory-table.ts';
import { tableNamed } from './object-place.ts';
import { tellsApart } from './table-keys.ts';

/** A foreign key between two tables of tempdb. */
export interface Reference {
  readonly definition: ReferenceDefinition;
  /** The table that refers, and its columns. */
  readonly from: MemoryTable;
  readonly columns: readonly number[];
  /** The table that is referred to, and its columns. */
  readonly to: MemoryTable;
  readonly referred: readonly number[];
}

/** A foreign key without a name gets one like SQL Server's: FK__orders__item__3B75D760. */
const keyName = (table: string, column: string): string =>
  `FK__${table.slice(0, 9)}__${column.slice(0, 5)}__${randomBytes(4).toString('hex').toUpperCase()}`;

const placesOf = (table: Pick<MemoryTable, 'columns'>, names: readonly string[]): number[] =>
  names.map((name) => table.columns.findIndex((column) => fold(column.name) === fold(name)));

const refused = (error: SqlError): SqlError => sqlErrorAfter([error], sqlError(1750));

/**
 * The foreign keys of a definition with their names and columns filled in. 1750 after 1767 for a missing table, 1769
 * and 1770 for missing columns, 8139 for a different number of columns, 1776 if no key has those columns.
 */
export function settledReferences(
  { name, schema = 'dbo' }: ObjectName,
  definition: TableDefinition,
  host: Host,
): ReferenceDefinition[] {
  return definition.references.map((reference) => {
    const key = reference.name ?? keyName(name, reference.columns[0] ?? '');
    const { name: referredName, schema: referredSchema = 'dbo' } = reference.table;
    const isItself = fold(referredName) === fold(name) && fold(referredSchema) === fold(schema);
    const to = isItself ? undefined : tableNamed(reference.table, host);
    if (!isItself && to === undefined) throw refused(sqlError(1767, key, reference.table.name));
    const missing = reference.columns.find((column) => placesOf(definition, [column])[0] === -1);
    if (missing !== undefined) throw refused(sqlError(1769, key, missing, name));
    const primary = isItself ? definition.keys.find((each) => each.primary)?.columns : primaryOf(to);
    const referred = reference.referred.length > 0 ? reference.referred : (primary ?? []);
    if (reference.referred.length > 0 && referred.length !== reference.columns.length)
      throw refused(sqlError(8139, key));
    const keys = isItself ? definition.keys.map(({ columns }) => columns) : keysOf(to);
    if (!keys.some((columns) => sameNames(columns, referred))) throw refused(sqlError(1776, reference.table.name, key));
    return { ...reference, name: key, referred };
  });
}

const primaryOf = (table: MemoryTable | undefined): string[] | undefined =>
  table?.primaryKey.flatMap((at) => table.columns[at]?.name ?? []);

const keysOf = (table: MemoryTable | undefined): string[][] =>
  (table?.keys ?? [])
    .filter(({ isUnique, present }) => isUnique && present.length === 0)
    .map(({ columns }) => columns.flatMap((at) => table?.columns[at]?.name ?? []));

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.length > 0 && a.every((name) => b.some((other) => fold(other) === fold(name)));

/** The foreign keys of a table. */
export function referencesOf(from: MemoryTable, host: Host): Reference[] {
  return (from.definition?.references ?? []).flatMap((definition) => {
    const named = tableNamed({ ...definition.table, database: 'tempdb' }, host);
    if (named === undefined) return [];
    // A table that is rebuilt refers to its own rows.
    const to = named.objectId === from.objectId ? from : named;
    const referred = placesOf(to, definition.referred);
    return { definition, from, columns: placesOf(from, definition.columns), to, referred };
  });
}

/**
 * The foreign keys of all tables that refer to one. Of thousands of tables hardly any refers: nothing is made for
 * those.
 */
export function referencesTo(to: MemoryTable, host: Host): Reference[] {
  const found: Reference[] = [];
  for (const { tables } of host.tempDb.places) {
    for (const from of tables.values()) {
      if (from.definition === undefined || from.definition.references.length === 0) continue;
      found.push(...referencesOf(from, host).filter((reference) => reference.to === to));
    }
  }
  return found;
}

const isEnabled = ({ definition }: Reference): boolean => definition.isDisabled !== true;

/** Those of them that changes are held against. */
export const enabledReferencesTo = (to: MemoryTable, host: Host): Reference[] =>
  referencesTo(to, host).filter(isEnabled);

/** A foreign key that needs a key or an index of the table it refers to. */
export function referenceToKey(to: MemoryTable, name: string, host: Host): Reference | undefined {
  const key = to.keys.find((each) => fold(each.name) === fold(name));
  if (key === undefined) return undefined;
  return referencesTo(to, host).find(({ referred }) =>
    to.keys.every((each) => tellsApart(each, referred) === (each.name === key.name)),
  );
}

/** The values of a row in some columns as one text; undefined when one of them is NULL, which refers to nothing. */
export function keyText(
  table: MemoryTable,
  columns: readonly number[],
  values: readonly unknown[],
): string | undefined {
  if (columns.some((at) => values[at] === null)) return undefined;
  return keyOf(columns.map((at) => [values[at], table.columns[at]?.type]));
}

/** 547: the row that a change refers to does not exist, or a row that others refer to would be removed. */
export function conflict(
  statement: string,
  kind: 'FOREIGN KEY' | 'REFERENCE',
  { definition, from, columns, to, referred }: Reference,
): SqlError {
  const [table, [first = 0, ...more]] = kind === 'FOREIGN KEY' ? [to, referred] : [from, columns];
  const column = more.length > 0 ? ['', '', ''] : [", column '", table.columns[first]?.name ?? '', "'"];
  const name = `${table.schema}.${table.name}`;
  return sqlError(547, statement, kind, definition.name ?? '', 'tempdb', name, ...column);
}

/** Rows between two checks of the clock. */
const between = 128;

/** Refuses rows that refer to a missing row. */
export function* refuseOrphans(
  table: MemoryTable,
  rows: readonly TableRow[],
  statement: string,
  host: Host,
): Steps<void> {
  for (const reference of referencesOf(table, host).filter(isEnabled)) {
    const { to, referred } = reference;
    const isThere = to.finder(referred);
    for (const [at, { values }] of rows.entries()) {
      if ((at + 1) % between === 0) yield;
      const there = inPlace(reference, values);
      const refers = referred.every((place) => there[place] !== null);
      if (refers && !isThere(there)) throw conflict(statement, 'FOREIGN KEY', reference);
    }
  }
}

/** The rows that refer to keys, each with what is known of its key. */
export function* referringRows<T>(reference: Reference, keys: ReadonlyMap<string, T>): Steps<[TableRow, T][]> {
  const found: [TableRow, T][] = [];
  if (keys.size === 0) return found;
  let count = 0;
  for (const row of reference.from.rows()) {
    if (++count % between === 0) yield;
    const key = keyText(reference.to, reference.referred, inPlace(reference, row.values));
    const of = key === undefined ? undefined : keys.get(key);
    if (of !== undefined) found.push([row, of]);
  }
  return found;
}

/** What a row refers to, at the places that it has in the table referred to. */
function inPlace({ columns, to, referred }: Reference, values: readonly unknown[]): unknown[] {
  const there: unknown[] = to.columns.map(() => null);
  columns.forEach((at, index) => {
    there[referred[index] ?? 0] = values[at];
  });
  return there;
}
