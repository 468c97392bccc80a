import type { Steps } from '../../base/threads/steps.ts';
import type { ComparisonOperator, Condition } from '../../syntax/ast/expression.ts';
import { compareSteps, compareValues } from '../../values/compare.ts';
import { comparisonType } from '../../values/precedence.ts';
import { coerce } from './coerce.ts';
import type { Compiled, Test } from './compiled.ts';
import type { Context } from './context.ts';
import { madeInSteps, madeOf } from './long-work.ts';

const holds: Record<ComparisonOperator, (order: number) => boolean> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Compares two expressions in their common type. */
export function compareTest(operator: ComparisonOperator, left: Compiled, right: Compiled, context: Context): Test {
  const { type, a, b } = alike(operator, left, right, context);
  const test = holds[operator];
  return madeOf(
    [a, b],
    context,
    ([x, y]) => (x === null || y === null ? null : test(compareValues(x, y, type))),
    function* ([x, y]) {
      return x === null || y === null ? null : test(yield* compareSteps(x, y, type));
    },
  );
}

/** True for operands that ANSI_NULLS OFF compares differently: a literal NULL or a variable may equal NULL. */
export function isNullTest({ operator, left, right }: Condition & { kind: 'comparison' }, { frame }: Context): boolean {
  if (frame.host.options.ansiNulls || (operator !== '=' && operator !== '<>')) return false;
  return [left, right].some((side) => side.kind === 'variable' || (side.kind === 'literal' && side.value === null));
}

/** Compares two expressions where NULL is equal to NULL, as ANSI_NULLS OFF has it. */
export function nullsAlike(operator: ComparisonOperator, left: Compiled, right: Compiled, context: Context): Test {
  const { type, a, b } = alike(operator, left, right, context);
  function* steps([x, y]: readonly unknown[]): Steps<boolean> {
    const equal = x === null || y === null ? x === y : (yield* compareSteps(x, y, type)) === 0;
    return equal === (operator === '=');
  }
  return madeInSteps([a, b], context, steps);
}

function alike(operator: string, left: Compiled, right: Compiled, context: Context) {
  const a = left.bare ? { ...left, type: right.type } : left;
  const b = right.bare ? { ...right, type: left.type } : right;
  const type = comparisonType(a.type, b.type, operator);
  return { type, a: coerce(a, type, context), b: coerce(b, type, context) };
}
