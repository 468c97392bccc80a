import { SqlError } from '../../base/messages/sql-error.ts';
import type { BegunCall, Recording } from '../../procedure/call-tap.ts';
import type { AnyProcedure } from '../../procedure/declare.ts';
import type { Argument } from '../../procedure/run/bind.ts';
import type { Executed } from '../../procedure/run/executed.ts';
import { Cancelled, Stopped } from '../../procedure/run/fault.ts';
import type { Column, Sink } from '../../procedure/run/sink.ts';
import type { Identity } from '../../tsql/host.ts';

/** What watchers of live calls get when a call begins. */
export const begunCall = (
  { spid, login, host, program }: Identity,
  database: string,
  called: { readonly name: string; readonly procedure?: AnyProcedure; readonly args: readonly Argument[] },
): BegunCall => ({ session: spid, login, host, program, database, ...called });

/** A sink that counts what passes through it. */
export const counted = (sink: Sink, { sets }: Recording): Sink => ({
  columns(columns: readonly Column[]) {
    sets.push({ columns, rows: 0 });
    sink.columns(columns);
  },
  row(values) {
    const set = sets.at(-1);
    if (set !== undefined) set.rows++;
    return sink.row(values);
  },
  endRows: (count, silent) => sink.endRows(count, silent),
  info: (message) => sink.info(message),
});

/** What watchers see of a call that failed; `reason` is why it was aborted, if it was. */
export function shownError(thrown: unknown, reason: unknown): SqlError {
  if (reason instanceof Stopped) return reason.error;
  if (reason instanceof Cancelled) return new SqlError(0, 'Cancelled: the client no longer waits for it.');
  return thrown instanceof SqlError ? thrown : new SqlError(0, String(thrown));
}

/** Runs a watched call and reports how it ended. */
export async function recorded(
  recording: Recording,
  run: () => Promise<Executed>,
  signal: AbortSignal,
): Promise<Executed> {
  const began = performance.now();
  try {
    const executed = await run();
    const { status, outputs } = executed;
    recording.end({ status, outputs, milliseconds: performance.now() - began });
    return executed;
  } catch (thrown) {
    recording.end({ error: shownError(thrown, signal.reason), milliseconds: performance.now() - began });
    throw thrown;
  }
}
