import type { Argument } from '../procedure/bind.ts';
import type { Executed } from '../procedure/execute.ts';
import type { Host } from './host.ts';
import type { StatementSink } from './statement-sink.ts';

/** How a batch ended. */
export interface BatchEnd {
  /** True when an error stopped the batch before its end. */
  readonly aborted: boolean;
}

/**
 * Runs a batch of T-SQL. Errors go to sink.error and the promise resolves; it rejects only when the signal aborts (with
 * its reason) or on an internal fault.
 */
export async function runBatch(host: Host, text: string, sink: StatementSink, signal: AbortSignal): Promise<BatchEnd> {
  throw new Error(`not there yet: ${host.database} ${text} ${String(sink)} ${signal.aborted}`);
}

/**
 * Runs a procedure by name for an RPC: sp_executesql, sp_prepare and their kin, temporary procedures, or whatever the host
 * declares. Names as T-SQL writes them (`db..[name];1`). A failure that ends the call rejects with its SqlError; errors
 * that the procedure survives go to sink.error.
 */
export async function callProcedure(
  host: Host,
  name: string,
  args: readonly Argument[],
  sink: StatementSink,
  signal: AbortSignal,
): Promise<Executed> {
  throw new Error(`not there yet: ${host.database} ${name} ${args.length} ${String(sink)} ${signal.aborted}`);
}

/** The procedures that an RPC names by number (MS-TDS 2.2.6.6), and what callProcedure calls them. */
export const procedureIds: Readonly<Record<number, string>> = {
  1: 'sp_cursor',
  2: 'sp_cursoropen',
  3: 'sp_cursorprepare',
  4: 'sp_cursorexecute',
  5: 'sp_cursorprepexec',
  6: 'sp_cursorunprepare',
  7: 'sp_cursorfetch',
  8: 'sp_cursoroption',
  9: 'sp_cursorclose',
  10: 'sp_executesql',
  11: 'sp_prepare',
  12: 'sp_execute',
  13: 'sp_prepexec',
  14: 'sp_prepexecrpc',
  15: 'sp_unprepare',
};
