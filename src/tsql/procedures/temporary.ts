import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { Argument } from '../../procedure/run/bind.ts';
import type { Executed } from '../../procedure/run/executed.ts';
import { indexOfParams, matchArguments } from '../../procedure/run/match-arguments.ts';
import { Frame } from '../frame.ts';
import type { TemporaryProcedure } from '../session-state.ts';
import type { StatementSink } from '../statement-sink.ts';
import { evaluateAs } from '../statements/assign.ts';
import type { Interpreter } from '../statements/completion.ts';
import { outputsOf } from './special-call.ts';
import { declareParameter, isTableParam } from './table-parameter.ts';

/** It runs with the rights of its caller: nobody gains another's rights by having them call something. */
function refuseForeign({ name, maker }: TemporaryProcedure, { host }: Frame): void {
  if (maker.isAdministrator || fold(maker.login) === fold(host.identity.login)) return;
  throw sqlError(229, 'EXECUTE', name, 'tempdb', 'dbo');
}

/** Runs a procedure that the client created: its own variables, its body, RETURN's status. */
export async function runTemporary(
  procedure: TemporaryProcedure,
  args: readonly Argument[],
  caller: Frame,
  sink: StatementSink,
  interpreter: Interpreter,
): Promise<Executed> {
  refuseForeign(procedure, caller);
  const { params, body } = procedure.definition;
  if (args.length > 0 && params.length === 0) throw sqlError(8146, procedure.name);
  const given = matchArguments(procedure.name, indexOfParams(params), args);
  const frame = new Frame(caller.host, sink, caller.signal, caller, procedure);
  for (const [at, param] of params.entries()) {
    const arg = args[given[at] ?? -1];
    if (arg?.output && !param.output) throw sqlError(8162, param.name);
    if (isTableParam(param)) await declareParameter(param, at + 1, arg, frame);
    else if (arg === undefined || arg.byDefault) {
      if (param.default === undefined) throw sqlError(201, procedure.name, param.name);
      frame.declare(param.name, param.type, await evaluateAs(param.default, param.type, caller));
    } else await declareParameter(param, at + 1, arg, frame);
  }
  const completion = await frame.within(() => interpreter.statements(body, frame));
  const returned = completion.kind === 'return' ? completion.status : undefined;
  return { status: returned ?? frame.errorStatus, outputs: outputsOf(params, given, args, frame) };
}
