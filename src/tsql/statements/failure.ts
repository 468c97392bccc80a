import { messages } from '../../base/messages.ts';
import { SqlError, sqlError } from '../../base/sql-error.ts';
import type { Statement } from '../ast/statement.ts';
import type { Frame } from '../frame.ts';
import { giveWay } from '../query/give-way.ts';
import { isTurnOver } from '../query/pause.ts';
import type { Command, StatementSink } from '../statement-sink.ts';
import { rollbackTransaction } from '../transactions.ts';
import { BatchAborted, type Completion, next } from './completion.ts';
import { endsStatement } from './insert.ts';
import { isRaised, isThrown, isUrgent } from './message.ts';

/** What DONE says of a statement that failed. */
const commands: Partial<Record<Statement['kind'], Command>> = {
  select: 'select',
  insert: 'insert',
  update: 'update',
  delete: 'delete',
  execute: 'execute',
  executeText: 'execute',
  assign: 'set',
  setOption: 'set',
};

/** Statements that only hold others: an error inside has been dealt with where it happened. */
const holders: ReadonlySet<Statement['kind']> = new Set([
  'block',
  'try',
  'label',
  'goto',
  'break',
  'continue',
  'empty',
]);

/** Statements that leave @@ERROR as it was. */
const keepError: ReadonlySet<Statement['kind']> = new Set([
  ...holders,
  'declare',
  'if',
  'while',
  'return',
  'raiserror',
]);

/**
 * Errors that end the whole batch: failed conversions and names that are not there. SQL Server goes on with the next
 * statement after any other.
 */
const batchEnding = new Set([
  137, 195, 206, 207, 208, 209, 217, 235, 241, 244, 245, 248, 257, 295, 402, 529, 1087, 1205, 3930, 4104, 8117, 8120,
  8169, 8133, 596,
]);

/** An error that has its line and procedure already. */
const placed = new WeakSet<SqlError>();

/** Procedures that an error came out of and that have not been left yet. */
const unleft = new WeakMap<SqlError, StatementSink>();

/** Says that a procedure is to be left once the error that ended it has been reported. */
export function leaveAfter(error: SqlError, sink: StatementSink): void {
  unleft.set(error, sink);
}

/** Leaves the procedure that an error came out of; false when it came out of none. */
function leave(error: SqlError): boolean {
  const sink = unleft.get(error);
  unleft.delete(error);
  sink?.leave(undefined);
  return sink !== undefined;
}

/** Statements that do nothing under FMTONLY, which only asks for the columns of results. */
const changing: ReadonlySet<Statement['kind']> = new Set([
  'insert',
  'update',
  'delete',
  'truncate',
  'createTable',
  'alterTable',
  'createIndex',
  'createProcedure',
  'declareCursor',
  'openCursor',
  'fetch',
  'closeCursor',
  'changeCurrent',
  'deallocateCursor',
  'drop',
  'transaction',
  'waitfor',
  'print',
  'raiserror',
  'throw',
]);

/** Runs a statement and decides what an error does: it goes to CATCH, ends the statement, or ends the batch. */
export async function runChecks(
  statement: Statement,
  frame: Frame,
  run: (statement: Statement, frame: Frame) => Promise<Completion>,
): Promise<Completion> {
  const resting = frame.sink.rest?.();
  if (resting) await resting;
  frame.throwIfCancelled();
  // Statements that wait for nothing must still let others in, and a cancel.
  if (isTurnOver()) await giveWay(frame);
  const { options } = frame.host;
  if (options.noExec && !isNoExecOff(statement)) return next;
  if (options.fmtOnly && changing.has(statement.kind)) return next;
  try {
    const completion = await run(statement, frame);
    if (!keepError.has(statement.kind)) frame.host.state.error = 0;
    return completion;
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    const here = place(error, statement, frame);
    const called = unleft.get(error);
    if (called !== undefined && here !== error) unleft.set(here, called);
    frame.host.state.error = here.number;
    frame.host.state.rowCount = 0;
    if (here.severity >= 20) throw here;
    return frame.inTry ? toCatch(here, frame) : report(here, statement, frame);
  } finally {
    const { transactions, tempDb, identity } = frame.host;
    if (transactions.count === 0) tempDb.unlock(identity.spid);
  }
}

/** SET NOEXEC OFF is the one statement that runs under NOEXEC. */
const isNoExecOff = (statement: Statement): boolean =>
  statement.kind === 'setOption' && statement.names.includes('NOEXEC');

function place(error: SqlError, statement: Statement, frame: Frame): SqlError {
  if (placed.has(error) || error.procedure !== '' || isRaised(error) || isThrown(error)) return error;
  const here = error.at({ line: statement.line, procedure: frame.procedure });
  placed.add(here);
  return here;
}

/** Under XACT_ABORT an error in TRY leaves a transaction that can only be rolled back. */
function toCatch(error: SqlError, { host }: Frame): never {
  if (host.options.xactAbort && host.transactions.count > 0 && !isRaised(error)) host.transactions.doom();
  leave(error);
  throw error;
}

async function report(error: SqlError, statement: Statement, frame: Frame): Promise<Completion> {
  const { sink, host } = frame;
  sink.error(error);
  if (
    endsStatement(error) &&
    (statement.kind === 'insert' || statement.kind === 'update' || statement.kind === 'delete')
  ) {
    sink.info({
      number: 3621,
      severity: 0,
      state: 0,
      text: messages[3621].text,
      procedure: error.procedure,
      line: error.line,
    });
  }
  if (!leave(error)) sink.done({ command: commands[statement.kind] ?? 'other', failed: true });
  if (isUrgent(error)) await sink.sendNow?.();
  const undoes = host.options.xactAbort && !isRaised(error);
  if (undoes && host.transactions.count > 0) await rollbackTransaction(host);
  if (undoes || isThrown(error) || batchEnding.has(error.number)) throw new BatchAborted(error);
  return next;
}

/** At the end of a batch a transaction that can only be rolled back is: 3998. True when there was one. */
export async function endBatch(frame: Frame): Promise<boolean> {
  const { host, sink } = frame;
  if (host.transactions.state !== -1 || host.transactions.count === 0) return false;
  await rollbackTransaction(host);
  sink.error(sqlError(3998));
  return true;
}
