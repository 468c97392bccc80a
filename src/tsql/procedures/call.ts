import { resultSets } from '../../procedure/describe.ts';
import type { Argument } from '../../procedure/run/bind.ts';
import type { Executed } from '../../procedure/run/executed.ts';
import type { Frame } from '../frame.ts';
import type { DeclaredProcedure, Host } from '../host.ts';
import type { StatementSink } from '../statement-sink.ts';
import type { Interpreter } from '../statements/completion.ts';
import type { Callable } from './resolve.ts';
import { done } from './special-call.ts';
import { runTemporary } from './temporary.ts';

/** Calls what `resolve` found. */
export function call(
  callable: Callable,
  args: readonly Argument[],
  caller: Frame,
  sink: StatementSink,
  interpreter: Interpreter,
): Promise<Executed> {
  if (callable.kind === 'special') return callable.run({ args, caller, sink, interpreter });
  if (callable.kind === 'made') return runTemporary(callable.made, args, caller, sink, interpreter);
  return callDeclared(callable.declared, args, caller.host, sink, caller.signal);
}

/** Calls a declared procedure; under FMTONLY it only describes what the call would send. */
export async function callDeclared(
  declared: DeclaredProcedure,
  args: readonly Argument[],
  { options, state }: Host,
  sink: StatementSink,
  signal: AbortSignal,
): Promise<Executed> {
  if (options.fmtOnly) return describeCall(declared, sink);
  const executed = await declared.run(args, sink, signal);
  // @@ROWCOUNT after a call is that of the procedure's last result.
  if (executed.rowCount !== undefined) state.rowCount = executed.rowCount;
  return executed;
}

function describeCall({ procedure }: DeclaredProcedure, sink: StatementSink): Executed {
  for (const columns of resultSets(procedure) ?? []) {
    sink.columns(columns);
    sink.endRows(0);
  }
  return done;
}
