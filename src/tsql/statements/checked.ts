import { saysTerminated } from '../../base/messages/extent.ts';
import { messages } from '../../base/messages/messages.ts';
import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import type { Merge } from '../../syntax/ast/merge.ts';
import type { Delete, Insert, Statement, Update } from '../../syntax/ast/statement.ts';
import type { Frame } from '../frame.ts';
import type { Command } from '../statement-sink.ts';
import { rollbackTransaction } from '../transactions.ts';
import { type Completion, next } from './completion.ts';
import { Failure } from './failure.ts';
import { showPlan } from './show-plan.ts';

/** The command in the DONE of a failed statement. */
const commands: Partial<Record<Statement['kind'], Command>> = {
  select: 'select',
  insert: 'insert',
  update: 'update',
  delete: 'delete',
  merge: 'merge',
  execute: 'execute',
  executeText: 'execute',
  assign: 'set',
  setOption: 'set',
};

/** Statements that only contain others: an error inside has already been handled there. */
const holders: ReadonlySet<Statement['kind']> = new Set([
  'block',
  'try',
  'label',
  'goto',
  'break',
  'continue',
  'empty',
]);

/** Statements that do not change @@ERROR. */
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

/** Statements that do nothing under FMTONLY, which only describes the columns of results. */
const changing: ReadonlySet<Statement['kind']> = new Set([
  'insert',
  'update',
  'delete',
  'merge',
  'truncate',
  'createTable',
  'createType',
  'alterTable',
  'createIndex',
  'dropIndex',
  'createProcedure',
  'createView',
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
export async function runChecked(
  statement: Statement,
  frame: Frame,
  run: (statement: Statement, frame: Frame) => Promise<Completion>,
): Promise<Completion> {
  const resting = frame.sink.rest?.();
  if (resting) await resting;
  frame.throwIfCancelled();
  // A loop of statements that never wait must still yield to others, and notice a cancellation.
  if (frame.turn.isOver) await frame.turn.giveWay();
  const { options } = frame.host;
  if (options.noExec && !isNoExecOff(statement)) return next;
  if (options.fmtOnly && changing.has(statement.kind)) return next;
  try {
    const isShown = (options.showPlan || options.showPlanAll) && !runsUnderShowPlan.has(statement.kind);
    const completion = await (isShown ? showPlan(statement, frame) : run(statement, frame));
    if (!keepError.has(statement.kind)) frame.host.state.error = 0;
    return completion;
  } catch (thrown) {
    if (!(thrown instanceof SqlError || thrown instanceof Failure)) throw thrown;
    const failure = Failure.of(thrown).in(statement, frame);
    if (failure.isTold) throw failure;
    frame.host.state.error = failure.error.number;
    frame.errorStatus = failure.error.returnStatus;
    frame.host.state.rowCount = 0;
    if (failure.ends === 'connection') throw failure;
    const caught = failure.passesTry ? frame.callerInTry : frame.inTry;
    return caught ? toCatch(failure, statement, frame) : report(failure, statement, frame);
  } finally {
    const { transactions, tempDb, identity } = frame.host;
    if (transactions.count === 0) tempDb.unlock(identity.spid);
  }
}

/** Statements that run under SET SHOWPLAN_TEXT ON and SHOWPLAN_ALL ON: the others return their plan. */
const runsUnderShowPlan = new Set<Statement['kind']>(['setOption', 'block', 'declare']);

/** SET NOEXEC OFF is the one statement that runs under NOEXEC. */
const isNoExecOff = (statement: Statement): boolean =>
  statement.kind === 'setOption' && statement.names.includes('NOEXEC');

/**
 * Of an error in TRY the client is told only that its statement changed no rows. Under XACT_ABORT, and if it would have
 * ended the batch, the transaction can only be rolled back afterwards.
 */
function toCatch(failure: Failure, statement: Statement, { host, sink }: Frame): never {
  if (failure.undoes && host.transactions.count > 0) host.transactions.doom();
  if (!failure.leaveProcedures('caught') && isChange(statement)) sink.done({ command: statement.kind, count: 0 });
  throw failure.outOfProcedures();
}

const isChange = (statement: Statement): statement is Insert | Update | Delete | Merge =>
  ['insert', 'update', 'delete', 'merge'].includes(statement.kind);

async function report(failure: Failure, statement: Statement, { sink, host }: Frame): Promise<Completion> {
  const { error } = failure;
  const { number, procedure, line } = error;
  sink.error(error);
  if (isChange(statement) && saysTerminated(number, true))
    sink.info({ number: 3621, severity: 0, state: 0, text: messages[3621].text, procedure, line });
  // Before DONE, which says whether a transaction is open and must be the last token of the batch.
  if (failure.undoes && host.transactions.count > 0) await rollbackTransaction(host);
  if (!failure.leaveProcedures('told')) sink.done({ command: commands[statement.kind] ?? 'other', failed: true });
  if (failure.isUrgent) await sink.sendNow?.();
  if (failure.ends !== 'statement') throw failure.told();
  return next;
}

/** At the end of a batch, a transaction that can only be rolled back is rolled back: 3998. True if there was one. */
export async function endBatch(frame: Frame): Promise<boolean> {
  const { host, sink } = frame;
  if (host.transactions.state !== -1 || host.transactions.count === 0) return false;
  await rollbackTransaction(host);
  sink.error(sqlError(3998));
  return true;
}
