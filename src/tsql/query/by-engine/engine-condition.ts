import { fold } from '../../../base/text/collation.ts';
import {
  type EngineOperator,
  isOneList,
  mostPieces,
  type Predicate,
  type Reference,
} from '../../../procedure/relations/engine-query.ts';
import type { ComparisonOperator, Condition, Expression } from '../../../syntax/ast/expression.ts';
import { hasCall, subqueryDepth } from '../../../syntax/ast/walk.ts';
import { familyOf } from '../../../tds/convert/families.ts';
import type { AnyType } from '../../../tds/types/sql-type.ts';
import { comparisonType } from '../../../values/precedence.ts';
import { coerce } from '../../evaluate/coerce.ts';
import { isNullTest } from '../../evaluate/comparison.ts';
import type { Compiled, Env } from '../../evaluate/compiled.ts';
import { unlessRefused } from '../../evaluate/compiled.ts';
import { answered, type Prepared } from '../../evaluate/prepared.ts';
import { type About, boundAs, type EngineColumn, engineColumn, formFor, referenceTo } from './engine-column.ts';
import { type Floor, floorIn } from './engine-floor.ts';

/** A condition that the engine can test for the rows that it reads. */
export interface EngineCondition {
  /** The sources whose columns it needs. */
  readonly sources: ReadonlySet<number>;
  /** True if the engine's result is exact; otherwise it lets too many rows through. */
  readonly isExact: boolean;
  /** True if it holds for no null-extended row of an outer join. */
  readonly rejectsNull: boolean;
  /** True if the engine reads rows of other relations for it. */
  readonly isNested?: boolean;
  /** The columns that it restricts to one value. */
  readonly fixes: readonly EngineColumn[];
  /** The maximum number of values and comparisons in it. */
  readonly size: number;
  /** The sources of two columns, if it only states that they are equal. */
  readonly links?: readonly [number, number] | undefined;
  /** Inserts values known when the query runs; undefined if that fails, and the interpreter has to report how. */
  build(env: Env): Promise<Predicate | undefined>;
}

/** How deep subqueries may be nested in a constant: each is compiled twice, once for either side. */
const deepest = 2;

/** Nondeterministic functions. */
const unsteady = new Set(['NEWID', 'NEWSEQUENTIALID', 'RAND', 'CRYPT_GEN_RANDOM']);

/** True if an expression or condition has the same result whenever its columns and variables have the same values. */
export const isSteady = (node: Expression | Condition): boolean => !hasCall(node, ({ name }) => unsteady.has(name));

/** A condition over columns of some sources; by default exact, and false for null-extended rows. */
export const conditionOver = (
  sources: Iterable<number>,
  build: EngineCondition['build'],
  more: Partial<EngineCondition> = {},
): EngineCondition => ({
  sources: new Set(sources),
  isExact: true,
  rejectsNull: true,
  fixes: [],
  size: 1,
  build,
  ...more,
});

/** The results of mapping values in order; undefined as soon as one is undefined. */
async function allOf<T, U>(things: readonly T[], of: (thing: T) => Promise<U | undefined>): Promise<U[] | undefined> {
  const found: U[] = [];
  for (const thing of things) {
    const each = await of(thing);
    if (each === undefined) return undefined;
    found.push(each);
  }
  return found;
}

/** Builds conditions; undefined if one of them cannot be built. */
export const allBuilt = (conditions: readonly EngineCondition[], env: Env): Promise<Predicate[] | undefined> =>
  allOf(conditions, (each) => each.build(env));

/**
 * Limits for one condition, and for all of a statement: SQLite accepts expressions up to a depth of 1,000 and some
 * 32,000 values, PostgreSQL twice as many; the interpreter tests the rest.
 */
const mostOfOne = 500;
const mostTogether = 8000;
/** Values of one list that each take a place of their own. */
const mostValues = 2000;

/** How much of a statement's conditions the engine tests. */
const handed = new WeakMap<About['context'], number>();

/** A condition as the engine tests it; undefined if it would test it differently from SQL Server, or cannot. */
export function engineCondition(condition: Condition, about: About): EngineCondition | undefined {
  const found = conditionOf(condition, about);
  if (found === undefined || found.size > mostOfOne) return undefined;
  const together = (handed.get(about.context) ?? 0) + found.size;
  if (together > mostTogether) return undefined;
  handed.set(about.context, together);
  return found;
}

