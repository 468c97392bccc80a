import { ownValue } from '../../base/text/own-part.ts';
import type { Expression } from '../../syntax/ast/expression.ts';
import type { AnyType, TypedValue } from '../../tds/types/sql-type.ts';
import { convertInTurns } from '../../values/convert-in-turns.ts';
import { coerce } from '../evaluate/coerce.ts';
import { preparedAs } from '../evaluate/prepared.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame, Variable } from '../frame.ts';
import { evaluateOnce } from '../query/read.ts';
import { emptyScope } from '../query/scope.ts';

/** The value of an expression outside a query, with its type. */
export async function evaluate(expression: Expression, frame: Frame): Promise<TypedValue> {
  const context = await StatementContext.of(frame, expression);
  const prepared = context.prepared(() => context.expression(expression, emptyScope));
  return {
    type: prepared.compiled.type,
    value: await evaluateOnce(
      preparedAs(prepared, ({ evaluate: of }) => of),
      context,
    ),
  };
}

/** Assigns a value of any type; returns a promise if others get their turn. xml from T-SQL is already normalized. */
export function give(
  variable: Variable,
  value: unknown,
  from: AnyType,
  { host, turn }: Frame,
): Promise<void> | undefined {
  const how = { implicit: true, expression: true, dateOrder: host.options.dateFormat };
  const isAlike = from.name === 'xml' && variable.type.name === 'xml';
  const given = isAlike ? value : convertInTurns(value, from, variable.type, how, turn);
  const take = (made: unknown): void => {
    variable.value = ownValue(made);
  };
  return given instanceof Promise ? given.then(take) : void take(given);
}

/** Reports that a variable got its value: to SQL Server, SET and DECLARE with a value are a SELECT of one row. */
export function assigned({ host, sink }: Frame): void {
  host.state.rowCount = 1;
  sink.done({ command: 'select', count: 1 });
}

/** The value of an expression outside a query, converted to a type. */
export async function evaluateAs(expression: Expression, type: AnyType, frame: Frame): Promise<unknown> {
  const context = await StatementContext.of(frame, expression);
  const prepared = context.prepared(() => coerce(context.expression(expression, emptyScope), type, context));
  return evaluateOnce(
    preparedAs(prepared, ({ evaluate: of }) => of),
    context,
  );
}
