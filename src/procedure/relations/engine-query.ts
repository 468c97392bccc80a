import type { Bindable, OrNull, Shape, Stored } from '../../base/stored.ts';
import { type EachEngine, Hole, list, type Sql, sql } from '../../engine/sql.ts';
import type { StoredRelation } from './relation.ts';
import { chained, columnOf, isNullable, joined, named } from './select-relation.ts';

/** A column of one of the relations that a query reads. */
export interface ColumnAt {
  readonly source: number;
  readonly column: string;
}

/** What of a column is meant: its value, the key by which texts are equal, or what sorts as SQL Server sorts it. */
export type Form = 'value' | 'key' | 'order';

export type EngineOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** A column in one of its forms. */
export interface Reference extends ColumnAt {
  readonly form: Form;
}

/** The other side of a comparison: a value in its stored form, or another column. */
type Operand = { readonly value: Bindable | Hole } | Reference;

/** A condition that the engine can test; unknown is NULL there too. */
export type Predicate =
  | { readonly kind: 'compare'; readonly operator: EngineOperator; readonly left: Reference; readonly right: Operand }
  | { readonly kind: 'in'; readonly left: Reference; readonly values: readonly (Bindable | Hole)[] }
  | { readonly kind: 'isNull'; readonly left: Reference }
  | { readonly kind: 'startsWith'; readonly left: Reference; readonly prefix: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Predicate[] }
  | { readonly kind: 'not'; readonly part: Predicate }
  | { readonly kind: 'exists'; readonly from: EngineFrom; readonly where: readonly Predicate[] }
  | {
      readonly kind: 'inQuery';
      readonly left: Reference;
      readonly column: Reference;
      readonly from: EngineFrom;
      readonly where: readonly Predicate[];
    };

/** Relations of one database, joined. */
export type EngineFrom =
  | { readonly kind: 'relation'; readonly source: number; readonly relation: StoredRelation }
  | {
      readonly kind: 'join';
      readonly type: 'inner' | 'left' | 'full';
      readonly left: EngineFrom;
      readonly right: EngineFrom;
      readonly on: readonly Predicate[];
    };

/** A number that the engine makes of the rows of a group; `low` and `high` are the halves of a sum of 64 bits. */
export type EngineAggregate = 'count' | 'countDistinct' | 'min' | 'max' | 'sumLow' | 'sumHigh';

/** A column of the answer. */
export type Output =
  | { readonly kind: 'column'; readonly of: ColumnAt }
  /** 1 where an outer join found a row of a relation, else NULL. */
  | { readonly kind: 'isThere'; readonly source: number }
  | { readonly kind: 'countAll' }
  | { readonly kind: 'aggregate'; readonly name: EngineAggregate; readonly of: Reference };

/** A SELECT over relations of one database. */
export interface EngineQuery {
  readonly from: EngineFrom;
  readonly where: readonly Predicate[];
  readonly outputs: readonly Output[];
  /** Present for groups: no columns for one group of all rows. */
  readonly groupBy?: readonly Reference[];
  readonly orderBy: readonly { readonly by: ColumnAt; readonly descending: boolean }[];
  readonly limit?: number | Hole;
  readonly offset?: number | Hole;
  /** The sum of the two, if they are holes. */
  readonly reach?: Hole;
  /**
   * True if they are the same in every run: they are then written into the text, and PostgreSQL plans for them once.
   */
  readonly isFixed?: boolean;
}

const whole: Stored<bigint> = { fromStore: (stored) => BigInt(String(stored)), wide: true };
const comma = sql`, `;
const and = sql` and `;
const or = sql` or `;
const nothing = sql``;
const always = sql`1 = 1`;
const operators: Readonly<Record<EngineOperator, Sql>> = {
  '=': sql` = `,
  '<>': sql` <> `,
  '<': sql` < `,
  '<=': sql` <= `,
  '>': sql` > `,
  '>=': sql` >= `,
};

const joins = { inner: sql` join `, left: sql` left join `, full: sql` full join ` } as const;

/** A query in the engine's words, and what its rows are read as. */
export interface EngineStatement {
  readonly shape: Shape;
  readonly query: Sql;
}

