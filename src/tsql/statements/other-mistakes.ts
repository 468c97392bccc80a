import { SqlError } from '../../base/sql-error.ts';
import type { Statement, StatementOf } from '../../syntax/ast/statement.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { Failure } from './failure.ts';

/** Columns that are not there, not told apart, or not grouped: SQL Server finds these before it runs anything. */
const mistakes: ReadonlySet<number> = new Set([207, 209, 4104, 8120]);

/**
 * SQL Server reads a whole batch before it runs any of it, and tells every mistake of this kind at once. After the first
 * one the queries that follow are read too, and theirs told.
 */
export async function tellOtherMistakes(aborted: unknown, rest: readonly Statement[], frame: Frame): Promise<void> {
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
    // What else is wrong may be right by the time the query runs: it is never said of one that does not.
    if (!(error instanceof SqlError)) throw error;
    return mistakes.has(error.number) ? error : undefined;
  }
}
