import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import type { Expression } from '../ast/expression.ts';
import type { Query, Select, SelectItem } from '../ast/query.ts';
import type { Compiled, Env, Test } from '../evaluate/compiled.ts';
import type { Context, Scope } from '../evaluate/context.ts';
import { allPrepared, type Prepared, preparedAs } from '../evaluate/prepared.ts';
import { type Batches, changed, evaluated, firstOf, keepValue } from './batches.ts';
import { compileFrom, type Source } from './from.ts';
import { GroupScope, isGrouped } from './group.ts';
import { compileJoins, compileTests, conjuncts, fromRows, type JoinTree, joinRowSizer, passing } from './join.ts';
import { compileLimits, type Limits } from './limits.ts';
import { outputColumn, type SortKey } from './order.ts';
import { missingKeys, type Origin, originOf } from './origin.ts';
import type { Plan, PlanColumn } from './plan.ts';
import { positionedOf } from './positioned.ts';
import { hold, type Run, sizeOf } from './run.ts';
import { SelectScope } from './scope.ts';
import { newcomers } from './set-operation.ts';
import { type KeyedEnv, sortedAndLimited } from './sort-limit.ts';
import { WindowScope } from './window.ts';

/** What a query adds around its SELECT. */
export type Around = Pick<Query, 'orderBy' | 'offset' | 'fetch' | 'isBrowsed' | 'isPositioned'>;

/** A SELECT taken apart into steps. */
interface Steps {
  readonly tree: JoinTree | undefined;
  readonly where: readonly Prepared<Test>[];
  readonly group: GroupScope | undefined;
  readonly having: readonly Prepared<Test>[];
  readonly windows: WindowScope;
  /** What makes a row of the result. */
  readonly project: Prepared<(env: Env) => unknown[]>;
  readonly columns: readonly PlanColumn[];
  readonly distinct: boolean;
  readonly keys: readonly SortKey[];
  readonly keysOf: Prepared<(env: Env) => unknown[]>;
  readonly limits: Limits;
  /** True when a row is taken before the next is made: `SELECT @s = @s + x` sees each step. */
  readonly oneByOne: boolean;
  /** What tells how much holding a row takes, about. */
  sizer(): (env: Env) => number;
}

const valuesOf = (prepared: readonly Prepared<Compiled>[]): Prepared<(env: Env) => unknown[]> =>
  preparedAs(allPrepared(prepared), (all) => (env: Env) => all.map((each) => each.evaluate(env)));

function sizerOf(sources: readonly Source[]): (env: Env) => number {
  const rowSize = joinRowSizer(sources);
  return ({ rows, groups, windows }) => rowSize(rows) + sizeOf(groups) + sizeOf(windows);
}

/** Compiles one SELECT. */
export function compileSelect(select: Select, around: Around, outer: Scope | undefined, context: Context): Plan {
  const from = compileFrom(select.from, outer, context);
  const sources = from?.sources ?? [];
  const scope = new SelectScope(sources, outer);
  const tree =
    from === undefined ? undefined : compileJoins(from.tree, sources, scope, context, conjuncts(select.where));
  const where = compileTests(conjuncts(select.where), scope, context);
  const group = isGrouped(select, around.orderBy) ? new GroupScope(scope, select.groupBy, context) : undefined;
  const windows = new WindowScope(group ?? scope);
  const listed = select.items.flatMap((item) => expand(item, sources));
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
  const sorting = around.orderBy.map((item) => {
    const at = outputColumn(item, columns);
    if (at !== undefined) sortedBy.push(at + 1);
    return (at === undefined ? undefined : values[at]) ?? value(item.expression);
  });
  const limits = compileLimits(select.top, around, context);
  const project = valuesOf(values);
  const positioned =
    // A cursor comes back to its rows after the statement that could read relations has ended.
    around.isPositioned && isPlain && !windows.used && context.leaves.length === 0
      ? positionedOf({ select, sources, columns, project, where, isOrdered: around.orderBy.length > 0 }, scope, context)
      : undefined;
  const steps: Steps = {
    tree,
    where,
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
    oneByOne: select.items.some(({ kind }) => kind === 'assign'),
    sizer: () => sizerOf(sources),
  };
  const correlated = scope.correlated || sources.some((source) => source.correlated);
  return {
    columns,
    correlated,
    rows: (env) => selected(steps, env, context.run),
    ...(sortedBy.length > 0 && sortedBy.length === sorting.length ? { sortedBy } : {}),
    ...(positioned === undefined ? {} : { positioned }),
  };
}

type ValueItem = Extract<SelectItem, { kind: 'value' }>;

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

function columnOf(
  value: Compiled,
  item: ValueItem | undefined,
  origin: Origin | undefined,
  isHidden: boolean,
  label: string | undefined,
): PlanColumn {
  const column = {
    name: item?.alias ?? value.name ?? '',
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

async function* selected(steps: Steps, outer: Env, run: Run): AsyncGenerator<readonly (readonly unknown[])[]> {
  const { group, having, windows, project, distinct, keys, limits, sizer, oneByOne } = steps;
  const { turn } = run;
  const { count, percent, skip } = await limits.of(outer);
  let rows: Batches<Env> = fromRows(steps.tree, steps.where, outer, run);
  if (group !== undefined) rows = group.group(rows, outer, run);
  rows = passing(rows, having, run);
  const isSorted = keys.length > 0 || percent !== undefined;
  const most = count ?? Number.POSITIVE_INFINITY;
  if (windows.used) rows = windows.apply(rows, isSorted || distinct ? Number.POSITIVE_INFINITY : most, sizer(), run);
  if (isSorted) {
    const size = sizer();
    const keyed = sortedAndLimited(
      keyedRows(steps, rows, run),
      keys,
      { count, percent, skip, ties: limits.ties },
      ({ env }) => size(env),
      run,
    );
    yield* evaluated(
      changed(keyed, ({ env }) => env),
      project,
      keepValue,
      turn,
      oneByOne,
    );
    return;
  }
  if (distinct) yield* firstOf(distinctRows(steps, rows, run), most);
  else yield* evaluated(firstOf(rows, most), project, keepValue, turn, oneByOne);
}

async function* distinctRows(
  steps: Steps,
  rows: Batches<Env>,
  run: Run,
): AsyncGenerator<readonly (readonly unknown[])[]> {
  using held = hold(run);
  const isNew = newcomers(
    steps.columns.map(({ type }) => type),
    held,
  );
  yield* evaluated(
    rows,
    steps.project,
    (row, _env, kept: (readonly unknown[])[]) => {
      if (isNew(row)) kept.push(row);
    },
    run.turn,
  );
}

/** Rows with what they are sorted by. They are projected after that, so that `SELECT @s = @s + x … ORDER BY` sees each step. */
async function* keyedRows(steps: Steps, rows: Batches<Env>, run: Run): AsyncGenerator<readonly KeyedEnv[]> {
  using held = hold(run);
  const isNew = newcomers(
    steps.columns.map(({ type }) => type),
    held,
  );
  const distinct = steps.distinct
    ? evaluated(
        rows,
        steps.project,
        (row, env, kept: Env[]) => {
          if (isNew(row)) kept.push(env);
        },
        run.turn,
      )
    : rows;
  yield* evaluated(distinct, steps.keysOf, (keys, env, kept: KeyedEnv[]) => void kept.push({ env, keys }), run.turn);
}