/** Writes a query. */
export function written(query: EngineQuery): EngineStatement {
  const writer = new Writer(query.from);
  const shape = Object.fromEntries(
    query.outputs.length === 0 ? [['c0', whole]] : query.outputs.map((output, at) => [`c${at}`, writer.type(output)]),
  );
  const [first, ...more] = query.orderBy;
  const isApart = more.length === 0 && query.limit !== undefined && query.groupBy === undefined;
  const plain = () => statement(query, new Writer(query.from));
  if (first === undefined || !isApart || !writer.isNullable(first.by)) return { shape, query: plain() };
  const apart = () => nullsApart(query, first);
  const each: EachEngine = {
    get sqlite() {
      return plain();
    },
    get postgres() {
      return apart();
    },
  };
  return { shape, query: sql`${each}` };
}

function statement(query: EngineQuery, writer: Writer, extra: readonly Sql[] = []): Sql {
  const outputs = query.outputs.map((output, at) => sql`${writer.output(output)} as ${named(`c${at}`)}`);
  const where = writer.where(query.where);
  const groups = (query.groupBy ?? []).map((column) => writer.reference(column));
  const groupBy = groups.length === 0 ? nothing : sql` group by ${joined(groups, comma)}`;
  const order = query.orderBy.map(({ by, descending }) => writer.order(by, descending));
  const orderBy = order.length === 0 ? nothing : sql` order by ${joined(order, comma)}`;
  const from = writer.from(query.from);
  const selected = joined([...extra, ...(outputs.length === 0 ? [sql`1 as c0`] : outputs)], comma);
  return sql`select ${selected} from ${from}${where}${groupBy}${orderBy}${limits(query)}`;
}

/**
 * The first rows by a column that may be NULL. PostgreSQL's indexes have NULLs last, SQL Server has them first: rows
 * with a value and rows without one are read separately, each by the index, and only these few are sorted at the end.
 */
function nullsApart(query: EngineQuery, { by, descending }: EngineQuery['orderBy'][number]): Sql {
  const { from, outputs, isFixed = false } = query;
  const limit = query.reach ?? Number(query.limit ?? 0) + Number(query.offset ?? 0);
  const isNull: Predicate = { kind: 'isNull', left: { ...by, form: 'value' } };
  const part = (isMissing: boolean): Sql => {
    const where: readonly Predicate[] = [...query.where, isMissing ? isNull : { kind: 'not', part: isNull }];
    const writer = new Writer(from, undefined, !isMissing);
    const extra = [isMissing ? sql`1 as missing` : sql`0 as missing`, sql`${writer.sorting(by)} as sorting`];
    const orderBy = isMissing ? [] : query.orderBy;
    return statement({ from, outputs, where, orderBy, limit, isFixed }, writer, extra);
  };
  const columns = outputs.length === 0 ? [named('c0')] : outputs.map((_, at) => named(`c${at}`));
  const order = descending ? sql`missing, sorting desc` : sql`missing desc, sorting`;
  return sql`select ${joined(columns, comma)} from (select * from (${part(false)}) as present union all select * from (${part(true)}) as absent) as parts order by ${order}${limits(query)}`;
}

function limits({ limit, offset, isFixed }: EngineQuery): Sql {
  const amount = (rows: number | Hole) => (isFixed && typeof rows === 'number' ? spliced(rows) : rows);
  if (offset !== undefined && offset !== 0)
    return sql` limit ${amount(limit ?? Number.MAX_SAFE_INTEGER)} offset ${amount(offset)}`;
  return limit === undefined ? nothing : sql` limit ${amount(limit)}`;
}

/** A number as a part of the text. */
const spliced = (rows: number): Sql => ({ strings: [rows.toFixed(0)], values: [] });

/** The relations of a FROM by their places. */
function relationsOf(from: EngineFrom): [number, StoredRelation][] {
  return from.kind === 'relation'
    ? [[from.source, from.relation]]
    : [...relationsOf(from.left), ...relationsOf(from.right)];
}

