import type { Condition } from '../ast/expression.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { Compiled, Env, Test } from '../evaluate/compiled.ts';
import type { Context } from '../evaluate/context.ts';
import { keyOf } from '../values/key.ts';
import { comparisonType } from '../values/precedence.ts';
import type { FromNode, Source } from './from.ts';
import { attempt, gathered, isTurnOver, type Pause, pause, settled } from './pause.ts';
import type { SelectScope } from './scope.ts';

/** One row of each source; null where an outer join found none, or for a source of another branch. */
export type JoinRow = readonly (readonly unknown[] | null)[];

/** FROM ready to run. */
export interface JoinTree {
  rows(env: Env): Iterable<JoinRow | Pause>;
  /** Present when the rows of the first source can be joined one by one as they come. */
  readonly spine?: { readonly source: Source; open(env: Env): (row: readonly unknown[]) => Iterable<JoinRow | Pause> };
  readonly indexes: readonly number[];
}

/** An equality between the two sides of a join. */
interface Equality {
  readonly left: Compiled;
  readonly right: Compiled;
}

interface Joining {
  readonly equalities: readonly Equality[];
  readonly rest: Test | undefined;
}

export const envOf = (rows: JoinRow, outer: Env): Env => ({ rows, groups: [], windows: [], outer });

/** The parts of a condition that AND holds together. */
export function conjuncts(condition: Condition | undefined): Condition[] {
  if (condition === undefined) return [];
  return condition.kind === 'and' ? [...conjuncts(condition.left), ...conjuncts(condition.right)] : [condition];
}

/** Compiles a tree of joins; `where` lends its equalities to the cross joins that commas make. */
export function compileJoins(
  node: FromNode,
  scope: SelectScope,
  context: Context,
  where: readonly Condition[],
): JoinTree {
  if (node.kind === 'source') return sourceTree(node.source, scope.sources.length);
  const left = compileJoins(node.left, scope, context, node.type === 'cross' ? where : []);
  const right = compileJoins(node.right, scope, context, []);
  if (node.type === 'cross apply' || node.type === 'outer apply') return applied(left, right, node.type);
  const conditions =
    node.type === 'cross'
      ? where.filter((each) => each.kind === 'comparison' && each.operator === '=')
      : conjuncts(node.on);
  const joining = split(conditions, left.indexes, right.indexes, scope, context, node.type === 'cross');
  const indexes = [...left.indexes, ...right.indexes];
  if (node.type === 'right') return { indexes, rows: (env) => outerRows(right, left, flipped(joining), env) };
  if (node.type === 'full') return { indexes, rows: (env) => fullRows(left, right, joining, env) };
  return spineTree(left, right, joining, node.type === 'left', indexes);
}

function sourceTree(source: Source, width: number): JoinTree {
  const place = (row: readonly unknown[]): JoinRow => {
    const rows: (readonly unknown[] | null)[] = new Array(width).fill(null);
    rows[source.index] = row;
    return rows;
  };
  return {
    indexes: [source.index],
    *rows(env) {
      for (const row of source.rows(env)) {
        yield row === pause ? pause : place(row);
        if (isTurnOver()) yield pause;
      }
    },
    spine: { source, open: () => (row) => [place(row)] },
  };
}

function spineTree(
  left: JoinTree,
  right: JoinTree,
  joining: Joining,
  keepLeft: boolean,
  indexes: readonly number[],
): JoinTree {
  const { spine } = left;
  const rows = (env: Env) => outerOrInner(left.rows(env), right, joining, keepLeft, env);
  if (spine === undefined) return { indexes, rows };
  return {
    indexes,
    rows,
    spine: {
      source: spine.source,
      open(env) {
        const before = spine.open(env);
        let match: Matcher | undefined;
        return function* (row) {
          match ??= yield* matcher(right, joining, env);
          for (const joined of before(row)) {
            if (joined === pause) yield pause;
            else yield* matched(joined, match, keepLeft);
          }
        };
      },
    },
  };
}

/** APPLY runs its right side anew for every row of its left. */
function applied(left: JoinTree, right: JoinTree, type: 'cross apply' | 'outer apply'): JoinTree {
  return {
    indexes: [...left.indexes, ...right.indexes],
    *rows(env) {
      for (const row of left.rows(env)) {
        if (row === pause) {
          yield pause;
          continue;
        }
        const around = envOf(row, env);
        const match = function* () {
          for (const candidate of right.rows(around)) yield candidate === pause ? pause : merge(row, candidate);
        };
        yield* matched(row, { match }, type === 'outer apply');
      }
    },
  };
}

function* outerOrInner(
  rows: Iterable<JoinRow | Pause>,
  right: JoinTree,
  joining: Joining,
  keepLeft: boolean,
  env: Env,
): Generator<JoinRow | Pause> {
  const matches = yield* matcher(right, joining, env);
  for (const row of rows) {
    if (row === pause) yield pause;
    else yield* matched(row, matches, keepLeft);
  }
}

function* matched(row: JoinRow, { match }: Pick<Matcher, 'match'>, keepLeft: boolean): Generator<JoinRow | Pause> {
  let found = false;
  for (const joined of match(row)) {
    found ||= joined !== pause;
    yield joined;
  }
  if (!found && keepLeft) yield row;
}

