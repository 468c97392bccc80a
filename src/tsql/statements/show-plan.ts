import type { Column } from '../../procedure/run/sink.ts';
import type { Query } from '../../syntax/ast/query.ts';
import type { Statement } from '../../syntax/ast/statement.ts';
import { bit, float, int, nvarchar } from '../../tds/types/index.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { reading } from '../query/read.ts';
import { type Completion, next, sendSet } from './completion.ts';

/** The query of a statement, if it has one. */
function queryOf(statement: Statement): Query | undefined {
  if (statement.kind === 'select') return statement.query;
  const source = statement.kind === 'insert' ? statement.source : undefined;
  return typeof source === 'object' && 'body' in source ? source : undefined;
}

/**
 * SET SHOWPLAN_TEXT ON: what of a statement's query goes to the engine, in the engine's own words, and what stays in
 * the interpreter. Nothing is sent or changed; values that the engine is given are worked out. SHOWPLAN_ALL has the
 * same lines.
 */
export async function showPlan(statement: Statement, frame: Frame): Promise<Completion> {
  const query = queryOf(statement);
  if (query === undefined) return next;
  const context = await StatementContext.of(frame, query);
  const plan = context.query(query, undefined);
  const lines = await reading(context, async () => (await plan.explain?.()) ?? []);
  const isAll = frame.host.options.showPlanAll;
  const columns = isAll ? columnsOfAll : [{ name: 'StmtText', type: nvarchar(4000), nullable: false }];
  await sendSet(frame.sink, columns, isAll ? rowsOfAll(lines) : lines.map((line) => [shortened(line)]));
  return next;
}

const shortened = (line: string): string => line.slice(0, 4000);

const columnsOfAll: readonly Column[] = [
  ...[{ name: 'StmtText', type: nvarchar(4000) }],
  ...['StmtId', 'NodeId', 'Parent'].map((name) => ({ name, type: int })),
  ...['PhysicalOp', 'LogicalOp'].map((name) => ({ name, type: nvarchar(128) })),
  ...['Argument', 'DefinedValues'].map((name) => ({ name, type: nvarchar(4000) })),
  ...['EstimateRows', 'EstimateIO', 'EstimateCPU'].map((name) => ({ name, type: float })),
  { name: 'AvgRowSize', type: int },
  { name: 'TotalSubtreeCost', type: float },
  ...['OutputList', 'Warnings'].map((name) => ({ name, type: nvarchar(4000) })),
  { name: 'Type', type: nvarchar(64) },
  { name: 'Parallel', type: bit },
  { name: 'EstimateExecutions', type: float },
].map((column) => ({ ...column, nullable: true }));

/** A row a line: its operator, and the line above that it is a part of. Nothing is estimated. */
function rowsOfAll(lines: readonly string[]): unknown[][] {
  const above: number[] = [];
  return lines.map((line, at) => {
    const depth = line.indexOf('|--');
    const [, operator = '', argument = null] = /\|--(\w+)(?:\((.*)\))?$/s.exec(line) ?? [];
    const parent = above.slice(0, depth).findLast((id) => id !== undefined) ?? 0;
    above.length = depth;
    above[depth] = at + 1;
    const estimates = { rows: null, io: null, cpu: null, size: null, cost: null };
    return [
      ...[shortened(line), 1, at + 1, parent, operator, operator, argument && shortened(argument), null],
      ...Object.values(estimates),
      ...[null, null, 'PLAN_ROW', false, null],
    ];
  });
}
