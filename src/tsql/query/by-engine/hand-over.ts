import type { ColumnAt, EngineQuery, Output } from '../../../procedure/relations/engine-query.ts';
import type { StoredRelation } from '../../../procedure/relations/relation.ts';
import type { Condition, Expression, FunctionCall } from '../../../syntax/ast/expression.ts';
import type { FromNode } from '../joins/from.ts';
import { type About, type EngineColumn, engineColumn, isComparable, isSortable } from './engine-column.ts';
import { engineCondition, isSteady } from './engine-condition.ts';
import { type EngineGroups, type EngineKeys, engineGroups, keysOf } from './engine-groups.ts';
import { engineSubquery } from './engine-subquery.ts';
import { type EngineTree, engineTree, filterSources, type WherePart } from './engine-tree.ts';

/** Whether queries are pushed down to the engine at all; tests run them both ways. */
export const handing = { isOn: true };

/** The most tables that the engine joins: SQLite accepts 64, and one table here may be several there. */
const mostSources = 20;

/**
 * Determines which parts of a SELECT the engine evaluates exactly as SQL Server would; the interpreter does the rest on
 * the result.
 */
export class HandOver {
  readonly where: readonly WherePart[];
  readonly tree: EngineTree | undefined;
  readonly #about: About;

  constructor(node: FromNode | undefined, conditions: readonly Condition[], of: About) {
    const about: About = { ...of, subquery: engineSubquery };
    const { scope, context, sources } = about;
    this.#about = about;
    const isOn = handing.isOn && sources.some(({ stored }) => stored !== undefined);
    this.where = conditions.map((condition) => {
      const engine = isOn ? engineCondition(condition, about) : undefined;
      const compile = () => context.prepared(() => context.condition(condition, scope));
      const { result: test, used } = scope.tracking(compile);
      const isFixed = used.size === 0 && isSteady(condition) && !test.pending.some(({ isQuery }) => isQuery);
      return { engine, test, isFixed };
    });
    this.tree = node && isOn && sources.length <= mostSources ? engineTree(node, this.where, about) : undefined;
    if (node !== undefined && isOn && this.tree === undefined) filterSources(node, this.where, about);
  }

  #column(expression: Expression): EngineColumn | undefined {
    const column = engineColumn(expression, this.#about);
    return column && this.tree?.isOptional(column.source) ? { ...column, isNullable: true } : column;
  }

  /** The columns that expressions consist of; undefined if one is not a column, or the engine does not read FROM. */
  #columns(expressions: readonly Expression[]): readonly EngineColumn[] | undefined {
    if (this.tree === undefined) return undefined;
    const columns = expressions.map((each) => this.#column(each)).filter((each) => each !== undefined);
    return columns.length < expressions.length ? undefined : columns;
  }

  groups(groupBy: readonly Expression[], calls: readonly FunctionCall[]): EngineGroups | undefined {
    const { context } = this.#about;
    const nullEliminated = (): void => {
      context.frame.nullEliminated = true;
    };
    return this.tree && engineGroups(groupBy, calls, (each) => this.#column(each), nullEliminated);
  }

  /** ORDER BY, if the engine sorts identically; for distinct rows only their values are available. */
  order(
    keys: readonly { readonly expression: Expression; readonly descending: boolean }[],
    isDistinct: boolean,
  ): EngineQuery['orderBy'] | undefined {
    const columns = this.#columns(keys.map(({ expression }) => expression));
    if (!columns?.every(isDistinct ? isComparable : isSortable)) return undefined;
    return columns.map((by, at) => ({ by: placeOf(by), descending: keys[at]?.descending === true }));
  }

  /** A select list of plain columns: the engine's rows are then rows of the result. */
  list(expressions: readonly Expression[]): readonly Output[] | undefined {
    return this.#columns(expressions)?.map((each): Output => ({ kind: 'column', of: placeOf(each) }));
  }

  /** The columns of SELECT DISTINCT, if the engine distinguishes them as SQL Server does. */
  distinct(expressions: readonly Expression[]): EngineKeys | undefined {
    const columns = this.#columns(expressions);
    return columns && keysOf(columns);
  }

  /** Sets for each source how much work the engine may have for its next row. */
  settle(isGrouped: boolean, order: EngineQuery['orderBy'] | undefined): void {
    const { sources } = this.#about;
    const conditions = this.where.flatMap(({ engine }) => engine ?? []);
    const fixed = new Set(conditions.flatMap(({ fixes }) => fixes.map(({ column }) => column)));
    for (const { stored } of sources) {
      if (stored === undefined) continue;
      const asked = this.tree === undefined ? stored.filters : conditions;
      const isPaired = asked.some(({ isNested }) => isNested) || (this.tree !== undefined && sources.length > 1);
      stored.isOneRow = isKeyOf(stored.relation, fixed);
      if (isPaired) stored.work = 'unbounded';
      else if (stored.isOneRow) stored.work = 'little';
      else if (isGrouped || asked.length > 0) stored.work = 'linear';
      else stored.work = isIndexed(stored.relation, order ?? []) ? 'little' : 'linear';
    }
  }
}

/** True if fixed columns leave at most one row. */
const isKeyOf = ({ primaryKey, uniqueKeys = [] }: StoredRelation, fixed: ReadonlySet<string>): boolean =>
  [primaryKey ?? [], ...uniqueKeys].some((key) => key.length > 0 && key.every((name) => fixed.has(name)));

/** True if the engine has rows in that order without sorting. */
function isIndexed({ primaryKey, indexes = [] }: StoredRelation, order: EngineQuery['orderBy']): boolean {
  if (order.some(({ descending }) => descending !== order[0]?.descending)) return false;
  return (
    order.length === 0 ||
    [primaryKey ?? [], ...indexes].some((index) => order.every(({ by }, at) => by.column === index[at]))
  );
}

const placeOf = ({ source, column }: EngineColumn): ColumnAt => ({ source, column });
