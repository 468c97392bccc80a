import { messages } from '../../base/messages.ts';
import { SqlError, sqlError } from '../../base/sql-error.ts';
import type { Delete, Insert, Statement, Update } from '../ast/statement.ts';
import type { Frame } from '../frame.ts';
import type { Host } from '../host.ts';
import { giveWay } from '../query/give-way.ts';
import { isTurnOver } from '../query/pause.ts';
import type { Command, StatementSink } from '../statement-sink.ts';
import { rollbackTransaction } from '../transactions.ts';
import { BatchAborted, type Completion, next, ScopeAborted } from './completion.ts';
import { endsStatement } from './insert.ts';
import { isRaised, isThrown, isUrgent } from './message.ts';
import { endsScope } from './scope.ts';

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
  'execute',
  'executeText',
  'if',
  'while',
  'return',
  'raiserror',
]);

/**
 * Errors that end the whole batch and undo its transaction: failed conversions, deadlocks, too deep a nesting. SQL Server
 * goes on with the next statement after any other that does not end its scope.
 */
const batchEnding = new Set([217, 235, 241, 244, 245, 248, 295, 596, 1205, 2714, 3930, 8169]);

/** A value that does not fit a parameter (8114 too) ends the EXECUTE only; a table that cannot be made ends the batch. */
const endsBatch = ({ number }: SqlError, { kind }: Statement): boolean =>
  batchEnding.has(number) ||
  (number === 8114 && kind !== 'execute') ||
  (kind === 'createTable' && number !== notAllowed);

/** Whether the transaction is lost. */
const undoes = (error: SqlError, statement: Statement, { options }: Host): boolean =>
  (options.xactAbort && !isRaised(error)) || endsBatch(error, statement);

/** CREATE TABLE permission denied. */
const notAllowed = 262;

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
  'login',
  'declareCursor',
  'openCursor',
  'fetch',
  'closeCursor',
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
    const caught = endsScope(here) ? frame.callerInTry : frame.inTry;
    return caught ? toCatch(here, statement, frame) : report(here, statement, frame);
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

/**
 * The client hears of an error in TRY only that its statement changed no rows. Under XACT_ABORT, and when it would have
 * ended the batch, the transaction can only be rolled back.
 */
function toCatch(error: SqlError, statement: Statement, { host, sink }: Frame): never {
  if (undoes(error, statement, host) && host.transactions.count > 0) host.transactions.doom();
  if (!leave(error) && isChange(statement)) sink.done({ command: statement.kind, count: 0 });
  throw error;
}

const isChange = (statement: Statement): statement is Insert | Update | Delete =>
  statement.kind === 'insert' || statement.kind === 'update' || statement.kind === 'delete';

async function report(error: SqlError, statement: Statement, frame: Frame): Promise<Completion> {
  const { sink, host } = frame;
  sink.error(error);
  if (endsStatement(error) && isChange(statement)) {
    sink.info({
      number: 3621,
      severity: 0,
      state: 0,
      text: messages[3621].text,
      procedure: error.procedure,
      line: error.line,
    });
  }
  const lost = undoes(error, statement, host);
  // Before DONE, which tells whether a transaction is open and has to be the last of the batch.
  if (lost && host.transactions.count > 0) await rollbackTransaction(host);
  if (!leave(error)) sink.done({ command: commands[statement.kind] ?? 'other', failed: true });
  if (isUrgent(error)) await sink.sendNow?.();
  if (lost || isThrown(error)) throw new BatchAborted(error);
  if (endsScope(error)) throw new ScopeAborted(error);
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
