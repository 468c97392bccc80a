import type { Condition } from '../../../syntax/ast/expression.ts';
import { comparisonType } from '../../../values/precedence.ts';
import { coerce } from '../../evaluate/coerce.ts';
import type { Compiled, Env, Test } from '../../evaluate/compiled.ts';
import type { Context } from '../../evaluate/context.ts';
import { allPrepared, type Prepared, preparedAs } from '../../evaluate/prepared.ts';
import { type Batches, changed, rested } from '../batches.ts';
import { compileTests, conjuncts, passing } from '../row-tests.ts';
import type { Run } from '../run.ts';
import type { SelectScope } from '../scope.ts';
import type { FromNode, Source } from './from.ts';
import { envOf, type JoinRow, merged } from './join-row.ts';
import { type Equality, type Joining, joinedRows, type Sides } from './joined-rows.ts';

/** A compiled FROM. */
export interface JoinTree {
  rows(env: Env): Batches<JoinRow>;
  readonly indexes: readonly number[];
}

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
  return { indexes, rows: (env) => joinedRows(sides, env, context.run) };
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
            yield matches.map((match) => merged(row, match));
          }
          if (!found && type === 'outer apply') yield [row];
          if (turn.isOver) await turn.giveWay();
        }
      }
    },
  };
}

const flipped = ({ equalities, rest }: Joining): Joining => ({
  equalities: equalities.map(({ left, right }) => ({ left: right, right: left })),
  rest,
});

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
