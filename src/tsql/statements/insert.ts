import { formatMessage, sqlError } from '../../base/messages/sql-error.ts';
import { inTurns } from '../../base/threads/steps.ts';
import type { Query } from '../../syntax/ast/query.ts';
import type { Execute, ExecuteText, Insert } from '../../syntax/ast/statement.ts';
import * as t from '../../tds/types/index.ts';
import { type Compiled, type Env, noRows } from '../evaluate/compiled.ts';
import { answered } from '../evaluate/prepared.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { withCtes } from '../query/cte.ts';
import { compileLimits } from '../query/limits.ts';
import { eachRow, reading } from '../query/read.ts';
import { sizeOf } from '../query/run.ts';
import { emptyScope } from '../query/scope.ts';
import { refuseText } from '../query/texts/as-text.ts';
import { refuseOrphans } from '../storage/references.ts';
import { putRows } from '../stored/insert.ts';
import { standIn } from '../stored/stand-in.ts';
import { storedTarget } from '../stored/target.ts';
import { insertThrough, namesOf } from './change-target.ts';
import { refuseUnseen } from './check-option.ts';
import { type Completion, type Interpreter, next } from './completion.ts';
import { allOrNothing, type Given, Inserter } from './inserter.ts';
import { Output } from './output-clause.ts';
import { RowTakingSink } from './row-taking-sink.ts';
import { targetTable } from './rows.ts';
import { beginImplicitly } from './transaction.ts';

/** INSERT. */
export async function runInsert(written: Insert, frame: Frame, interpreter: Interpreter): Promise<Completion> {
  const { statement, way, through } = await insertThrough(written, frame);
  const stored = await storedTarget(statement.target, frame, 'INSERT');
  const table = stored === undefined ? await targetTable(statement.target, frame, 'INSERT') : standIn(stored);
  const plain = await StatementContext.of(frame, [statement, table.definition]);
  const context = plain.withCtes(withCtes(statement.with, plain, undefined).ctes);
  await beginImplicitly(frame);
  const inserter = new Inserter(table, statement.columns, context, { explicit: statement.source !== 'default values' });
  const output = await Output.of(statement.output, (way ?? table).columns, context);
  const { inserted } = inserter;
  const tell = async () => {
    await frame.standingIn(table, namesOf(statement.target), () => refuseUnseen(through, table, inserted, frame));
    await output.take(inserted, ({ values }) => ({ inserted: way?.shown(values) ?? values, deleted: undefined }));
  };
  await allOrNothing([inserter, output], async () => {
    await insertFrom(statement, inserter, context, interpreter);
    await inTurns(refuseOrphans(table, inserted, 'INSERT', frame.host), frame.turn);
    await (stored === undefined ? tell() : putRows(stored, inserted, frame, tell));
  });
  await output.send();
  if (inserter.ignoredDuplicate)
    frame.sink.info({ number: 3604, severity: 10, state: 0, text: formatMessage(3604, []), line: statement.line });
  frame.host.state.rowCount = inserted.length;
  if (!output.sendsRows) frame.sink.done({ command: 'insert', count: inserted.length });
  return next;
}

async function insertFrom(
  statement: Insert,
  inserter: Inserter,
  context: StatementContext,
  interpreter: Interpreter,
): Promise<void> {
  const { source } = statement;
  if (source === 'default values') await inserter.add([]);
  else if ('kind' in source) await insertExecuted({ ...statement, source }, inserter, context, interpreter);
  else if (source.body.kind === 'values')
    await insertValues(source.body.rows, statement.columns.length, inserter, context);
  else await insertSelected(statement, source, inserter, context);
}

async function insertValues(
  rows: (Query['body'] & { kind: 'values' })['rows'],
  listed: number,
  inserter: Inserter,
  context: StatementContext,
): Promise<void> {
  const compiled = rows.map((row) => {
    if (row.length !== inserter.width)
      throw listed === 0 ? sqlError(213) : sqlError(row.length < inserter.width ? 109 : 110);
    return context.prepared(() =>
      row.map((value) => (value === 'default' ? undefined : context.expression(value, emptyScope))),
    );
  });
  const most = context.frame.host.options.rowCount || compiled.length;
  await reading(context, async () => {
    for (const { compiled: values, pending } of compiled.slice(0, most)) {
      await answered(pending, noRows);
      await inserter.add(values.map((value) => given(value, noRows)));
    }
  });
}

export const given = (value: Compiled | undefined, env: Env): Given =>
  value === undefined ? undefined : { type: value.bare ? t.varchar(1) : value.type, value: value.evaluate(env) };

async function insertSelected(
  statement: Insert,
  source: Query,
  inserter: Inserter,
  context: StatementContext,
): Promise<void> {
  refuseText(source, 'INSERT');
  const plan = context.query({ ...source, with: [...statement.with, ...source.with], isBrowsed: false }, undefined);
  if (plan.columns.length !== inserter.width) {
    throw statement.columns.length === 0 ? sqlError(213) : sqlError(plan.columns.length < inserter.width ? 120 : 121);
  }
  const { frame } = context;
  const top =
    statement.top === undefined
      ? Number.POSITIVE_INFINITY
      : ((await reading(context, () => compileLimits(statement.top, {}, context).of(noRows))).count ?? 0);
  const most = Math.min(top, frame.host.options.rowCount || Number.POSITIVE_INFINITY);
  const types = plan.columns.map(({ type, bare }) => (bare ? t.varchar(1) : type));
  const put = (row: readonly unknown[]) =>
    inserter.add(row.map((value, at): Given => ({ type: types[at] ?? t.int, value })));
  if ('name' in statement.target && !context.names(statement.target)) {
    await eachRow(plan, context, put, most);
    return;
  }
  // The query may read the table itself, so all rows are read before the first is put in.
  const rows: (readonly unknown[])[] = [];
  using held = frame.host.memory.under(frame.host.statementMemory);
  const take = (row: readonly unknown[]): void => {
    held.grow(sizeOf(row));
    rows.push(row);
  };
  await eachRow(plan, context, take, most);
  for (const row of rows) {
    const slow = put(row);
    if (slow !== undefined) await slow;
    if (frame.turn.isOver) await frame.turn.giveWay();
  }
}

/** Takes the rows of a procedure. */
class CaptureSink extends RowTakingSink {}

/** INSERT … EXEC inserts every row that the procedure sends. */
async function insertExecuted(
  statement: Insert & { source: Execute | ExecuteText },
  inserter: Inserter,
  context: StatementContext,
  interpreter: Interpreter,
): Promise<void> {
  const { frame } = context;
  if (frame.sink instanceof CaptureSink) throw sqlError(8164);
  const sink = new CaptureSink(frame.sink, (row, columns) => {
    if (row.length !== inserter.width) throw sqlError(213);
    return inserter.add(row.map((value, at): Given => ({ type: columns[at]?.type ?? t.int, value })));
  });
  await interpreter.executeInto(statement.source, frame, sink);
  if (sink.failure !== undefined) throw sink.failure;
}
