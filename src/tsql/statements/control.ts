import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { Condition } from '../../syntax/ast/expression.ts';
import type { Declare, If, Statement, StatementOf, TryCatch, While } from '../../syntax/ast/statement.ts';
import { int } from '../../tds/types/index.ts';
import { isTableType } from '../../tds/types/table-type.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { evaluateOnce } from '../query/read.ts';
import { emptyScope } from '../query/scope.ts';
import { createTable } from '../storage/create-table.ts';
import { newVariable, typeOf } from '../storage/table-types.ts';
import { assigned, evaluateAs } from './assign.ts';
import { type Completion, type Interpreter, next } from './completion.ts';
import { Failure } from './failure.ts';
import { completed } from './table-definition.ts';

async function holds(condition: Condition, frame: Frame): Promise<boolean> {
  const context = await StatementContext.of(frame, condition);
  return (
    (await evaluateOnce(
      context.prepared(() => context.condition(condition, emptyScope)),
      context,
    )) === true
  );
}

/** SQL Server sends a DONE for the start of TRY and of CATCH, and for every test of a condition, as for a statement. */
const reached = ({ sink }: Frame): void => sink.done({ command: 'other' });

/** A test leaves @@ERROR and @@ROWCOUNT at 0: `IF @@ERROR <> 0 PRINT @@ERROR` prints 0. */
function tested(frame: Frame): void {
  frame.host.state.error = 0;
  frame.host.state.rowCount = 0;
  reached(frame);
}

export async function runIf(
  { condition, body, otherwise }: If,
  frame: Frame,
  interpreter: Interpreter,
): Promise<Completion> {
  const taken = await holds(condition, frame);
  tested(frame);
  if (taken) return interpreter.statement(body, frame);
  return otherwise === undefined ? next : interpreter.statement(otherwise, frame);
}

export async function runWhile(
  { condition, body }: While,
  frame: Frame,
  interpreter: Interpreter,
): Promise<Completion> {
  for (;;) {
    const again = await holds(condition, frame);
    tested(frame);
    if (!again) return next;
    const completion = await interpreter.statement(body, frame);
    if (completion.kind === 'break') return next;
    if (completion.kind === 'return' || completion.kind === 'goto') return completion;
  }
}

/** Runs statements in order; GOTO continues after the label, here or in an enclosing list. */
export async function runStatements(
  statements: readonly Statement[],
  frame: Frame,
  interpreter: Interpreter,
): Promise<Completion> {
  for (let at = 0; at < statements.length; at++) {
    const statement = statements[at];
    if (statement === undefined) break;
    const completion = await ended(statement, () => statements.slice(at + 1), frame, interpreter);
    if (completion.kind === 'goto') {
      const label = statements.findIndex(
        (each) => each.kind === 'label' && fold(each.label) === fold(completion.label),
      );
      if (label < 0) return completion;
      await frame.turn.giveWay();
      at = label;
    } else if (completion.kind !== 'next') return completion;
  }
  return next;
}

async function ended(
  statement: Statement,
  rest: () => readonly Statement[],
  frame: Frame,
  interpreter: Interpreter,
): Promise<Completion> {
  try {
    return await interpreter.statement(statement, frame);
  } catch (error) {
    await reportOtherMistakes(error, rest(), frame);
    throw error;
  }
}

/** Errors of severity 11 to 19 inside TRY go to CATCH; the client does not get them. */
export async function runTry({ body, handler }: TryCatch, frame: Frame, interpreter: Interpreter): Promise<Completion> {
  const outerTry = frame.inTry;
  frame.inTry = true;
  reached(frame);
  try {
    return await interpreter.statements(body, frame);
  } catch (error) {
    if (!(error instanceof Failure) || error.isTold || error.passesTry || error.ends === 'connection') throw error;
    frame.inTry = outerTry;
    frame.caught.push(error.error);
    reached(frame);
    try {
      return await interpreter.statements(handler, frame);
    } finally {
      frame.caught.pop();
    }
  } finally {
    frame.inTry = outerTry;
  }
}

export async function runDeclare({ variables }: Declare, frame: Frame): Promise<Completion> {
  for (const [at, each] of variables.entries()) {
    if (frame.turn.isOver) await frame.turn.giveWay();
    if ('table' in each) {
      const definition = await completed(each.table, frame);
      const { state, memory } = frame.host;
      frame.declareTable(
        each.name,
        createTable({ name: each.name, definition, objectId: state.newObjectId(), memory }),
      );
    } else if (isTableType(each.type)) {
      const type = typeOf(each.type.typeName, at + 1, frame.host);
      frame.declareTable(each.name, newVariable(each.name, type, frame.host));
    } else {
      const value = each.value === undefined ? null : await evaluateAs(each.value, each.type, frame);
      frame.declare(each.name, each.type, value);
      if (each.value !== undefined) assigned(frame);
    }
  }
  return next;
}

/** RETURN; a value is for procedures only. */
export async function runReturn(statement: StatementOf<'return'>, frame: Frame): Promise<Completion> {
  if (statement.value === undefined) return { kind: 'return', status: undefined };
  if (frame.procedure === '') throw sqlError(178);
  const value = await evaluateAs(statement.value, int, frame);
  return { kind: 'return', status: Number(value ?? 0) };
}

/** Columns that do not exist, are ambiguous, or not grouped: SQL Server finds these before it runs anything. */
const mistakes: ReadonlySet<number> = new Set([207, 209, 4104, 8120]);

/**
 * SQL Server compiles a whole batch before it runs any of it, and reports all mistakes of this kind together. After the
 * first one, the queries that follow are compiled too, and their mistakes reported.
 */
async function reportOtherMistakes(aborted: unknown, rest: readonly Statement[], frame: Frame): Promise<void> {
  if (!(aborted instanceof Failure) || !aborted.isTold || !mistakes.has(aborted.error.number)) return;
  for (const statement of rest) {
    if (statement.kind !== 'select') continue;
    const mistake = await mistakeIn(statement, frame);
    if (mistake === undefined) continue;
    frame.sink.error(mistake.at({ line: statement.line, procedure: frame.procedure }));
    frame.sink.done({ command: 'select', failed: true });
  }
}

async function mistakeIn({ query }: StatementOf<'select'>, frame: Frame): Promise<SqlError | undefined> {
  try {
    const context = await StatementContext.of(frame, query);
    context.query(query, undefined);
    return undefined;
  } catch (error) {
    // Any other error may be gone by the time the query runs, so it is not reported for one that does not run.
    if (!(error instanceof SqlError)) throw error;
    return mistakes.has(error.number) ? error : undefined;
  }
}
