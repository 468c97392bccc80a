import { sqlError } from '../../base/messages/sql-error.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import { parseObjectName } from '../../procedure/object-name.ts';
import type { Argument } from '../../procedure/run/bind.ts';
import type { Executed } from '../../procedure/run/executed.ts';
import type { Execute, ExecuteArgument, ExecuteText } from '../../syntax/ast/statement.ts';
import * as t from '../../tds/types/index.ts';
import { tableType } from '../../tds/types/table-type.ts';
import type { Frame } from '../frame.ts';
import type { StatementSink } from '../statement-sink.ts';
import { evaluate, evaluateAs, give } from './assign.ts';
import { type Completion, type Interpreter, next } from './completion.ts';
import { Failure, unlessAborted } from './failure.ts';
import { beginImplicitly } from './transaction.ts';

/** EXEC of a procedure: arguments in, output values and the return code into variables. */
export async function runExecute(
  statement: Execute,
  frame: Frame,
  interpreter: Interpreter,
  sink: StatementSink = frame.sink,
): Promise<Completion> {
  const name = await procedureName(statement, frame);
  const args: Argument[] = [];
  for (const arg of statement.args) args.push(await argument(arg, frame));
  await beginImplicitly(frame);
  frame.host.state.error = 0;
  try {
    const executed = await unlessAborted(() => interpreter.call(name, args, frame, sink));
    if (executed === undefined) return next;
    await takeOutputs(statement, executed, frame);
    takeStatus(statement, executed.status, frame);
  } catch (error) {
    // A procedure that an error ended also returns a status, unless a CATCH block handles the error.
    if (error instanceof Failure && !error.isTold && !frame.inTry)
      takeStatus(statement, error.error.returnStatus, frame);
    throw error;
  }
  return next;
}

function takeStatus({ result }: Execute, status: number, frame: Frame): void {
  if (result !== undefined) give(frame.variable(result), status, t.int, frame);
}

async function procedureName({ procedure }: Execute, frame: Frame): Promise<ObjectName> {
  if (!('variable' in procedure)) return procedure;
  const text = String((await evaluateAs({ kind: 'variable', name: procedure.variable }, t.nvarchar(776), frame)) ?? '');
  const name = parseObjectName(text);
  if (name === undefined) throw sqlError(203, text);
  return name;
}

async function argument({ name = '', value, table, output }: ExecuteArgument, frame: Frame): Promise<Argument> {
  if (table !== undefined)
    return { name, type: tableType({ name: table }), value: frame.table(table), output, byDefault: false };
  if (value === undefined) return { name, type: t.int, value: null, output: false, byDefault: true };
  const { dateFormat: dateOrder } = frame.host.options;
  return { name, ...(await evaluate(value, frame)), output, byDefault: false, dateOrder };
}

async function takeOutputs(statement: Execute, { outputs }: Executed, frame: Frame): Promise<void> {
  for (const output of outputs) {
    const value = statement.args[output.argument]?.value;
    if (value?.kind === 'variable') await give(frame.variable(value.name), output.value, output.type, frame);
  }
}

/** EXEC ('text'). */
export async function runExecuteText(
  statement: ExecuteText,
  frame: Frame,
  interpreter: Interpreter,
  sink: StatementSink = frame.sink,
): Promise<Completion> {
  const text = await evaluateAs(statement.text, t.nvarchar('max'), frame);
  frame.host.state.error = 0;
  await unlessAborted(() => interpreter.text(String(text ?? ''), frame, sink));
  return next;
}
