import { SqlError } from '../base/messages/sql-error.ts';
import type { Statement, StatementOf } from '../syntax/ast/statement.ts';
import { recentTrees } from '../syntax/parser/kept-trees.ts';
import { Frame } from './frame.ts';
import { call } from './procedures/call.ts';
import { resolve } from './procedures/resolve.ts';
import { runAlterTable } from './statements/alter-table.ts';
import { runDelete, runUpdate } from './statements/change.ts';
import { runChecked } from './statements/checked.ts';
import { type Completion, ended, type Interpreter, next } from './statements/completion.ts';
import { runDeclare, runIf, runReturn, runStatements, runTry, runWhile } from './statements/control.ts';
import { runCloseCursor, runDeallocate, runDeclareCursor, runFetch, runOpenCursor } from './statements/cursor.ts';
import { runDbcc } from './statements/dbcc.ts';
import {
  runCreateDatabase,
  runCreateIndex,
  runCreateProcedure,
  runCreateSchema,
  runCreateTable,
  runDrop,
  runDropIndex,
  runInsertBulk,
  runTruncate,
} from './statements/definition.ts';
import { runExecute, runExecuteText } from './statements/execute.ts';
import { Failure } from './statements/failure.ts';
import { runInsert } from './statements/insert.ts';
import { runKill } from './statements/kill.ts';
import { runLogin } from './statements/login.ts';
import { runMerge } from './statements/merge.ts';
import { runPrint, runRaise, runThrow, runWaitFor } from './statements/message.ts';
import { runSelect } from './statements/select.ts';
import { runAssign, runSetOption } from './statements/set.ts';
import { runCreateType } from './statements/table-type.ts';
import { runTransaction } from './statements/transaction.ts';
import { refusal } from './statements/unsupported.ts';
import { runCreateView } from './statements/view.ts';

type Runner<K extends Statement['kind']> = (statement: StatementOf<K>, frame: Frame) => Promise<Completion>;

/** What runs each kind of statement. */
const runners: { readonly [K in Statement['kind']]: Runner<K> } = {
  alterTable: runAlterTable,
  assign: runAssign,
  block: ({ body }, frame) => interpreter.statements(body, frame),
  closeCursor: runCloseCursor,
  deallocateCursor: runDeallocate,
  declareCursor: runDeclareCursor,
  fetch: runFetch,
  openCursor: runOpenCursor,
  break: async () => ({ kind: 'break' }),
  continue: async () => ({ kind: 'continue' }),
  createDatabase: runCreateDatabase,
  createIndex: runCreateIndex,
  dropIndex: runDropIndex,
  createProcedure: runCreateProcedure,
  createSchema: runCreateSchema,
  createTable: runCreateTable,
  createType: runCreateType,
  createView: runCreateView,
  dbcc: runDbcc,
  declare: runDeclare,
  delete: runDelete,
  drop: runDrop,
  empty: async () => next,
  execute: (statement, frame) => runExecute(statement, frame, interpreter),
  executeText: (statement, frame) => runExecuteText(statement, frame, interpreter),
  goto: async ({ label }) => ({ kind: 'goto', label }),
  if: (statement, frame) => runIf(statement, frame, interpreter),
  insert: (statement, frame) => runInsert(statement, frame, interpreter),
  insertBulk: runInsertBulk,
  kill: runKill,
  label: async () => next,
  login: runLogin,
  merge: runMerge,
  print: runPrint,
  raiserror: runRaise,
  return: runReturn,
  select: runSelect,
  setOption: runSetOption,
  throw: runThrow,
  transaction: runTransaction,
  truncate: runTruncate,
  try: (statement, frame) => runTry(statement, frame, interpreter),
  unsupported: async (statement, frame) => {
    throw refusal(statement, frame);
  },
  update: runUpdate,
  use: async ({ database }, frame) => {
    await frame.host.use(database);
    frame.host.state.rowCount = 0;
    return ended(frame.sink, { command: 'use' });
  },
  waitfor: runWaitFor,
  while: (statement, frame) => runWhile(statement, frame, interpreter),
};

/** TypeScript cannot see that the kind picks the runner of that kind; this one place says so. */
function dispatch(statement: Statement, frame: Frame): Promise<Completion> {
  const run = runners[statement.kind] as Runner<Statement['kind']>;
  return run(statement as never, frame);
}

/** The interpreter: how statements, procedures and texts run each other. */
export const interpreter: Interpreter = {
  statements: (statements, frame) => runStatements(statements, frame, interpreter),
  statement: (statement, frame) => runChecked(statement, frame, dispatch),
  async call(name, args, frame, sink) {
    const callable = await resolve(name, frame.host);
    sink.enter(name.name);
    try {
      const executed = await call(callable, args, frame, sink, interpreter);
      sink.leave(executed.status);
      return executed;
    } catch (error) {
      if (!(error instanceof SqlError || error instanceof Failure)) throw error;
      const failure = Failure.of(error);
      if (!failure.isTold) throw failure.outOf(sink);
      sink.leave(undefined, true);
      throw failure;
    }
  },
  async text(text, caller, sink) {
    const { quotedIdentifier } = caller.host.options;
    const frame = new Frame(caller.host, sink, caller.signal, caller);
    return frame.within(async () =>
      interpreter.statements(await recentTrees.read(text, { quotedIdentifier }, frame.turn), frame),
    );
  },
  executeInto: (statement, frame, sink) =>
    statement.kind === 'execute'
      ? runExecute(statement, frame, interpreter, sink)
      : runExecuteText(statement, frame, interpreter, sink),
};
