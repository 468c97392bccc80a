import type { ObjectName } from '../../procedure/object-name.ts';
import type { Argument } from '../../procedure/run/bind.ts';
import type { Executed } from '../../procedure/run/executed.ts';
import type { Column } from '../../procedure/run/sink.ts';
import type { Execute, ExecuteText, Statement } from '../../syntax/ast/statement.ts';
import type { Frame } from '../frame.ts';
import type { StatementEnd, StatementSink } from '../statement-sink.ts';

/** How a statement ended, as far as the order of statements depends on it. */
export type Completion =
  | { readonly kind: 'next' | 'break' | 'continue' }
  | { readonly kind: 'return'; readonly status: number | undefined }
  | { readonly kind: 'goto'; readonly label: string };

export const next: Completion = { kind: 'next' };

/** A statement without rows has ended, and the next one follows. */
export function ended(sink: StatementSink, end: StatementEnd): Completion {
  sink.done(end);
  return next;
}

/** Sends a result set from memory; returns the number of its rows. */
export async function sendSet(
  sink: StatementSink,
  columns: readonly Column[],
  rows: Iterable<readonly unknown[]>,
): Promise<number> {
  let count = 0;
  sink.columns(columns);
  for (const row of rows) {
    count++;
    const slow = sink.row(row);
    if (slow) await slow;
  }
  sink.endRows(count);
  return count;
}

/** The parts of the interpreter that call each other; passed to every statement. */
export interface Interpreter {
  /** Runs statements in order. */
  statements(statements: readonly Statement[], frame: Frame): Promise<Completion>;
  /** Runs one statement. */
  statement(statement: Statement, frame: Frame): Promise<Completion>;
  /** Calls a procedure by name: temporary, special or declared. */
  call(name: ObjectName, args: readonly Argument[], frame: Frame, sink: StatementSink): Promise<Executed>;
  /** Runs a text of T-SQL in a frame of its own. */
  text(text: string, frame: Frame, sink: StatementSink): Promise<Completion>;
  /** Runs an EXEC whose rows do not go to the client: INSERT … EXEC. */
  executeInto(statement: Execute | ExecuteText, frame: Frame, sink: StatementSink): Promise<Completion>;
}