function conditionOf(condition: Condition, about: About): EngineCondition | undefined {
  switch (condition.kind) {
    case 'comparison':
      return isNullTest(condition, about.context)
        ? undefined
        : comparison(condition.operator, condition.left, condition.right, about);
    case 'between':
      return combined('and', [
        comparison('>=', condition.operand, condition.low, about),
        comparison('<=', condition.operand, condition.high, about),
      ]);
    case 'in':
      return inList(condition.operand, condition.list, about);
    case 'isNull':
      return nullTest(condition.operand, about);
    case 'like':
      return prefixTest(condition, about);
    case 'and':
    case 'or':
      return combined(
        condition.kind,
        [condition.left, condition.right].map((each) => conditionOf(each, about)),
      );
    case 'not':
      return negated(conditionOf(condition.operand, about));
    case 'exists':
    case 'inQuery':
      return about.subquery?.(condition, about);
    case 'quantified':
      return undefined;
  }
}

function combined(kind: 'and' | 'or', parts: readonly (EngineCondition | undefined)[]): EngineCondition | undefined {
  const known = parts.filter((part) => part !== undefined);
  const size = known.reduce((sum, each) => sum + each.size, 0);
  if (known.length < parts.length || size > mostOfOne) return undefined;
  return {
    size,
    sources: new Set(known.flatMap(({ sources }) => [...sources])),
    isExact: known.every(({ isExact }) => isExact),
    isNested: known.some(({ isNested }) => isNested),
    rejectsNull: known[kind === 'and' ? 'some' : 'every'](({ rejectsNull }) => rejectsNull),
    fixes: kind === 'and' ? known.flatMap(({ fixes }) => fixes) : [],
    async build(env) {
      const built = await allBuilt(known, env);
      return built && { kind, parts: built };
    },
  };
}

function negated(condition: EngineCondition | undefined): EngineCondition | undefined {
  // The negation of a test that lets too many rows through would let through too few.
  if (condition === undefined || !condition.isExact) return undefined;
  return {
    ...condition,
    rejectsNull: false,
    fixes: [],
    links: undefined,
    async build(env) {
      const part = await condition.build(env);
      return part && { kind: 'not', part };
    },
  };
}

const flipped: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function comparison(
  operator: ComparisonOperator,
  left: Expression,
  right: Expression,
  about: About,
): EngineCondition | undefined {
  const a = engineColumn(left, about);
  const b = engineColumn(right, about);
  if (a !== undefined && b !== undefined) return between(operator, a, b);
  if (a !== undefined) return withConstant(operator, a, right, about);
  return b && withConstant(flipped[operator], b, left, about);
}

function between(operator: EngineOperator, a: EngineColumn, b: EngineColumn): EngineCondition | undefined {
  const common = comparisonType(a.type, b.type, operator);
  const form = formFor(a, common, operator);
  if (form === undefined || formFor(b, common, operator) !== form) return undefined;
  const built: Predicate = { kind: 'compare', operator, left: referenceTo(a, form), right: referenceTo(b, form) };
  return conditionOver(
    [a.source, b.source],
    async () => built,
    operator === '=' ? { links: [a.source, b.source] } : {},
  );
}

function withConstant(
  operator: EngineOperator,
  column: EngineColumn,
  other: Expression,
  about: About,
): EngineCondition | undefined {
  const constant = constantOf(other, column, operator, about);
  if (constant === undefined) return undefined;
  const { form, value } = constant;
  const left = referenceTo(column, form);
  const build = async (env: Env) => {
    const found = await value(env);
    return found && compared(operator, left, found);
  };
  return conditionOver([column.source], build, operator === '=' ? { fixes: [column] } : {});
}

/** The operators for a constant between two values that the column can hold, given the lesser one. */
const aboveFloor = { '<': '<=', '<=': '<=', '>': '>', '>=': '>' } as const;

function compared(operator: EngineOperator, left: Reference, { value, isSame }: Floor): Predicate {
  const test = (sign: EngineOperator): Predicate => ({ kind: 'compare', operator: sign, left, right: { value } });
  if (isSame) return test(operator);
  if (operator !== '=' && operator !== '<>') return test(aboveFloor[operator]);
  // Nothing equals it, and for NULL both are unknown.
  const never: Predicate = { kind: 'and', parts: [test('<'), test('>')] };
  return operator === '=' ? never : { kind: 'not', part: never };
}

