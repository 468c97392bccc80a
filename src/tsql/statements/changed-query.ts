import { type SqlError, sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import { firstSelect } from '../../syntax/ast/first-select.ts';
import type { Cte, FromItem, Query } from '../../syntax/ast/query.ts';
import type { Target } from '../../syntax/ast/statement.ts';
import type { Host } from '../host.ts';
import { isGrouped } from '../query/group.ts';
import { isShown } from '../query/joins/carried-rows.ts';
import type { PlanColumn } from '../query/plan.ts';
import { type MadeView, meantBy } from '../storage/made-view.ts';
import type { MemoryTable } from '../storage/memory-table.ts';
import { viewNamed } from '../storage/object-place.ts';

/** A common table expression, derived table or view that a statement changes. */
export interface ChangedQuery {
  readonly name: string;
  /** What FROM calls it, folded. */
  readonly alias: string;
  readonly query: Query;
  readonly ctes: Ctes;
  readonly isDerived: boolean;
  /** The view, if it is one. */
  readonly view?: MadeView;
}

/** Common table expressions by their folded names. */
export type Ctes = ReadonlyMap<string, Cte>;

/** The tables, queries and functions of FROM. */
type Leaf = Exclude<FromItem, { kind: 'join' }>;

export function leavesOf(item: FromItem): Leaf[] {
  return item.kind === 'join' ? [...leavesOf(item.left), ...leavesOf(item.right)] : [item];
}

export function cteNamed({ database, schema, name }: ObjectName, ctes: Ctes): Cte | undefined {
  return database === undefined && schema === undefined ? ctes.get(fold(name)) : undefined;
}

export const ctesOf = (listed: readonly Cte[]): Ctes => new Map(listed.map((cte) => [fold(cte.name), cte]));

/** The query that the target of a statement refers to; undefined for a table. */
export function changedQuery(
  target: Target,
  from: readonly FromItem[],
  listed: readonly Cte[],
  host: Host,
): ChangedQuery | undefined {
  if ('variable' in target) return undefined;
  if (target.database !== undefined || target.schema !== undefined) return changedView(target, from, host);
  const { name } = target;
  const leaves = from.flatMap(leavesOf);
  const isCalled = (called: string | undefined) => called !== undefined && fold(called) === fold(name);
  const leaf =
    leaves.find((item) => isCalled(item.alias)) ??
    leaves.find((item) => item.kind === 'table' && isCalled(item.name.name));
  const ctes = ctesOf(listed);
  if (leaf?.kind === 'derived') return { name, alias: fold(name), query: leaf.query, ctes, isDerived: true };
  if (leaf !== undefined && leaf.kind !== 'table') return undefined;
  const cte = cteNamed(leaf?.name ?? target, ctes);
  if (cte === undefined) return changedView(leaf?.name ?? target, from, host);
  return { name, alias: fold(leaf?.alias ?? name), query: cte.query, ctes, isDerived: false };
}

/** A view as what a statement changes, under the alias that FROM gives it. */
function changedView(name: ObjectName, from: readonly FromItem[], host: Host): ChangedQuery | undefined {
  const view = viewNamed(name, host);
  if (view === undefined) return undefined;
  const { query } = view.definition;
  const leaf = from.flatMap(leavesOf).find((item) => item.kind === 'table' && viewNamed(item.name, host) === view);
  const alias = fold(leaf?.alias ?? name.name);
  return { name: view.name, alias, query, ctes: ctesOf(query.with), isDerived: false, view };
}

/**
 * The only table that a query consists of; undefined if it joins some. 4426 for a UNION, 4403 for groups and DISTINCT;
 * a derived table has numbers of its own.
 */
export function onlyTable(changed: ChangedQuery, host: Host): Target | undefined {
  let { ctes, view: within } = changed;
  const seen = new Set<Query>();
  for (let query: Query | undefined = changed.query; query !== undefined; ) {
    // One that refers to itself is refused where it is compiled.
    if (seen.has(query)) return undefined;
    seen.add(query);
    const { body, orderBy }: Query = query;
    if (body.kind === 'set') throw refusal(changed, 4426, 4417);
    if (body.kind !== 'select') return undefined;
    if (body.distinct || isGrouped(body, orderBy)) throw refusal(changed, 4403, 4418);
    const [leaf, ...others]: readonly Leaf[] = body.from.flatMap(leavesOf);
    if (leaf === undefined || others.length > 0) return undefined;
    if (leaf.kind === 'variable') return { variable: leaf.name };
    if (leaf.kind === 'function') return undefined;
    query = leaf.kind === 'derived' ? leaf.query : cteNamed(leaf.name, ctes)?.query;
    if (query !== undefined || leaf.kind !== 'table') continue;
    const name = within === undefined ? leaf.name : meantBy(within, leaf.name, host);
    within = viewNamed(name, host);
    if (within === undefined) return name;
    query = within.definition.query;
    ctes = ctesOf(query.with);
  }
  return undefined;
}

const refusal = (
  { isDerived, name }: ChangedQuery,
  ofCte: 4403 | 4405 | 4406 | 4426,
  ofDerived: 4417 | 4418 | 4420 | 4421,
): SqlError => sqlError(isDerived ? ofDerived : ofCte, name);

/** False for a query of constants. */
const hasTables = ({ query }: ChangedQuery): boolean => firstSelect(query.body)?.from.length !== 0;

export const severalTables = (changed: ChangedQuery): SqlError => refusal(changed, 4405, 4420);

/** How the rows of a query lead to those of the table that a statement changes. */
export class WayThrough {
  readonly table: MemoryTable;
  /** The columns that the statement may name. */
  readonly columns: readonly PlanColumn[];
  readonly #changed: ChangedQuery;
  readonly #row: number;

  /**
   * `names`: the columns that are given values, which must be of one table, else 4405; 4406 for one that is of none.
   * 208 for a query whose tables cannot be changed so.
   */
  constructor(changed: ChangedQuery, columns: readonly PlanColumn[], names: readonly string[]) {
    this.#changed = changed;
    this.columns = columns.filter(isShown);
    const carried = columns.flatMap(({ carries }, at) => (carries === undefined ? [] : [at]));
    if (carried.length === 0) throw hasTables(changed) ? sqlError(208, changed.name) : refusal(changed, 4406, 4421);
    const rows = new Set(names.length === 0 ? carried : names.map((name) => this.#baseOf(name).row));
    const [row = 0] = rows;
    const table = columns[row]?.carries;
    if (rows.size > 1 || table === undefined) throw severalTables(changed);
    this.#row = row;
    this.table = table;
  }

  #baseOf(name: string): NonNullable<PlanColumn['base']> {
    const column = this.columns.find((each) => fold(each.name) === fold(name));
    if (column === undefined) throw sqlError(207, name);
    if (column.base === undefined) throw refusal(this.#changed, 4406, 4421);
    return column.base;
  }

  /** The place in the table of a column that the statement gives a value. */
  placeOf(name: string): number {
    return this.#baseOf(name).column;
  }

  /** The columns of the table that an INSERT gives values: those that it lists, or all that do not fill themselves. */
  placed(listed: readonly string[], host: Host): readonly string[] {
    const names =
      listed.length > 0
        ? listed
        : this.columns.filter((column) => !this.#fillsItself(column, host)).map(({ name }) => name);
    return names.map((name) => this.table.columns[this.placeOf(name)]?.name ?? name);
  }

  #fillsItself({ base }: PlanColumn, { state }: Host): boolean {
    if (base === undefined) return false;
    const { columns, definition, objectId } = this.table;
    const isNumbered = columns[base.column]?.identity !== undefined && state.identityInsert !== objectId;
    return isNumbered || definition?.columns[base.column]?.computed !== undefined;
  }

  /** The row of the table that a row of the query is made of, as the table holds it. */
  rowOf(values: readonly unknown[] | null | undefined): readonly unknown[] {
    const row = values?.[this.#row];
    return Array.isArray(row) ? row : [];
  }

  /** The row of the query after its row of the table has changed; what is computed from that stays as it was. */
  shown(values: readonly unknown[], before?: readonly unknown[] | null | undefined): readonly unknown[] {
    return this.columns.map(({ base }, at) => (base?.row === this.#row ? values[base.column] : before?.[at]) ?? null);
  }
}

type Row = readonly unknown[];

/** The row of a table behind a row of FROM, as the table holds it. */
export const rowBehind = (way: WayThrough | undefined, row: Row | null | undefined): Row =>
  way === undefined ? (row ?? []) : way.rowOf(row);

/** What a statement sees of a changed row of a table. */
export const shownBy = (way: WayThrough | undefined, values: Row, row: Row | null | undefined): Row =>
  way === undefined ? values : way.shown(values, row);
