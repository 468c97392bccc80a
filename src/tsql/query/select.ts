import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import type { Expression } from '../../syntax/ast/expression.ts';
import type { Query, Select, SelectItem } from '../../syntax/ast/query.ts';
import type { Compiled, Env } from '../evaluate/compiled.ts';
import type { Context, Scope } from '../evaluate/context.ts';
import { allPrepared, type Prepared, preparedAs } from '../evaluate/prepared.ts';
import { explainSelect } from './explain.ts';
import { compileFrom, type Source } from './from.ts';
import { GroupScope, isGrouped } from './group.ts';
import { HandOver } from './hand-over.ts';
import { compileJoins } from './join.ts';
import { compileLimits } from './limits.ts';
import { linkedOrder } from './linked-order.ts';
import { missingKeys, type Origin, originOf, type ValueItem } from './origin.ts';
import type { Plan, PlanColumn } from './plan.ts';
import { positionedOf } from './positioned.ts';
import { compileTests, conjuncts, inTurn } from './row-tests.ts';
import { SelectScope } from './scope.ts';
import { type SelectSteps, selected } from './selected.ts';
import { outputColumn } from './sort.ts';
import { WindowScope } from './window.ts';

/** What a query adds around its SELECT. */
export type Around = Pick<Query, 'orderBy' | 'offset' | 'fetch' | 'isBrowsed' | 'isPositioned' | 'isOutermost'>;

const valuesOf = (prepared: readonly Prepared<Compiled>[]): Prepared<(env: Env) => unknown[]> =>
  preparedAs(allPrepared(prepared), (all) => (env: Env) => all.map((each) => each.evaluate(env)));

/** How many columns a result may have, as in SQL Server. */
export const mostColumns = 4096;

/** Compiles one SELECT. */
export function compileSelect(select: Select, around: Around, outer: Scope | undefined, context: Context): Plan {
  const from = compileFrom(select.from, outer, context);
  const sources = from?.sources ?? [];
  const scope = new SelectScope(sources, outer);
  const conditions = conjuncts(select.where);
  const tree = from && compileJoins(linkedOrder(from.tree, conditions, scope), sources, scope, context, conditions);
  const handed = new HandOver(from?.tree, conditions, { scope, sources, context });
  const where = inTurn(handed.where.map(({ test }) => test));
  const group = isGrouped(select, around.orderBy) ? new GroupScope(scope, select.groupBy, context) : undefined;
  const windows = new WindowScope(group ?? scope);
  const listed = select.items.flatMap((item) => expand(item, sources));
  if (listed.length > mostColumns) throw sqlError(1056, mostColumns);
  const isPlain = group === undefined && !select.distinct;
  const hidden = around.isBrowsed && isPlain ? missingKeys(listed, scope, sources) : [];
  const items = [...listed, ...hidden];
  const value = (expression: Expression) => context.prepared(() => context.expression(expression, windows));
  const values = items.map(({ expression }) => value(expression));
  const columns = values.map(({ compiled }, at) => {
    const origin = isPlain ? originOf(items[at]?.expression, scope, sources) : undefined;
    const label = labelOf(items[at]?.expression, scope, sources);
    return columnOf(compiled, items[at], origin, at >= listed.length, label);
  });
  const having = compileTests(conjuncts(select.having), group ?? scope, context);
  const sortedBy: number[] = [];
  const sortedExpressions: Expression[] = [];
  const sorting = around.orderBy.map((item) => {
    const at = outputColumn(item, columns);
    if (at !== undefined) sortedBy.push(at + 1);
    sortedExpressions.push((at === undefined ? undefined : items[at]?.expression) ?? item.expression);
    return (at === undefined ? undefined : values[at]) ?? value(item.expression);
  });
  const limits = compileLimits(select.top, around, context);
  const project = valuesOf(values);
  const positioned =
    // A cursor comes back to its rows after the statement that could read relations has ended.
    around.isPositioned && isPlain && !windows.used && context.leaves.length === 0
      ? positionedOf({ select, sources, columns, project, where, isOrdered: around.orderBy.length > 0 }, scope, context)
      : undefined;
  const steps: SelectSteps = {
    tree,
    where,
    fixed: sources.length === 0 ? [] : handed.where.flatMap(({ isFixed, test }) => (isFixed ? [test] : [])),
    group,
    having,
    windows,
    project:
      positioned === undefined
        ? project
        : { compiled: (env) => sources.map(({ index }) => env.rows[index] ?? null), pending: [] },
    columns,
    distinct: select.distinct,
    keys: sorting.map(({ compiled: { type } }, at) => ({
      type,
      descending: around.orderBy[at]?.descending ?? false,
    })),
    keysOf: valuesOf(sorting),
    limits,
    engine: handed.tree,
    engineGroups: group && handed.groups(select.groupBy, group.calls),
    engineOrder: handed.order(
      sortedExpressions,
      around.orderBy.map(({ descending }) => descending),
      select.distinct,
    ),
    engineList:
      isPlain && positioned === undefined ? handed.list(items.map(({ expression }) => expression)) : undefined,
    engineDistinct:
      select.distinct && group === undefined && !windows.used
        ? handed.distinct(items.map(({ expression }) => expression))
        : undefined,
    oneByOne: select.items.some(({ kind }) => kind === 'assign'),
    sources,
    isAlone: around.isOutermost === true && handed.tree !== undefined && context.leaves.length === sources.length,
  };
  handed.settle(group !== undefined || select.distinct, sorting.length === 0 ? undefined : steps.engineOrder);
  const correlated = scope.correlated || sources.some((source) => source.correlated);
  return {
    columns,
    correlated,
    isAlone: steps.isAlone,
    rows: (env, most) => selected(steps, env, context.run, most),
    explain: () => explainSelect(steps),
    ...(sortedBy.length > 0 && sortedBy.length === sorting.length ? { sortedBy } : {}),
    ...(positioned === undefined ? {} : { positioned }),
  };
}

