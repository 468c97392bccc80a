import { sqlError } from '../../base/messages/sql-error.ts';
import type { Turn } from '../../base/threads/turn.ts';
import type { Argument } from '../../procedure/run/bind.ts';
import type { Executed, OutputValue } from '../../procedure/run/executed.ts';
import type { PreparedParam } from '../../syntax/ast/statement.ts';
import { convert } from '../../tds/convert/convert.ts';
import { familyOf } from '../../tds/convert/families.ts';
import { int } from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { convertInTurns } from '../../values/convert-in-turns.ts';
import type { Frame } from '../frame.ts';
import type { StatementSink } from '../statement-sink.ts';
import type { Interpreter } from '../statements/completion.ts';

/** The call of one of the interpreter's own procedures. */
export interface SpecialCall {
  readonly args: readonly Argument[];
  readonly caller: Frame;
  readonly sink: StatementSink;
  readonly interpreter: Interpreter;
  /** The database in the procedure's name, if given. */
  readonly database?: string;
}
export type SpecialProcedure = (call: SpecialCall) => Promise<Executed>;

export const done: Executed = { status: 0, outputs: [] };

/** The text of an argument: 214 if it has none. */
export function textOf(arg: Argument | undefined, parameter: string): string {
  if (arg === undefined || (arg.value !== null && familyOf(arg.type.name) !== 'text'))
    throw sqlError(214, parameter, 'ntext/nchar/nvarchar');
  return arg.value === null ? '' : String(arg.value);
}

/** The handle in an argument: 214 if it has none. */
export function handleOf(arg: Argument | undefined, parameter = '@handle'): number {
  if (arg === undefined || arg.value === null) throw sqlError(214, parameter, 'int');
  return Number(convert(arg.value, arg.type, int));
}

/** An optional number. */
export const numberOf = (arg: Argument | undefined, otherwise: number): number =>
  arg === undefined || arg.value === null || arg.byDefault ? otherwise : Number(convert(arg.value, arg.type, int));

/** Returns an int through the output argument at that index; no effect if the caller did not request it. */
export function intOutput(args: readonly Argument[], argument: number, value: number, name = ''): OutputValue[] {
  const arg = args[argument];
  return arg?.output ? [{ name: arg.name || name, type: int, value, argument }] : [];
}

/** The final values of a frame's parameters, for the output arguments; `given` are the indexes of those. */
export const outputsOf = (
  params: readonly PreparedParam[],
  given: readonly (number | undefined)[],
  args: readonly Argument[],
  frame: Frame,
): OutputValue[] =>
  params.flatMap(({ name, type, output }, at) => {
    const argument = given[at];
    if (argument === undefined || !args[argument]?.output || !output) return [];
    return [{ name, type, value: frame.variable(name).value, argument }];
  });

/**
 * A value converted to the parameter's type: text is truncated and xml normalized as in a T-SQL variable; any other
 * failure is 8114.
 */
export function toParameter(arg: Argument, type: AnyType, turn: Turn): unknown {
  const text = ['text', 'bytes', 'xml'].includes(familyOf(type.name));
  const { dateOrder = 'mdy' } = arg;
  return convertInTurns(arg.value, arg.type, type, { implicit: true, expression: text, dateOrder }, turn);
}
