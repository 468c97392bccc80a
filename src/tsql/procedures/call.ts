import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import type { Argument } from '../../procedure/bind.ts';
import type { Executed } from '../../procedure/execute.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { Sink } from '../../procedure/sink.ts';
import type { Frame } from '../frame.ts';
import type { StatementSink } from '../statement-sink.ts';
import type { Interpreter } from '../statements/completion.ts';
import { procedureNamed } from '../storage/object-place.ts';
import { specialProcedures } from './special.ts';
import { runTemporary } from './temporary.ts';

/** Calls whatever a name means: a temporary procedure, one that is the interpreter itself, or a declared one. */
export async function callByName(
  name: ObjectName,
  args: readonly Argument[],
  caller: Frame,
  sink: StatementSink,
  interpreter: Interpreter,
): Promise<Executed> {
  const { host } = caller;
  const own = procedureNamed(name, host);
  if (own !== undefined) return runTemporary(own, args, caller, sink, interpreter);
  if (name.name.startsWith('#')) throw sqlError(2812, name.name);
  const key = fold(name.name);
  const special = Object.hasOwn(specialProcedures, key) ? specialProcedures[key] : undefined;
  if (special !== undefined) return special({ args, caller, sink, interpreter });
  if (host.options.fmtOnly && (await host.hasProcedure(name))) return describeCall(name, caller, sink);
  return host.execute(name, args, countingRows(sink, caller), caller.signal);
}

/** @@ROWCOUNT after a call is that of the procedure's last result. */
function countingRows(sink: Sink, { host: { state } }: Frame): Sink {
  return {
    columns: (columns) => sink.columns(columns),
    row: (values) => sink.row(values),
    endRows(count, silent) {
      state.rowCount = count;
      sink.endRows(count, silent);
    },
    info: (message) => sink.info(message),
  };
}

/** What a call would send, without its rows; nothing where only running it would tell. */
async function describeCall(name: ObjectName, { host }: Frame, sink: StatementSink): Promise<Executed> {
  for (const columns of (await host.resultSets(name)) ?? []) {
    sink.columns(columns);
    sink.endRows(0);
  }
  return { status: 0, outputs: [] };
}

/** True when a name means something that can be called. */
export async function isCallable(name: ObjectName, { host }: Frame): Promise<boolean> {
  if (procedureNamed(name, host) !== undefined) return true;
  return Object.hasOwn(specialProcedures, fold(name.name)) || (await host.hasProcedure(name));
}
