import { fold } from '../../base/collation.ts';
import {
  type EngineOperator,
  isOneList,
  mostPieces,
  type Predicate,
  type Reference,
} from '../../procedure/engine-query.ts';
import type { ComparisonOperator, Condition, Expression } from '../../syntax/ast/expression.ts';
import { hasCall, subqueryDepth } from '../../syntax/ast/walk.ts';
import { familyOf } from '../../tds/convert/families.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { comparisonType } from '../../values/precedence.ts';
import { coerce } from '../evaluate/coerce.ts';
import { isNullTest } from '../evaluate/comparison.ts';
import type { Compiled, Env } from '../evaluate/compiled.ts';
import { unlessRefused } from '../evaluate/compiled.ts';
import { answered, type Prepared } from '../evaluate/prepared.ts';
import { type About, boundAs, type EngineColumn, engineColumn, formFor, referenceTo } from './engine-column.ts';
import { type Floor, floorIn } from './engine-floor.ts';

/** A condition that the engine can test for the rows that it reads. */
export interface EngineCondition {
  /** The sources whose columns it needs. */
  readonly sources: ReadonlySet<number>;
  /** True when the engine's answer is the condition's; else it lets too many rows through. */
  readonly isExact: boolean;
  /** True when it holds for no row of an outer join that found nothing. */
  readonly rejectsNull: boolean;
  /** True when the engine looks at rows of other relations for it. */
  readonly isNested?: boolean;
  /** The columns that it leaves one value. */
  readonly fixes: readonly EngineColumn[];
  /** How many values and comparisons it is made of, at most. */
  readonly size: number;
  /** The sources of two columns, where it says no more than that they are equal. */
  readonly links?: readonly [number, number] | undefined;
  /** Puts in what is known once the query runs; undefined when that fails, and the interpreter has to say how. */
  build(env: Env): Promise<Predicate | undefined>;
}

/** How deep subqueries may be nested in a constant: each is compiled twice, once for either side. */
const deepest = 2;

/** Functions that answer otherwise each time. */
const unsteady = new Set(['NEWID', 'NEWSEQUENTIALID', 'RAND', 'CRYPT_GEN_RANDOM']);

/** A condition over columns of some sources: an exact one that holds for no missing row, unless more is said. */
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

/** What each of some things comes to, one after the other; undefined as soon as one comes to nothing. */
async function allOf<T, U>(things: readonly T[], of: (thing: T) => Promise<U | undefined>): Promise<U[] | undefined> {
  const found: U[] = [];
  for (const thing of things) {
    const each = await of(thing);
    if (each === undefined) return undefined;
    found.push(each);
  }
  return found;
}

/** Builds conditions; undefined where one of them cannot be. */
export const allBuilt = (conditions: readonly EngineCondition[], env: Env): Promise<Predicate[] | undefined> =>
  allOf(conditions, (each) => each.build(env));

/**
 * What one condition may be made of, and all of a statement: SQLite takes expressions up to a depth of 1,000 and some
 * 32,000 values, PostgreSQL twice as many; what is more the interpreter tests.
 */
const mostOfOne = 500;
const mostTogether = 8000;
/** Values of one list that each take a place of their own. */
const mostValues = 2000;

/** How much of the conditions of a statement the engine tests. */
const handed = new WeakMap<About['context'], number>();

/** A condition as the engine tests it; undefined where it would test it otherwise than SQL Server, or cannot. */
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
  // Where too many rows are let through, too few would be left.
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

/** The operators for a constant between two values that the column can hold, of which the lesser is known. */
const aboveFloor = { '<': '<=', '<=': '<=', '>': '>', '>=': '>' } as const;

function compared(operator: EngineOperator, left: Reference, { value, isSame }: Floor): Predicate {
  const test = (sign: EngineOperator): Predicate => ({ kind: 'compare', operator: sign, left, right: { value } });
  if (isSame) return test(operator);
  if (operator !== '=' && operator !== '<>') return test(aboveFloor[operator]);
  // Nothing is equal to it, and a NULL is neither equal nor not.
  const never: Predicate = { kind: 'and', parts: [test('<'), test('>')] };
  return operator === '=' ? never : { kind: 'not', part: never };
}

/** What a column is compared with, in the form that it is compared in; undefined unless it is the same for all rows. */
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
  if (uses || result.compiled.bare || hasCall(expression, ({ name }) => unsteady.has(name))) return undefined;
  return result;
}

/** Compiles something and tells whether it uses a column of what the engine reads. */
function tracked<T>({ scope, around }: About, compile: () => T): { readonly result: T; readonly uses: boolean } {
  const inside = () => (around === undefined ? { result: compile(), uses: false } : tracked(around, compile));
  const { result, used } = scope.tracking(inside);
  return { result: result.result, uses: result.uses || used.size > 0 };
}

async function evaluatedOnce({ compiled, pending }: Prepared<Compiled>, env: Env) {
  await answered(pending, env);
  // Whether it fails depends on there being a row.
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

/** LIKE 'abc%': the engine looks for texts that begin so, and the interpreter matches what is left. */
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
