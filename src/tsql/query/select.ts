import type { Expression } from '../../syntax/ast/expression.ts';
import type { Query, Select } from '../../syntax/ast/query.ts';
import type { Compiled, Env } from '../evaluate/compiled.ts';
import type { Context, Scope } from '../evaluate/context.ts';
import { allPrepared, type Prepared, preparedAs } from '../evaluate/prepared.ts';
import { HandOver } from './by-engine/hand-over.ts';
import { explainSelect } from './explain.ts';
import { GroupScope, isGrouped } from './group.ts';
import { carrying } from './joins/carried-rows.ts';
import { compileFrom, type Source } from './joins/from.ts';
import { compileJoins } from './joins/join.ts';
import { linkedOrder } from './joins/linked-order.ts';
import { compileLimits } from './limits.ts';
import { compileOrderBy } from './order-by.ts';
import type { Plan } from './plan.ts';
import { positionedOf } from './positioned.ts';
import { compileTests, conjuncts, inTurn } from './row-tests.ts';
import { SelectScope } from './scope.ts';
import { compileSelectList } from './select-list.ts';
import { type SelectSteps, selected } from './selected.ts';
import { WindowScope } from './windows/window.ts';

/** What a query adds around its SELECT. */
export type Around = Pick<
  Query,
  'orderBy' | 'offset' | 'fetch' | 'isBrowsed' | 'isPositioned' | 'isOutermost' | 'carriesRows'
>;

const valuesOf = (prepared: readonly Prepared<Compiled>[]): Prepared<(env: Env) => unknown[]> =>
  preparedAs(allPrepared(prepared), (all) => (env: Env) => all.map((each) => each.evaluate(env)));

/** The rows of the tables themselves, from which a cursor makes what it shows. */
const rowsOf = (sources: readonly Source[]): SelectSteps['project'] => ({
  compiled: (env) => sources.map(({ index }) => env.rows[index] ?? null),
  pending: [],
});

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
  const isPlain = group === undefined && !select.distinct;
  const compile = (expression: Expression) => context.prepared(() => context.expression(expression, windows));
  const traits = { passesThrough: isPlain, isBrowsed: around.isBrowsed === true };
  const list = compileSelectList(select.items, traits, scope, sources, compile);
  const having = compileTests(conjuncts(select.having), group ?? scope, context);
  const order = compileOrderBy(around.orderBy, list, compile);
  const limits = compileLimits(select.top, around, context);
  const { values, columns } = around.carriesRows && isPlain ? carrying(list, scope, sources) : list;
  const project = valuesOf(values);
  const positioned =
    // A cursor rereads its rows after the statement that could read relations has ended.
    around.isPositioned && isPlain && !windows.used && context.leaves.length === 0
      ? positionedOf({ select, sources, columns, project, where, isOrdered: order.length > 0 }, scope, context)
      : undefined;
  const distinctColumns = select.distinct && group === undefined && !windows.used;
  const steps: SelectSteps = {
    tree,
    where,
    fixed: sources.length === 0 ? [] : handed.where.flatMap(({ isFixed, test }) => (isFixed ? [test] : [])),
    group,
    having,
    windows,
    project: positioned === undefined ? project : rowsOf(sources),
    columns,
    distinct: select.distinct,
    keys: order.map(({ value, descending }) => ({ type: value.compiled.type, descending })),
    keysOf: valuesOf(order.map(({ value }) => value)),
    limits,
    engine: handed.tree,
    engineGroups: group && handed.groups(select.groupBy, group.calls),
    engineOrder: handed.order(order, select.distinct),
    engineList: isPlain && positioned === undefined ? handed.list(list.expressions) : undefined,
    engineDistinct: distinctColumns ? handed.distinct(list.expressions) : undefined,
    oneByOne: select.items.some(({ kind }) => kind === 'assign'),
    sources,
    isAlone: around.isOutermost === true && handed.tree !== undefined && context.leaves.length === sources.length,
  };
  handed.settle(group !== undefined || select.distinct, order.length === 0 ? undefined : steps.engineOrder);
  const sortedBy = order.flatMap(({ column }) => (column === undefined ? [] : [column + 1]));
  return {
    columns,
    correlated: scope.correlated || sources.some((source) => source.correlated),
    isAlone: steps.isAlone,
    rows: (env, most) => selected(steps, env, context.run, most),
    explain: () => explainSelect(steps),
    ...(sortedBy.length > 0 && sortedBy.length === order.length ? { sortedBy } : {}),
    ...(positioned === undefined ? {} : { positioned }),
  };
}
