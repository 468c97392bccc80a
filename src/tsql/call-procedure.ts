import { sqlError } from '../base/messages/sql-error.ts';
import { parseObjectName } from '../procedure/object-name.ts';
import type { Argument } from '../procedure/run/bind.ts';
import type { Executed } from '../procedure/run/executed.ts';
import { Frame } from './frame.ts';
import type { Host } from './host.ts';
import { interpreter } from './interpreter.ts';
import { call, callDeclared } from './procedures/call.ts';
import { type Callable, resolve } from './procedures/resolve.ts';
import { unknownType } from './procedures/table-parameter.ts';
import type { StatementSink } from './statement-sink.ts';
import { endBatch } from './statements/checked.ts';
import { untilAborted } from './statements/failure.ts';

/** How a call by RPC ended. */
export interface CallEnd extends Executed {
  /** True if an error stopped the procedure before its end; absent for a declared one, which then rejects. */
  readonly aborted?: boolean;
  /** True if the calls behind it in the same request must not run: an error ended more than the call. */
  readonly endsRequest?: boolean;
  /** True if bytes of the arguments may still be in use, since T-SQL may store them in a temporary table. */
  readonly mayKeep?: boolean;
}

/**
 * Runs a procedure for an RPC, by its name as T-SQL writes it (`db..[name];1`). A call that cannot begin (an unknown
 * name, an argument that does not fit) rejects with its SqlError. Errors of statements inside go to sink.error, and the
 * status is the number of the error that stopped the procedure, if one did.
 */
export function callProcedure(
  host: Host,
  name: string,
  args: readonly Argument[],
  sink: StatementSink,
  signal: AbortSignal,
): Promise<CallEnd> {
  const parsed = parseObjectName(name);
  if (parsed === undefined) return Promise.reject(sqlError(2812, name));
  const unknown = unknownType(args, host);
  if (unknown !== undefined) return Promise.reject(unknown);
  const found = resolve(parsed, host);
  // The procedures of the protocols are called most often: their path does not wait here.
  if (!(found instanceof Promise) && found.kind === 'declared')
    return callDeclared(found.declared, args, host, sink, signal);
  return callFound(found, host, args, sink, signal);
}

async function callFound(
  found: Callable | Promise<Callable>,
  host: Host,
  args: readonly Argument[],
  sink: StatementSink,
  signal: AbortSignal,
): Promise<CallEnd> {
  const callable = await found;
  if (callable.kind === 'declared') return await callDeclared(callable.declared, args, host, sink, signal);
  const frame = new Frame(host, sink, signal);
  let executed: Executed = { status: 0, outputs: [] };
  const aborted = await untilAborted(async () => {
    executed = await call(callable, args, frame, sink, interpreter);
  });
  const undone = await endBatch(frame);
  const mayKeep = true;
  if (aborted === undefined) return { ...executed, aborted: undone, mayKeep };
  const endsRequest = aborted.ends !== 'scope';
  // sp_executesql and its kin return the number of the error.
  const status = callable.kind === 'made' ? aborted.error.returnStatus : aborted.error.number;
  return { status, outputs: [], aborted: true, endsRequest, mayKeep };
}
