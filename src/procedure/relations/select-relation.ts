import type { Shape } from '../../base/stored.ts';
import { identifier, type Sql, sql } from '../../engine/sql.ts';
import type { SystemCall } from '../system-call.ts';
import { isStored, type Relation, type StoredColumn, type StoredRelation } from './relation.ts';

/** The parts of a SELECT over one relation; conditions are SQL over its columns as `columnOf` gives them. */
interface SelectParts {
  /** The requested columns, by the relation's names. */
  readonly columns: readonly string[];
  /** Further columns of the engine, each under a name; the shape is the caller's. */
  readonly extra?: readonly { readonly name: string; readonly sql: Sql }[];
  /** Conditions that all rows fulfil. */
  readonly where?: readonly Sql[];
  /** NULLs come first, as in SQL Server, and last if descending. */
  readonly order?: readonly { readonly column: string; readonly descending?: boolean }[];
  /** The maximum number of rows, and how many rows before them are skipped. */
  readonly limit?: number;
  readonly offset?: number;
}

/** A SELECT and what its rows are read as, for `Db.rows`. */
interface Selection {
  readonly shape: Shape;
  readonly query: Sql;
}

/** The column of that name, written as the relation declares it. */
export function columnOf({ name: relation, stored }: StoredRelation, name: string): StoredColumn {
  const column = stored[name];
  if (column === undefined) throw new Error(`${relation} has no column ${name}`);
  return column;
}

/** True if a column may be NULL. */
export const isNullable = ({ type }: StoredColumn): boolean => 'orNull' in type;

/** SQL pieces with the same piece between them. */
export function joined(pieces: readonly Sql[], between: Sql): Sql {
  const [only] = pieces;
  if (only === undefined) throw new Error('there is nothing to be joined');
  if (pieces.length === 1) return only;
  const half = pieces.length >> 1;
  return sql`${joined(pieces.slice(0, half), between)}${between}${joined(pieces.slice(half), between)}`;
}

/** The number of conditions in one chain: to SQLite, a chain is as deep as it is long, and its limit is 1,000. */
const chainLength = 100;

/** Conditions with AND or OR between them, as many as there are. */
export function chained(conditions: readonly Sql[], between: Sql): Sql {
  if (conditions.length <= chainLength) return joined(conditions, between);
  const half = conditions.length >> 1;
  return sql`(${chained(conditions.slice(0, half), between)})${between}(${chained(conditions.slice(half), between)})`;
}

const comma = sql`, `;
const and = sql` and `;
const nothing = sql``;

/** Makes the SELECT of parts of a relation. */
export function selectFrom(relation: StoredRelation, parts: SelectParts): Selection {
  const shape = Object.fromEntries(parts.columns.map((name) => [name, columnOf(relation, name).type]));
  const own = parts.columns.map((name) => ({ name, sql: columnOf(relation, name).sql }));
  const wanted = [...own, ...(parts.extra ?? [])].map((each) => sql`${each.sql} as ${named(each.name)}`);
  const query = sql`select ${joined(wanted, comma)} from ${relation.from}${whereOf(relation, parts.where)}${orderOf(relation, parts.order)}${limitOf(parts)}`;
  return { shape, query };
}

function whereOf({ where }: StoredRelation, conditions: readonly Sql[] = []): Sql {
  const all = where === undefined ? conditions : [where, ...conditions];
  return all.length === 0 ? nothing : sql` where ${chained(all, and)}`;
}

function orderOf(relation: StoredRelation, order: SelectParts['order'] = []): Sql {
  if (order.length === 0) return nothing;
  const keys = order.map(({ column: name, descending }) => {
    const column = columnOf(relation, name);
    const by = column.order ?? column.sql;
    // PostgreSQL's indexes have NULLs last: another order requires a sort, so it is given only if there may be NULLs.
    if (!isNullable(column)) return descending ? sql`${by} desc` : by;
    return descending ? sql`${by} desc nulls last` : sql`${by} asc nulls first`;
  });
  return sql` order by ${joined(keys, comma)}`;
}

function limitOf({ limit, offset }: SelectParts): Sql {
  if (offset !== undefined) return sql` limit ${limit ?? Number.MAX_SAFE_INTEGER} offset ${offset}`;
  return limit === undefined ? nothing : sql` limit ${limit}`;
}

const names = new Map<string, Sql>();
/** Clients' joins number their tables, and each has all columns. */
const mostNames = 20_000;

/** A name as a piece of SQL, the same object each time, so that a statement's text is found again. */
export function named(...parts: readonly string[]): Sql {
  const key = parts.join('.');
  let piece = names.get(key);
  if (piece === undefined) {
    piece = identifier(...parts);
    if (names.size >= mostNames) names.clear();
    names.set(key, piece);
  }
  return piece;
}

/** All rows of a relation, in the order of its primary key. */
export function allRows(relation: Relation, call: SystemCall): AsyncIterable<object> | Iterable<object> {
  if (!isStored(relation)) return relation.rows(call);
  const { shape, query } = selectFrom(relation, {
    columns: Object.keys(relation.columns),
    order: (relation.primaryKey ?? []).map((column) => ({ column })),
  });
  return call.db.rows(shape, query);
}
