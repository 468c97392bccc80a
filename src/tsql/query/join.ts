import type { MemoryBudget } from '../../base/memory-budget.ts';
import type { Turn } from '../../base/turn.ts';
import type { Condition } from '../../syntax/ast/expression.ts';
import { comparisonType } from '../../values/precedence.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { Compiled, Env, Test } from '../evaluate/compiled.ts';
import type { Context, Scope } from '../evaluate/context.ts';
import { allPrepared, answered, type Prepared, preparedAs } from '../evaluate/prepared.ts';
import { type Batches, batchSize, changed, evaluated, rested } from './batches.ts';
import type { FromNode, Source } from './from.ts';
import { gathered, hold, keyInTurns, type Run, sizeOf } from './run.ts';
import type { SelectScope } from './scope.ts';

/** One row of each source; null where an outer join found none, or for a source of another branch. */
export type JoinRow = readonly (readonly unknown[] | null)[];

/** A compiled FROM. */
export interface JoinTree {
  rows(env: Env): Batches<JoinRow>;
  readonly indexes: readonly number[];
}

/** An equality between the two sides of a join. */
interface Equality {
  readonly left: Prepared<Compiled>;
  readonly right: Prepared<Compiled>;
}

interface Joining {
  readonly equalities: readonly Equality[];
  readonly rest: Prepared<Test> | undefined;
}

export const envOf = (rows: JoinRow, outer: Env): Env => ({ rows, groups: [], windows: [], outer });

/**
 * Estimates the memory for holding rows of FROM. Rows of tables in memory exist anyway, and the row of a source that
 * was joined with many is counted once.
 */
export function joinRowSizer(sources: readonly Source[]): (row: JoinRow) => number {
  const own = sources.filter(({ table }) => table === undefined).map(({ index }) => index);
  const counted = sources.length > 1 ? new Set<unknown>() : undefined;
  const sizeOnce = (values: unknown): number => {
    if (counted?.has(values)) return 0;
    counted?.add(values);
    return sizeOf(values);
  };
  return (row) => own.reduce((sum, at) => sum + sizeOnce(row[at]), 64 + 8 * row.length);
}

type Join = Extract<FromNode, { kind: 'join' }>;

/** The joins of a FROM, the outermost first; one list takes them all, as there may be hundreds. */
export function joinsOf(tree: FromNode, joins: Join[] = []): Join[] {
  if (tree.kind === 'source') return joins;
  joins.push(tree);
  return joinsOf(tree.right, joinsOf(tree.left, joins));
}

/** The places of its sources. */
export function indexesOf(tree: FromNode, indexes: number[] = []): number[] {
  if (tree.kind === 'join') return indexesOf(tree.right, indexesOf(tree.left, indexes));
  indexes.push(tree.source.index);
  return indexes;
}

/** The conjuncts of a condition. */
export function conjuncts(condition: Condition | undefined): Condition[] {
  if (condition === undefined) return [];
  return condition.kind === 'and' ? [...conjuncts(condition.left), ...conjuncts(condition.right)] : [condition];
}

/** Conditions that a row has to pass one by one; those with subqueries come last, for rows that passed the others. */
export function compileTests(
  conditions: readonly Condition[],
  scope: Scope,
  context: Context,
): readonly Prepared<Test>[] {
  return inTurn(conditions.map((each) => context.prepared(() => context.condition(each, scope))));
}

/** Tests in evaluation order. */
export const inTurn = (tests: readonly Prepared<Test>[]): readonly Prepared<Test>[] => [
  ...tests.filter(({ pending }) => pending.length === 0),
  ...tests.filter(({ pending }) => pending.length > 0),
];

/** How many tests are chained on one stack. */
const testsInARow = 32;

const keepPassed = (passes: boolean | null, env: Env, kept: Env[]): void => {
  if (passes === true) kept.push(env);
};

/** The rows that pass all of some tests. */
export const passing = (rows: Batches<Env>, tests: readonly Prepared<Test>[], { turn }: Run): Batches<Env> =>
  tests.reduce((left, test, at) => {
    const before = at % testsInARow === testsInARow - 1 ? rested(left) : left;
    return evaluated(before, test, keepPassed, turn);
  }, rows);

/** Rows of FROM that pass WHERE. */
export async function* fromRows(
  tree: JoinTree | undefined,
  where: readonly Prepared<Test>[],
  outer: Env,
  run: Run,
): AsyncGenerator<readonly Env[]> {
  const rows = tree === undefined ? nothing(outer) : changed(tree.rows(outer), (row) => envOf(row, outer));
  yield* passing(rows, where, run);
}

/** SELECT without FROM has one empty row. */
async function* nothing(outer: Env): AsyncGenerator<readonly Env[]> {
  yield [envOf([], outer)];
}

