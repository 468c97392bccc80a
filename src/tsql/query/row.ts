import type { Expression, FunctionCall } from '../../syntax/ast/expression.ts';
import type { Select } from '../../syntax/ast/query.ts';
import type { Env } from '../evaluate/compiled.ts';
import type { Context } from '../evaluate/context.ts';
import { preparedAs } from '../evaluate/prepared.ts';
import { aggregateNames } from '../functions/aggregate-names.ts';
import { functions } from '../functions/functions.ts';
import { evaluated, inBatches, keepValue } from './batches.ts';
import type { ValueItem } from './origin.ts';
import type { Plan } from './plan.ts';
import { emptyScope } from './scope.ts';
import { mostColumns, planColumn } from './select-list.ts';

/** The compilation cost of such a SELECT, besides its values. */
const effortOfRow = 12;

/** A SELECT of a UNION that is one row of constants and expressions of them, as used to write rows for an insert. */
interface RowSelect extends Select {
  readonly items: readonly ValueItem[];
}

export const isRow = (select: Select): select is RowSelect =>
  select.from.length === 0 &&
  select.groupBy.length === 0 &&
  !select.distinct &&
  select.top === undefined &&
  select.where === undefined &&
  select.having === undefined &&
  select.items.length <= mostColumns &&
  select.items.every((item) => item.kind === 'value' && isConstant(item.expression));

function isConstant(expression: Expression): boolean {
  switch (expression.kind) {
    case 'literal':
    case 'variable':
      return true;
    case 'unary':
    case 'collate':
      return isConstant(expression.operand);
    case 'cast':
      return isConstant(expression.operand) && (expression.style === undefined || isConstant(expression.style));
    case 'binary':
      return isConstant(expression.left) && isConstant(expression.right);
    case 'call':
      return isFunction(expression) && expression.args.every(isConstant);
    default:
      return false;
  }
}

const isFunction = ({ name, over }: FunctionCall): boolean =>
  over === undefined && name in functions && !aggregateNames.has(name);

/** Compiles it: a statement may contain thousands, and they use few features of a SELECT. */
export function compileRow({ items }: RowSelect, context: Context): Plan {
  context.spend(effortOfRow);
  const compile = (item: ValueItem) => ({ item, value: context.expression(item.expression, emptyScope) });
  const values = context.prepared(() => items.map(compile));
  const row = preparedAs(values, (all) => (env: Env) => all.map(({ value }) => value.evaluate(env)));
  return {
    columns: values.compiled.map(({ item, value }) => planColumn(value, item)),
    correlated: false,
    rows: (env) => evaluated(inBatches([env]), row, keepValue, context.run.turn),
  };
}
