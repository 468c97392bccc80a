import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import type { Expression } from '../ast/expression.ts';
import type { Query, Select, SelectItem } from '../ast/query.ts';
import type { Compiled, Env, Test } from '../evaluate/compiled.ts';
import type { Context, Scope } from '../evaluate/context.ts';
import { keyOf } from '../values/key.ts';
import { compileFrom, type Source } from './from.ts';
import { GroupScope, isGrouped } from './group.ts';
import { compileJoins, conjuncts, envOf, type JoinTree } from './join.ts';
import { compileLimits, type Limits } from './limits.ts';
import { compareKeys, type OrderKey, outputColumn } from './order.ts';
import { missingKeys, type Origin, originOf } from './origin.ts';
import { attempt, gathered, isTurnOver, type Pause, pause, settled } from './pause.ts';
import type { Plan, PlanColumn, Streaming } from './plan.ts';
import { positionedOf, rowOf } from './positioned.ts';
import { SelectScope } from './scope.ts';
import { inOrder } from './sort.ts';
import { WindowScope } from './window.ts';

/** What a query adds around its SELECT. */
export type Around = Pick<Query, 'orderBy' | 'offset' | 'fetch' | 'isBrowsed' | 'isPositioned'>;

/** A SELECT taken apart into steps. */
interface Steps {
  readonly tree: JoinTree | undefined;
  readonly where: Test | undefined;
  readonly group: GroupScope | undefined;
  readonly having: Test | undefined;
  readonly windows: WindowScope;
  readonly values: readonly Compiled[];
  readonly columns: readonly PlanColumn[];
  readonly distinct: boolean;
  readonly keys: readonly OrderKey[];
  readonly limits: Limits;
}