/** Compiles a tree of joins; `where` provides equalities for the cross joins that commas create. */
export function compileJoins(
  node: FromNode,
  sources: readonly Source[],
  scope: SelectScope,
  context: Context,
  where: readonly Condition[],
): JoinTree {
  const isCross = node.kind === 'join' && node.type === 'cross';
  // They are compiled once for all of these joins: each belongs to at most one of them.
  const lent = isCross ? where.flatMap((each) => equalSides(each, scope, context) ?? []) : [];
  return joinTree(node, sources, scope, context, lent);
}

function joinTree(
  node: FromNode,
  sources: readonly Source[],
  scope: SelectScope,
  context: Context,
  lent: readonly EqualSides[],
): JoinTree {
  if (node.kind === 'source') return sourceTree(node.source, scope.sources.length);
  const left = joinTree(node.left, sources, scope, context, node.type === 'cross' ? lent : []);
  const right = joinTree(node.right, sources, scope, context, []);
  if (node.type === 'cross apply' || node.type === 'outer apply') return applied(left, right, node.type, context.run);
  const across = acrossFrom(left.indexes, right.indexes, context);
  const joining =
    node.type === 'cross'
      ? { equalities: lent.flatMap((each) => across(each) ?? []), rest: undefined }
      : split(conjuncts(node.on), across, scope, context);
  const indexes = [...left.indexes, ...right.indexes];
  const keepsLeft = node.type === 'left' || node.type === 'full';
  // RIGHT JOIN is LEFT JOIN with its sides swapped.
  const sides: Sides =
    node.type === 'right'
      ? { left: right, right: left, joining: flipped(joining), keepsLeft: true, keepsRight: false, sources }
      : { left, right, joining, keepsLeft, keepsRight: node.type === 'full', sources };
  return { indexes, rows: (env) => joined(sides, env, context.run) };
}

function sourceTree(source: Source, width: number): JoinTree {
  const place = (row: readonly unknown[]): JoinRow => {
    if (width === 1) return [row];
    const rows: (readonly unknown[] | null)[] = new Array(width).fill(null);
    rows[source.index] = row;
    return rows;
  };
  return { indexes: [source.index], rows: (env) => changed(source.rows(env), place) };
}

/** APPLY runs its right side again for every row of its left. */
function applied(left: JoinTree, right: JoinTree, type: 'cross apply' | 'outer apply', { turn }: Run): JoinTree {
  return {
    indexes: [...left.indexes, ...right.indexes],
    async *rows(env) {
      for await (const batch of rested(left.rows(env))) {
        for (const row of batch) {
          let found = false;
          for await (const matches of right.rows(envOf(row, env))) {
            found ||= matches.length > 0;
            yield matches.map((match) => merge(row, match));
          }
          if (!found && type === 'outer apply') yield [row];
          if (turn.isOver) await turn.giveWay();
        }
      }
    },
  };
}

interface Sides {
  readonly left: JoinTree;
  readonly right: JoinTree;
  readonly joining: Joining;
  readonly keepsLeft: boolean;
  readonly keepsRight: boolean;
  readonly sources: readonly Source[];
}

const flipped = ({ equalities, rest }: Joining): Joining => ({
  equalities: equalities.map(({ left, right }) => ({ left: right, right: left })),
  rest,
});

/** Holds the right side and streams the left: a hash join if there is an equality, otherwise a nested loop. */
async function* joined(sides: Sides, env: Env, run: Run): AsyncGenerator<readonly JoinRow[]> {
  const { left, right, keepsLeft, keepsRight } = sides;
  const { equalities, rest } = sides.joining;
  const { turn } = run;
  using held = hold(run);
  const all = await gathered(right.rows(env), held, turn, joinRowSizer(sides.sources));
  // Each of many tables may have been made in one go.
  if (turn.isOver) await turn.giveWay();
  const keyOfLeft = keyMaker(
    equalities.map((each) => each.left),
    turn,
  );
  const byKey = equalities.length === 0 ? undefined : await index(all, equalities, env, held, run);
  const seen = keepsRight ? new Set<JoinRow>() : undefined;
  let out: JoinRow[] = [];
  let steps = 0;
  const passed = async (both: JoinRow): Promise<boolean> => {
    if (rest === undefined) return true;
    const around = envOf(both, env);
    await answered(rest.pending, around);
    return rest.compiled(around) === true;
  };
  try {
    for await (const batch of rested(left.rows(env))) {
      for (const row of batch) {
        let candidates: readonly JoinRow[] = all;
        if (byKey !== undefined) {
          const around = envOf(row, env);
          if (keyOfLeft.pending.length > 0) await answered(keyOfLeft.pending, around);
          const made = keyOfLeft.compiled(around);
          const key = made instanceof Promise ? await made : made;
          candidates = key === undefined ? [] : (byKey.get(key) ?? []);
        }
        let found = false;
        for (const candidate of candidates) {
          if (++steps % 16 === 0 && turn.isOver) await turn.giveWay();
          const both = merge(row, candidate);
          if (rest !== undefined) {
            const passes = rest.pending.length > 0 ? await passed(both) : rest.compiled(envOf(both, env)) === true;
            if (!passes) continue;
          }
          found = true;
          seen?.add(candidate);
          out.push(both);
          if (out.length < batchSize) continue;
          yield out;
          out = [];
        }
        if (!found && keepsLeft) out.push(row);
      }
      if (out.length > 0) yield out;
      out = [];
      if (turn.isOver) await turn.giveWay();
    }
  } catch (error) {
    if (out.length > 0) yield out;
    throw error;
  }
  if (seen !== undefined) yield all.filter((row) => !seen.has(row));
}