/** `*` and `t.*` become their columns. */
function expand(item: SelectItem, sources: readonly Source[]): ValueItem[] {
  if (item.kind === 'value') return [item];
  if (item.kind === 'assign') return [{ kind: 'value', expression: item.expression }];
  if (sources.length === 0) throw sqlError(263);
  const wanted =
    item.qualifier === undefined
      ? sources
      : sources.filter((source) => source.alias === fold(item.qualifier?.at(-1) ?? ''));
  if (wanted.length === 0) throw sqlError(4104, `${item.qualifier?.join('.')}.*`);
  return wanted.flatMap((source) =>
    source.columns.map(
      ({ name }): ValueItem => ({
        kind: 'value',
        alias: name,
        expression: { kind: 'column', parts: [source.alias, name] },
      }),
    ),
  );
}

function labelOf(
  expression: Expression | undefined,
  scope: SelectScope,
  sources: readonly Source[],
): string | undefined {
  const place = expression?.kind === 'column' ? scope.find(expression.parts) : undefined;
  return place === undefined ? undefined : sources[place.source]?.label;
}

/** The column that an item of a select list makes. */
export function columnOf(
  value: Compiled,
  item: ValueItem | undefined,
  origin?: Origin,
  isHidden = false,
  label?: string,
): PlanColumn {
  const column = {
    // A column is headed as the statement spells it, not as its table does.
    name: item?.alias ?? (item?.expression.kind === 'column' ? item.expression.parts.at(-1) : value.name) ?? '',
    type: value.type,
    nullable: value.nullable,
    ...(value.bare ? { bare: true as const } : {}),
    ...(label === undefined ? {} : { label }),
    ...(value.isJson ? { isJson: true } : {}),
  };
  if (origin === undefined) return column;
  const { source, isIdentity, isComputed } = origin;
  return {
    ...column,
    source: isHidden ? { ...source, isHidden } : source,
    table: source.table.name,
    ...(isIdentity ? { isIdentity } : {}),
    ...(isComputed ? { isComputed } : {}),
  };
}
