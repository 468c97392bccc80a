import type { OrNull, Row } from '../../base/stored.ts';
import { identifier, type Sql } from '../../engine/sql.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { Columns } from '../declare.ts';
import type { SystemCall } from '../system-call.ts';

/** What clients may do to a relation besides reading it. */
export type Change = 'INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE';

/** How clients may change a relation. */
export interface Changes {
  /**
   * The one table that its rows are rows of; every column of the table is one of the relation's, a key of one, or
   * `rowId`.
   */
  readonly table: string;
  readonly allow: readonly Change[];
  /** The column of the table that identifies rows, if the relation has no primary key. */
  readonly rowId?: string;
}

/** A column of a relation, in terms of the engine. */
export interface StoredColumn<T extends AnyType | OrNull<AnyType> = AnyType | OrNull<AnyType>> {
  readonly type: T;
  /** Its value, as a piece of SQL over what the relation reads from; stored as the type's `toStore` makes it. */
  readonly sql: Sql;
  /**
   * Present for text whose fold is also stored (`fold` of base/text/collation.ts): equal texts have equal keys, but keys
   * have no order. NULL if the value is.
   */
  readonly key?: Sql;
  /** Present where something stored sorts as SQL Server sorts the column: by its bytes, or as a number. */
  readonly order?: Sql;
  /** The columns of the base table that hold value and key, where clients may change them. */
  readonly column?: string;
  readonly keyColumn?: string;
  /** True if the engine numbers the rows: 1, 2, 3, … */
  readonly identity?: boolean;
  /** The column's value in a row that does not give one: a value of its type, or `theMoment`. */
  readonly byDefault?: unknown;
}

/** The default of a column that keeps when its row was made: GETUTCDATE(). */
export const theMoment = Symbol('the moment');

type StoredColumns = Readonly<Record<string, StoredColumn>>;
type TypesOf<S extends StoredColumns> = { readonly [K in keyof S]: S[K]['type'] };
type Names<S> = readonly (keyof S & string)[];

interface Named<C extends Columns> {
  readonly schema: string;
  readonly name: string;
  readonly type: 'table' | 'view';
  readonly columns: C;
  /** True for SQL Server's own. */
  readonly isSystem?: boolean;
  /** True for one that is found under a further name, and listed under its own alone. */
  readonly isAlias?: boolean;
  /** The one database that has it; by default every database of the kind. */
  readonly database?: string;
}

/** How the engine stores a relation, besides its columns. */
interface Stored<S extends StoredColumns> {
  /** What it reads from: a table of the engine, or several and how they are joined. */
  readonly from: Sql;
  /** Which of those rows it has; by default all of them. */
  readonly where?: Sql;
  /** The columns that identify its rows. */
  readonly primaryKey?: Names<S>;
  readonly uniqueKeys?: readonly Names<S>[];
  /** Orders that the engine has an index for besides the keys: rows come in one of these without a sort. */
  readonly indexes?: readonly Names<S>[];
  /** Present when clients may change it. */
  readonly changes?: Changes;
}

/** A table or view whose rows are in the database, so that the engine can search, sort and count them. */
export interface StoredRelation<S extends StoredColumns = StoredColumns> extends Named<TypesOf<S>>, Stored<S> {
  readonly stored: S;
}

/** A view that is computed from the server's state: SQL Server's catalog. */
export interface MemoryRelation<C extends Columns = Columns> extends Named<C> {
  rows(call: SystemCall): AsyncIterable<Row<C>> | Iterable<Row<C>>;
}

/** A table or view that clients may read with SELECT. */
export type Relation = StoredRelation | MemoryRelation;

/** True for a relation whose rows are in the database. */
export const isStored = (relation: Relation): relation is StoredRelation => 'stored' in relation;

/** Declares a relation in the schema dbo, over tables of the database; `columns` are in the order that clients see. */
export function relation<const S extends StoredColumns>(
  declared: Stored<S> & { readonly name: string; readonly type?: 'table' | 'view'; readonly columns: S },
): StoredRelation<S> {
  const { columns: stored, ...rest } = declared;
  checkChanges(declared);
  const types = Object.fromEntries(Object.entries(stored).map(([name, { type }]) => [name, type]));
  // Object.fromEntries loses which key has which type; the declaration has it.
  return { schema: 'dbo', type: 'table', ...rest, stored, columns: types as TypesOf<S> };
}

function checkChanges({ name, changes, primaryKey, uniqueKeys = [], columns }: Stored<StoredColumns> & Declared): void {
  if (changes === undefined) return;
  const apart = changes.rowId !== undefined || primaryKey !== undefined;
  if (!apart && changes.allow.some((change) => change === 'UPDATE' || change === 'DELETE'))
    throw new Error(`${name}: nothing tells the rows apart that clients may change`);
  const elsewhere = Object.entries(columns).find(([, { column }]) => column === undefined);
  if (elsewhere !== undefined) throw new Error(`${name}: ${elsewhere[0]} is no column of ${changes.table}`);
  // SQL Server has one row with NULL under a unique key; the engines have any number.
  const mayBeNull = uniqueKeys.flat().find((column) => 'orNull' in (columns[column]?.type ?? {}));
  if (mayBeNull !== undefined) throw new Error(`${name}: ${mayBeNull}, which is part of a unique key, may be NULL`);
}

type Declared = { readonly name: string; readonly columns: StoredColumns };

/** Declares a relation in the schema dbo whose rows are computed. */
export function memoryRelation<const C extends Columns>(declared: {
  readonly name: string;
  readonly type?: 'table' | 'view';
  readonly columns: C;
  rows(call: SystemCall): AsyncIterable<Row<C>> | Iterable<Row<C>>;
}): MemoryRelation<C> {
  return { schema: 'dbo', type: 'table', ...declared };
}

/** Further properties of a column that is stored unchanged in a table. */
interface InTable {
  /** The column that holds its fold. */
  readonly key?: string;
  /** The column that sorts as SQL Server would sort this one. */
  readonly order?: string;
  readonly identity?: boolean;
  readonly byDefault?: unknown;
}

/**
 * A column of a relation that is one of a table: `stored(int, 'item_id')`, or `stored(int, 'i.item_id')` among joined
 * ones.
 */
export function stored<T extends AnyType | OrNull<AnyType>>(
  type: T,
  column: string,
  { key, order, ...rest }: InTable = {},
): StoredColumn<T> {
  return {
    type,
    sql: named(column),
    ...(column.includes('.') ? {} : { column }),
    ...(key === undefined ? {} : { key: named(key), keyColumn: key }),
    ...(order === undefined ? {} : { order: named(order) }),
    ...rest,
  };
}

const named = (column: string): Sql => identifier(...column.split('.'));
