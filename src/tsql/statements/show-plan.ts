import type { Query } from '../../syntax/ast/query.ts';
import type { Statement } from '../../syntax/ast/statement.ts';
import { nvarchar } from '../../tds/types/index.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { reading } from '../query/read.ts';
import { type Completion, next } from './completion.ts';

/** The query of a statement, if it has one. */
function queryOf(statement: Statement): Query | undefined {
  if (statement.kind === 'select') return statement.query;
  const source = statement.kind === 'insert' ? statement.source : undefined;
  return typeof source === 'object' && 'body' in source ? source : undefined;
}

/**
 * SET SHOWPLAN_TEXT ON: what of a statement's query goes to the engine, in the engine's own words, and what stays in the
 * interpreter. Nothing is sent or changed; values that the engine is given are worked out.
 */
export async function showPlan(statement: Statement, frame: Frame): Promise<Completion> {
  const query = queryOf(statement);
  if (query === undefined) return next;
  const context = await StatementContext.of(frame, query);
  const plan = context.query(query, undefined);
  const lines = await reading(context, async () => (await plan.explain?.()) ?? []);
  frame.sink.columns([{ name: 'StmtText', type: nvarchar(4000), nullable: false }]);
  for (const line of lines) {
    const slow = frame.sink.row([line.slice(0, 4000)]);
    if (slow) await slow;
  }
  frame.sink.endRows(lines.length);
  return next;
}