/** The relations that an outer join may find no row of. */
function optionalIn(from: EngineFrom): number[] {
  if (from.kind === 'relation') return [];
  if (from.type === 'full') return relationsOf(from).map(([source]) => source);
  const inRight = from.type === 'left' ? relationsOf(from.right).map(([source]) => source) : optionalIn(from.right);
  return [...optionalIn(from.left), ...inRight];
}

/** A condition on the rows of a relation, over the tables that it reads from. */
export function engineConditionSql(relation: StoredRelation, condition: Predicate): Sql {
  return new RowWriter({ kind: 'relation', source: 0, relation }).predicate(condition);
}

/** Writes the pieces of a query; each relation becomes a table of just the columns that the pieces name. */
class Writer {
  readonly #relations: Map<number, StoredRelation>;
  readonly #optional: ReadonlySet<number>;
  /** What is used of each relation, by the name it gets. */
  readonly #used = new Map<number, Map<string, Sql>>();
  readonly #outer: Writer | undefined;
  /** True if the sorted column cannot be NULL here, so that the order of NULLs does not matter. */
  readonly #sortsValues: boolean;

  constructor(from: EngineFrom, outer?: Writer, sortsValues = false) {
    this.#sortsValues = sortsValues;
    this.#relations = new Map(relationsOf(from));
    this.#optional = new Set(optionalIn(from));
    this.#outer = outer;
  }