/** What a column is compared with, in comparison form; undefined unless it is the same for all rows. */
function constantOf(expression: Expression, column: EngineColumn, operator: EngineOperator, about: About) {
  const found = steady(expression, about);
  if (found === undefined) return undefined;
  const common = comparisonType(column.type, found.compiled.type, operator);
  const own = formFor(column, common, operator);
  const toFloor = own === undefined ? floorIn(column.type, common) : undefined;
  if (own === undefined && toFloor === undefined) return undefined;
  const form = own ?? 'value';
  const { pending } = found;
  const compiled = coerce(found.compiled, common, about.context);
  const value = async (env: Env): Promise<Floor | undefined> => {
    const known = await evaluatedOnce({ compiled, pending }, env);
    if (known !== undefined && known.value !== null && toFloor !== undefined) return toFloor(known.value);
    const bound = known && boundAs(known.value, common, form);
    return bound === undefined ? undefined : { value: bound, isSame: true };
  };
  return { form, value };
}

/** An expression that uses no column of these sources. */
function steady(expression: Expression, about: About): Prepared<Compiled> | undefined {
  const { scope, context } = about;
  if (subqueryDepth(expression) > deepest) return undefined;
  const { result, uses } = tracked(about, () => context.prepared(() => context.expression(expression, scope)));
  if (uses || result.compiled.bare || !isSteady(expression)) return undefined;
  return result;
}

/** Compiles something and returns whether it uses a column that the engine reads. */
function tracked<T>({ scope, around }: About, compile: () => T): { readonly result: T; readonly uses: boolean } {
  const inside = () => (around === undefined ? { result: compile(), uses: false } : tracked(around, compile));
  const { result, used } = scope.tracking(inside);
  return { result: result.result, uses: result.uses || used.size > 0 };
}

async function evaluatedOnce({ compiled, pending }: Prepared<Compiled>, env: Env) {
  await answered(pending, env);
  // Whether it fails depends on whether there is a row.
  return unlessRefused(() => ({ value: compiled.evaluate(env) }));
}

function inList(operand: Expression, items: readonly Expression[], about: About): EngineCondition | undefined {
  const column = engineColumn(operand, about);
  if (column === undefined) return undefined;
  const constants = items.map((item) => constantOf(item, column, '=', about)).filter((each) => each !== undefined);
  const [first] = constants;
  if (first === undefined || constants.length < items.length || constants.some(({ form }) => form !== first.form))
    return undefined;
  const left = referenceTo(column, first.form);
  const build: EngineCondition['build'] = async (env) => {
    const found = await allOf(constants, ({ value }) => value(env));
    if (found?.every(({ isSame }) => isSame)) {
      const values = found.map(({ value }) => value);
      return values.length <= mostValues || isOneList(values) ? { kind: 'in', left, values } : undefined;
    }
    if (found === undefined || found.length > mostOfOne) return undefined;
    return { kind: 'or', parts: found.map((each) => compared('=', left, each)) };
  };
  return conditionOver([column.source], build, { size: Math.min(items.length, mostPieces) });
}

function nullTest(operand: Expression, about: About): EngineCondition | undefined {
  const column = engineColumn(operand, about);
  if (column === undefined) return undefined;
  const built: Predicate = { kind: 'isNull', left: referenceTo(column, 'value') };
  return conditionOver([column.source], async () => built, { rejectsNull: false });
}

/** LIKE 'abc%': the engine searches for texts with that prefix, and the interpreter matches the rest. */
function prefixTest(
  { operand, pattern, escape: escapes }: Condition & { kind: 'like' },
  about: About,
): EngineCondition | undefined {
  const column = engineColumn(operand, about);
  if (column?.stored.key === undefined || escapes !== undefined) return undefined;
  const found = steady(pattern, about);
  if (found === undefined || !isUsualText(column.type) || !isUsualText(found.compiled.type)) return undefined;
  const build: EngineCondition['build'] = async (env) => {
    const known = await evaluatedOnce(found, env);
    const prefix = /^[!-$&-Z\\^`-~ ]*[!-$&-Z\\^`-~](?=[%_[])/.exec(String(known?.value ?? ''))?.[0];
    if (prefix === undefined) return undefined;
    return { kind: 'startsWith', left: referenceTo(column, 'key'), prefix: fold(prefix) };
  };
  return conditionOver([column.source], build, { isExact: false });
}

const isUsualText = (type: AnyType): boolean => familyOf(type.name) === 'text' && type.collation === undefined;