async function index(
  rows: readonly JoinRow[],
  equalities: readonly Equality[],
  env: Env,
  held: MemoryBudget,
  { turn }: Run,
): Promise<Map<string, JoinRow[]>> {
  const keyOfRight = keyMaker(
    equalities.map((each) => each.right),
    turn,
  );
  const map = new Map<string, JoinRow[]>();
  let steps = 0;
  for (const row of rows) {
    if (++steps % 16 === 0 && turn.isOver) await turn.giveWay();
    const around = envOf(row, env);
    if (keyOfRight.pending.length > 0) await answered(keyOfRight.pending, around);
    const made = keyOfRight.compiled(around);
    const key = made instanceof Promise ? await made : made;
    if (key === undefined) continue;
    const list = map.get(key);
    if (list !== undefined) list.push(row);
    else {
      held.grow(sizeOf(key));
      map.set(key, [row]);
    }
  }
  return map;
}

/** The key of a row by one side of the equalities; undefined when a value is NULL, which equals nothing. */
const keyMaker = (
  sides: readonly Prepared<Compiled>[],
  turn: Turn,
): Prepared<(env: Env) => string | Promise<string> | undefined> =>
  preparedAs(allPrepared(sides), (all) => (env: Env) => {
    const values = all.map((side) => [side.evaluate(env), side.type] as const);
    return values.some(([value]) => value === null) ? undefined : keyInTurns(values, turn);
  });

const merge = (a: JoinRow, b: JoinRow): JoinRow => a.map((row, at) => row ?? b[at] ?? null);

/** Splits a join's conditions into equalities between its sides and the rest. */
function split(
  conditions: readonly Condition[],
  across: (sides: EqualSides) => Equality | undefined,
  scope: SelectScope,
  context: Context,
): Joining {
  const equalities: Equality[] = [];
  const others: Condition[] = [];
  for (const condition of conditions) {
    const sides = equalSides(condition, scope, context);
    const equality = sides && across(sides);
    if (equality !== undefined) equalities.push(equality);
    else others.push(condition);
  }
  const rest = allPrepared(compileTests(others, scope, context));
  const all = (tests: readonly Test[]) => (env: Env) => tests.every((each) => each(env) === true);
  return { equalities, rest: others.length === 0 ? undefined : preparedAs(rest, all) };
}

/** What an equality compares, and the sources of each side. */
interface EqualSides {
  readonly a: Side;
  readonly b: Side;
}
interface Side {
  readonly result: Prepared<Compiled>;
  readonly used: ReadonlySet<number>;
}

function equalSides(condition: Condition, scope: SelectScope, context: Context): EqualSides | undefined {
  if (condition.kind !== 'comparison' || condition.operator !== '=') return undefined;
  const side = (expression: (typeof condition)['left']): Side =>
    scope.tracking(() => context.prepared(() => context.expression(expression, scope)));
  return { a: side(condition.left), b: side(condition.right) };
}

/** Determines which equalities hold between the two sides of a join. */
function acrossFrom(
  left: readonly number[],
  right: readonly number[],
  context: Context,
): (sides: EqualSides) => Equality | undefined {
  // Made when they are asked for: of hundreds of tables most are joined without an equality.
  let sets: readonly [ReadonlySet<number>, ReadonlySet<number>] | undefined;
  const within = ({ used }: Side, indexes: ReadonlySet<number>) => used.size > 0 && used.isSubsetOf(indexes);
  return ({ a, b }) => {
    sets ??= [new Set(left), new Set(right)];
    const [ofLeft, ofRight] = sets;
    const straight = within(a, ofLeft) && within(b, ofRight);
    if (!straight && !(within(a, ofRight) && within(b, ofLeft))) return undefined;
    const type = comparisonType(a.result.compiled.type, b.result.compiled.type, '=');
    if (type.name === 'sql_variant') return undefined;
    // Keys are built in the common type, above all in its collation.
    const keyed = (prepared: Prepared<Compiled>) =>
      preparedAs(prepared, (compiled): Compiled => ({ ...coerce(compiled, type, context), type }));
    const [x, y] = [keyed(a.result), keyed(b.result)];
    return straight ? { left: x, right: y } : { left: y, right: x };
  };
}