  reference({ source, column, form }: Reference): Sql {
    const relation = this.#relations.get(source);
    if (relation === undefined) {
      if (this.#outer === undefined) throw new Error(`there is no relation ${source} in the query`);
      return this.#outer.reference({ source, column, form });
    }
    const { sql: value, key = value, order = value } = columnOf(relation, column);
    return this.use(source, `${form} ${column}`, { value, key, order }[form]);
  }

  protected use(source: number, as: string, piece: Sql): Sql {
    const used = this.#used.get(source) ?? new Map<string, Sql>();
    this.#used.set(source, used.set(as, piece));
    return named(`s${source}`, as);
  }

  /** What sorts as a column does. */
  sorting(by: ColumnAt): Sql {
    const relation = this.#relations.get(by.source);
    const isApart = relation !== undefined && columnOf(relation, by.column).order !== undefined;
    return this.reference({ ...by, form: isApart ? 'order' : 'value' });
  }

  order(by: ColumnAt, descending: boolean): Sql {
    const piece = this.sorting(by);
    if (this.#sortsValues || !this.isNullable(by)) return descending ? sql`${piece} desc` : piece;
    return descending ? sql`${piece} desc nulls last` : sql`${piece} asc nulls first`;
  }

  isNullable({ source, column }: ColumnAt): boolean {
    const relation = this.#relations.get(source);
    return this.#optional.has(source) || relation === undefined || isNullable(columnOf(relation, column));
  }

  output(output: Output): Sql {
    switch (output.kind) {
      case 'column':
        return this.reference({ ...output.of, form: 'value' });
      case 'isThere':
        return this.use(output.source, 'is there', sql`1`);
      case 'countAll':
        return sql`count(*)`;
      case 'aggregate':
        return aggregate(output.name, this.reference(output.of));
    }
  }

  type(output: Output): Stored<unknown> | OrNull<Stored<unknown>> {
    if (output.kind === 'isThere') return { orNull: whole };
    if (output.kind === 'countAll') return whole;
    const relation = this.#relations.get(output.of.source);
    if (relation === undefined) throw new Error('an output is of a relation of its own query');
    const { type } = columnOf(relation, output.of.column);
    const bare = 'orNull' in type ? type.orNull : type;
    if (output.kind === 'column') return this.isNullable(output.of) ? { orNull: bare } : bare;
    if (output.name === 'min' || output.name === 'max') return { orNull: bare };
    return output.name === 'count' || output.name === 'countDistinct' ? whole : { orNull: whole };
  }

  from(from: EngineFrom): Sql {
    if (from.kind === 'relation') return this.#table(from.source, from.relation);
    const on = from.on.length === 0 ? always : this.#all(from.on);
    const [left, right] = [this.from(from.left), this.#inner(from.right)];
    return sql`${left}${joins[from.type]}${right} on ${on}`;
  }

  /** The right side of JOIN: joins there are a derived table. */
  #inner(from: EngineFrom): Sql {
    return from.kind === 'join' ? sql`(${this.from(from)})` : this.from(from);
  }

  #table(source: number, relation: StoredRelation): Sql {
    const used = [...(this.#used.get(source) ?? new Map<string, Sql>())];
    const columns =
      used.length === 0
        ? sql`1 as u`
        : joined(
            used.map(([as, piece]) => sql`${piece} as ${named(as)}`),
            comma,
          );
    const where = relation.where === undefined ? nothing : sql` where ${relation.where}`;
    return sql`(select ${columns} from ${relation.from}${where}) as ${named(`s${source}`)}`;
  }

  where(predicates: readonly Predicate[]): Sql {
    return predicates.length === 0 ? nothing : sql` where ${this.#all(predicates)}`;
  }

  #all(predicates: readonly Predicate[]): Sql {
    return chained(
      predicates.map((each) => this.predicate(each)),
      and,
    );
  }

  predicate(predicate: Predicate): Sql {
    switch (predicate.kind) {
      case 'compare': {
        const { left, operator, right } = predicate;
        const other = 'value' in right ? sql`${right.value}` : this.reference(right);
        return sql`${this.reference(left)}${operators[operator]}${other}`;
      }
      case 'in':
        return this.#in(predicate);
      case 'isNull':
        return sql`${this.reference(predicate.left)} is null`;
      case 'startsWith':
        return sql`substr(${this.reference(predicate.left)}, 1, cast(${[...predicate.prefix].length} as integer)) = ${predicate.prefix}`;
      case 'and':
      case 'or': {
        const parts = predicate.parts.map((part) => this.predicate(part));
        return sql`(${chained(parts, predicate.kind === 'and' ? and : or)})`;
      }
      case 'not':
        return sql`not (${this.predicate(predicate.part)})`;
      case 'exists': {
        const inner = new Writer(predicate.from, this);
        const where = inner.where(predicate.where);
        return sql`exists (select 1 from ${inner.from(predicate.from)}${where})`;
      }
      case 'inQuery': {
        const inner = new Writer(predicate.from, this);
        const column = inner.reference(predicate.column);
        const where = inner.where(predicate.where);
        return sql`${this.reference(predicate.left)} in (select ${column} from ${inner.from(predicate.from)}${where})`;
      }
    }
  }

  #in({ left, values }: Predicate & { kind: 'in' }): Sql {
    const column = this.reference(left);
    const known = values.filter((value): value is Bindable => !(value instanceof Hole));
    const isText = known.every((value) => typeof value === 'string');
    if (known.length > mostPieces && isOneList(known)) {
      return sql`${column} in ${list(isText ? 'text' : 'bigint', known)}`;
    }
    const pieces = values.map((value) => sql`${value}`);
    return sql`${column} in (${joined(pieces, comma)})`;
  }
}

/** Up to this many values are written as single placeholders; more are a list. */
export const mostPieces = 16;

/** Whether values can be handed over as one list: all of them texts, or all of them whole numbers. */
export const isOneList = (values: readonly Bindable[]): boolean =>
  values.every((value) => typeof value === 'string') || values.every(isWhole);

/** Writes conditions on rows of one relation's own tables. */
class RowWriter extends Writer {
  protected override use(_source: number, _as: string, piece: Sql): Sql {
    return piece;
  }
}

const isWhole = (value: Bindable): boolean =>
  typeof value === 'bigint' || typeof value === 'boolean' || value instanceof Date || Number.isSafeInteger(value);

function aggregate(wanted: EngineAggregate, piece: Sql): Sql {
  switch (wanted) {
    case 'count':
      return sql`count(${piece})`;
    case 'countDistinct':
      return sql`count(distinct ${piece})`;
    case 'min':
      return sql`min(${piece})`;
    case 'max':
      return sql`max(${piece})`;
    // A sum of 64 bits may be more than 64 bits: each half of them fits.
    case 'sumLow':
      return sql`sum(${piece} % 4294967296)`;
    case 'sumHigh':
      return sql`sum(${piece} / 4294967296)`;
  }
}