/** Compiles one SELECT. */
export function compileSelect(select: Select, around: Around, outer: Scope | undefined, context: Context): Plan {
  const from = compileFrom(select.from, outer, context);
  const sources = from?.sources ?? [];
  const scope = new SelectScope(sources, outer);
  const tree = from === undefined ? undefined : compileJoins(from.tree, scope, context, conjuncts(select.where));
  const where = select.where === undefined ? undefined : context.condition(select.where, scope);
  const group = isGrouped(select, around.orderBy) ? new GroupScope(scope, select.groupBy, context) : undefined;
  const windows = new WindowScope(group ?? scope);
  const listed = select.items.flatMap((item) => expand(item, sources));
  const isPlain = group === undefined && !select.distinct;
  const hidden = around.isBrowsed && isPlain ? missingKeys(listed, scope, sources) : [];
  const items = [...listed, ...hidden];
  const compiled = items.map((item) => context.expression(item.expression, windows));
  const columns = compiled.map((value, at) => {
    const origin = isPlain ? originOf(items[at]?.expression, scope, sources) : undefined;
    const label = labelOf(items[at]?.expression, scope, sources);
    return columnOf(value, items[at], origin, at >= listed.length, label);
  });
  const having = select.having === undefined ? undefined : context.condition(select.having, group ?? scope);
  const sortedBy: number[] = [];
  const keys = around.orderBy.map((item): OrderKey => {
    const at = outputColumn(item, columns);
    if (at !== undefined) sortedBy.push(at + 1);
    const value = (at === undefined ? undefined : compiled[at]) ?? context.expression(item.expression, windows);
    return { value, descending: item.descending };
  });
  const limits = compileLimits(select.top, around, context);
  const positioned =
    around.isPositioned && isPlain && !windows.used
      ? positionedOf(
          { select, sources, columns, values: compiled, where, isOrdered: around.orderBy.length > 0 },
          scope,
          context,
        )
      : undefined;
  const steps: Steps = {
    tree,
    where,
    group,
    having,
    windows,
    values: positioned === undefined ? compiled : sources.map(({ index }) => rowOf(index)),
    columns,
    distinct: select.distinct,
    keys,
    limits,
  };
  const correlated = scope.correlated || sources.some((source) => source.correlated);
  const streaming = streamingOf(steps);
  return {
    columns,
    correlated,
    rows: (env) => run(steps, env),
    ...(sortedBy.length > 0 && sortedBy.length === keys.length ? { sortedBy } : {}),
    ...(streaming === undefined ? {} : { streaming }),
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

/** Rows of FROM that WHERE lets through. */
function* filtered({ tree, where }: Steps, outer: Env): Generator<Env | Pause> {
  if (tree === undefined) {
    const env = envOf([], outer);
    if (where === undefined || (yield* settled(where, env)) === true) yield env;
    return;
  }
  for (const row of tree.rows(outer)) {
    if (row === pause) {
      yield pause;
      continue;
    }
    const env = envOf(row, outer);
    if (where !== undefined) {
      let passes = attempt(where, env);
      for (; passes === pause; passes = attempt(where, env)) yield pause;
      if (passes !== true) continue;
    }
    yield env;
  }
}

function* run(steps: Steps, outer: Env): Generator<readonly unknown[] | Pause> {
  const { group, having, windows, keys, limits } = steps;
  let rows: Iterable<Env | Pause> = filtered(steps, outer);
  if (group !== undefined)
    rows = having === undefined ? group.group(rows, outer) : passing(group.group(rows, outer), having);
  if (windows.used) rows = windows.apply(yield* gathered(rows));
  const percent = yield* settled(limits.percent, outer);
  if (keys.length === 0 && percent === undefined) {
    yield* limited(steps, rows, outer);
    return;
  }
  yield* sortedAndLimited(steps, rows, outer, percent);
}

function* passing(rows: Iterable<Env | Pause>, test: Test): Generator<Env | Pause> {
  for (const env of rows) if (env === pause || (yield* settled(test, env)) === true) yield env;
}

/** What makes a row of the result. */
const projection =
  ({ values }: Steps) =>
  (env: Env): unknown[] =>
    values.map((value) => value.evaluate(env));

/** Answers true for a row seen before. */
function repeats({ distinct, columns }: Steps): (row: readonly unknown[]) => boolean {
  if (!distinct) return () => false;
  const seen = new Set<string>();
  return (row) => {
    const key = keyOf(row.map((value, at) => [value, columns[at]?.type]));
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  };
}

function* limited(steps: Steps, rows: Iterable<Env | Pause>, outer: Env): Generator<readonly unknown[] | Pause> {
  const most = (yield* settled(steps.limits.count, outer)) ?? Number.POSITIVE_INFINITY;
  const isRepeat = repeats(steps);
  const project = projection(steps);
  let count = 0;
  if (most === 0) return;
  for (const env of rows) {
    if (env === pause) {
      yield pause;
      continue;
    }
    let row = attempt(project, env);
    for (; row === pause; row = attempt(project, env)) yield pause;
    if (isRepeat(row)) continue;
    yield row;
    if (++count >= most) return;
  }
}

function* sortedAndLimited(
  steps: Steps,
  rows: Iterable<Env | Pause>,
  outer: Env,
  percent: number | undefined,
): Generator<readonly unknown[] | Pause> {
  const { keys, limits, distinct } = steps;
  const isRepeat = repeats(steps);
  const project = projection(steps);
  const keysOf = (env: Env) => keys.map((key) => key.value.evaluate(env));
  const gathering: { env: Env; keys: unknown[] }[] = [];
  for (const env of rows) {
    if (env === pause) {
      yield pause;
      continue;
    }
    if (distinct && isRepeat(yield* settled(project, env))) continue;
    gathering.push({ env, keys: yield* settled(keysOf, env) });
  }
  const kept = yield* inOrder(gathering, (a, b) => compareKeys(a.keys, b.keys, keys));
  const first = yield* settled(limits.skip, outer);
  const count = percent === undefined ? yield* settled(limits.count, outer) : Math.ceil((kept.length * percent) / 100);
  let end = count === undefined ? kept.length : Math.min(kept.length, first + count);
  while (
    limits.ties &&
    end > 0 &&
    end < kept.length &&
    compareKeys(kept[end - 1]?.keys ?? [], kept[end]?.keys ?? [], keys) === 0
  )
    end++;
  for (let at = first; at < end; at++) {
    const found = kept[at];
    // Projecting last lets `SELECT @s = @s + x … ORDER BY` see each step.
    if (found !== undefined) yield yield* settled(project, found.env);
    if (isTurnOver()) yield pause;
  }
}

/** A SELECT that neither groups, sorts nor numbers can pass rows on while its first relation is read. */
function streamingOf(steps: Steps): Streaming | undefined {
  const { tree, where, group, windows, keys, limits } = steps;
  const spine = tree?.spine;
  if (
    spine?.source.leaf === undefined ||
    group !== undefined ||
    windows.used ||
    keys.length > 0 ||
    limits.ties ||
    limits.isPercent
  )
    return undefined;
  return {
    leaf: spine.source.leaf,
    open(outer) {
      const join = spine.open(outer);
      const isRepeat = repeats(steps);
      const project = projection(steps);
      let most: number | undefined;
      let count = 0;
      return {
        get full() {
          return most !== undefined && count >= most;
        },
        *push(row) {
          most ??= (yield* settled(limits.count, outer)) ?? Number.POSITIVE_INFINITY;
          for (const joined of join(row)) {
            if (joined === pause) {
              yield pause;
              continue;
            }
            const env = envOf(joined, outer);
            if (count >= most) continue;
            if (where !== undefined) {
              let passes = attempt(where, env);
              for (; passes === pause; passes = attempt(where, env)) yield pause;
              if (passes !== true) continue;
            }
            let values = attempt(project, env);
            for (; values === pause; values = attempt(project, env)) yield pause;
            if (isRepeat(values)) continue;
            count++;
            yield values;
          }
        },
      };
    },
  };
}