/** RIGHT JOIN is LEFT JOIN from the other side. */
const outerRows = (kept: JoinTree, other: JoinTree, joining: Joining, env: Env): Iterable<JoinRow | Pause> =>
  outerOrInner(kept.rows(env), other, joining, true, env);

const flipped = ({ equalities, rest }: Joining): Joining => ({
  equalities: equalities.map(({ left, right }) => ({ left: right, right: left })),
  rest,
});

function* fullRows(left: JoinTree, right: JoinTree, joining: Joining, env: Env): Generator<JoinRow | Pause> {
  const seen = new Set<JoinRow>();
  const matches = yield* matcher(right, joining, env, seen);
  for (const row of left.rows(env)) {
    if (row === pause) yield pause;
    else yield* matched(row, matches, true);
  }
  for (const row of matches.all) if (!seen.has(row)) yield row;
}

/** Finds the rows of the right side that go with one of the left. */
interface Matcher {
  match(left: JoinRow): Iterable<JoinRow | Pause>;
  /** All rows of the right side. */
  readonly all: readonly JoinRow[];
}

/** Matches by hash where there is an equality, else by trying all. */
function* matcher(
  right: JoinTree,
  { equalities, rest }: Joining,
  env: Env,
  seen?: Set<JoinRow>,
): Generator<Pause, Matcher> {
  const all = yield* gathered(right.rows(env));
  const keyOfLeft = keyMaker(equalities.map((each) => each.left));
  const byKey = equalities.length === 0 ? undefined : yield* index(all, equalities, env);
  return {
    all,
    *match(left) {
      let candidates: readonly JoinRow[] = all;
      if (byKey !== undefined) {
        const key = yield* settled(keyOfLeft, envOf(left, env));
        candidates = key === undefined ? [] : (byKey.get(key) ?? []);
      }
      for (const candidate of candidates) {
        if (isTurnOver()) yield pause;
        const joined = merge(left, candidate);
        if (rest !== undefined) {
          const around = envOf(joined, env);
          let passes = attempt(rest, around);
          for (; passes === pause; passes = attempt(rest, around)) yield pause;
          if (passes !== true) continue;
        }
        seen?.add(candidate);
        yield joined;
      }
    },
  };
}

function* index(
  rows: readonly JoinRow[],
  equalities: readonly Equality[],
  env: Env,
): Generator<Pause, Map<string, JoinRow[]>> {
  const keyOfRight = keyMaker(equalities.map((each) => each.right));
  const map = new Map<string, JoinRow[]>();
  for (const row of rows) {
    if (isTurnOver()) yield pause;
    const key = yield* settled(keyOfRight, envOf(row, env));
    if (key === undefined) continue;
    const list = map.get(key);
    if (list === undefined) map.set(key, [row]);
    else list.push(row);
  }
  return map;
}

/** The key of a row by one side of the equalities; undefined when a value is NULL, which equals nothing. */
const keyMaker =
  (sides: readonly Compiled[]) =>
  (env: Env): string | undefined => {
    const values = sides.map((side) => [side.evaluate(env), side.type] as const);
    return values.some(([value]) => value === null) ? undefined : keyOf(values);
  };

const merge = (a: JoinRow, b: JoinRow): JoinRow => a.map((row, at) => row ?? b[at] ?? null);

/** Parts a join's conditions into equalities between its sides and the rest. */
function split(
  conditions: readonly Condition[],
  left: readonly number[],
  right: readonly number[],
  scope: SelectScope,
  context: Context,
  equalitiesOnly: boolean,
): Joining {
  const equalities: Equality[] = [];
  const rest: Test[] = [];
  for (const condition of conditions) {
    const equality = equalityOf(condition, left, right, scope, context);
    if (equality !== undefined) equalities.push(equality);
    else if (!equalitiesOnly) rest.push(context.condition(condition, scope));
  }
  return { equalities, rest: rest.length === 0 ? undefined : (env) => rest.every((test) => test(env) === true) };
}

function equalityOf(
  condition: Condition,
  left: readonly number[],
  right: readonly number[],
  scope: SelectScope,
  context: Context,
): Equality | undefined {
  if (condition.kind !== 'comparison' || condition.operator !== '=') return undefined;
  const a = scope.tracking(() => context.expression(condition.left, scope));
  const b = scope.tracking(() => context.expression(condition.right, scope));
  const within = (used: ReadonlySet<number>, indexes: readonly number[]) =>
    used.size > 0 && [...used].every((each) => indexes.includes(each));
  const straight = within(a.used, left) && within(b.used, right);
  if (!straight && !(within(a.used, right) && within(b.used, left))) return undefined;
  const type = comparisonType(a.result.type, b.result.type, '=');
  if (type.name === 'sql_variant') return undefined;
  // Keys are made as the common type has it, its collation above all.
  const x: Compiled = { ...coerce(a.result, type, context), type };
  const y: Compiled = { ...coerce(b.result, type, context), type };
  return straight ? { left: x, right: y } : { left: y, right: x };
}
