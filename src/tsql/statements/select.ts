import { formatMessage, SqlError, sqlError } from '../../base/messages/sql-error.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import { firstSelect } from '../../syntax/ast/first-select.ts';
import type { Query, SelectItem } from '../../syntax/ast/query.ts';
import type { SelectStatement } from '../../syntax/ast/statement.ts';
import { convert } from '../../tds/convert/convert.ts';
import { bigint } from '../../tds/types/index.ts';
import { isUnpadded, withoutPadding } from '../../values/padding.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame, Variable } from '../frame.ts';
import { renamed } from '../query/joins/from.ts';
import { keepable, keepPlan, takePlan } from '../query/kept-plans.ts';
import type { Plan } from '../query/plan.ts';
import { eachRow } from '../query/read.ts';
import { inPieces, refuseText } from '../query/texts/as-text.ts';
import { MemoryTable } from '../storage/memory-table.ts';
import { memoryFor } from '../storage/object-place.ts';
import { give } from './assign.ts';
import { type Completion, next } from './completion.ts';
import { keepTable, placeOfNew } from './table-definition.ts';
import { beginToRead } from './transaction.ts';

/** SELECT: rows for the client, values for variables, or a new temporary table. */
export async function runSelect({ query }: SelectStatement, frame: Frame): Promise<Completion> {
  frame.nullEliminated = false;
  await beginToRead(query, frame);
  const { body } = query;
  const into = firstSelect(body)?.into;
  const isAssigning = body.kind === 'select' && body.items.some(({ kind }) => kind === 'assign');
  const isShown = into === undefined && !isAssigning;
  const isBrowsed = isShown && browses(query, frame);
  const isPositioned = isShown && query.as === undefined && frame.sink.positioned !== undefined;
  const mayBeKept = into === undefined && !isBrowsed && !isPositioned;
  const kept = mayBeKept ? await takePlan(query, frame) : undefined;
  const context = kept?.context ?? (await StatementContext.of(frame, query));
  const assigned = isAssigning ? assignedVariables(query, frame) : undefined;
  if (assigned !== undefined) refuseText(query, 'ASSIGNMENT');
  if (into !== undefined) refuseText(query, 'SELECT INTO');
  const asked = assigned === undefined ? query : withOperators(query);
  const whole = kept?.plan ?? context.query({ ...asked, isBrowsed, isPositioned, isOutermost: true }, undefined);
  const plan = query.as === undefined ? whole : inPieces(whole, query.as);
  const again = kept ?? (mayBeKept ? keepable(query, context, plan) : undefined);
  if (into !== undefined) await selectInto(into, plan, context, frame);
  else if (assigned !== undefined) await assignRows(assigned, plan, context, frame);
  else await showRows(plan, context, frame, isBrowsed);
  if (again !== undefined) keepPlan(query, again);
  return next;
}

/** SET ROWCOUNT. */
const mostRows = ({ host }: Frame): number => host.options.rowCount || Number.POSITIVE_INFINITY;

async function assignRows(
  assigned: readonly Variable[],
  plan: Plan,
  context: StatementContext,
  frame: Frame,
): Promise<void> {
  const types = plan.columns.map(({ type }) => type);
  // In order: of two values for one variable, the last one wins.
  const take = (row: readonly unknown[], from = 0): Promise<void> | undefined => {
    for (const [at, variable] of assigned.entries()) {
      if (at < from) continue;
      const slow = give(variable, row[at], types[at] ?? variable.type, frame);
      if (slow !== undefined) return slow.then(() => take(row, at + 1));
    }
    return undefined;
  };
  const count = await eachRow(plan, context, (row) => take(row), mostRows(frame));
  frame.host.state.rowCount = count;
  warnOfNulls(frame);
  frame.sink.done({ command: 'select', count });
}

async function showRows(plan: Plan, context: StatementContext, frame: Frame, isBrowsed: boolean): Promise<void> {
  frame.sink.columns(plan.columns);
  if (plan.positioned !== undefined) frame.sink.positioned?.(plan.positioned);
  if (isBrowsed) frame.sink.sources?.(plan.columns.map(({ source = {} }) => source));
  if (plan.sortedBy !== undefined) frame.sink.order?.(plan.sortedBy);
  const count = frame.host.options.fmtOnly ? 0 : await sendRows(plan, context, frame);
  frame.host.state.rowCount = count;
  warnOfNulls(frame);
  frame.sink.endRows(count);
}

/** True if the client is sent the origin of the columns: FOR BROWSE, or SET NO_BROWSETABLE ON. */
const browses = ({ isBrowsed }: Query, { host, sink }: Frame): boolean =>
  sink.sources !== undefined && (isBrowsed === true || host.options.noBrowseTable);

/** Under ANSI_WARNINGS, message 8153 says that an aggregate has skipped a NULL. */
function warnOfNulls({ host, sink, nullEliminated }: Frame): void {
  if (!nullEliminated || !host.options.ansiWarnings) return;
  sink.info({ number: 8153, severity: 10, state: 1, text: formatMessage(8153, []) });
}

/** Sends rows; an error that CATCH will handle still closes the result set that was opened. */
async function sendRows(plan: Plan, context: StatementContext, frame: Frame): Promise<number> {
  let sent = 0;
  try {
    return await eachRow(
      plan,
      context,
      (row) => {
        sent++;
        return frame.sink.row(row);
      },
      mostRows(frame),
    );
  } catch (error) {
    if (frame.inTry && error instanceof SqlError) frame.sink.endRows(sent);
    throw error;
  }
}

/** The variables that a SELECT assigns, in order; 141 if it also returns columns. */
function assignedVariables({ body }: Query, frame: Frame): Variable[] {
  if (body.kind !== 'select') return [];
  const assignments = body.items.filter((item) => item.kind === 'assign');
  if (assignments.length < body.items.length) throw sqlError(141);
  return assignments.map((item) => frame.variable(item.variable));
}

/** `@x += e` is `@x = @x + e`. */
function withOperators(query: Query): Query {
  if (query.body.kind !== 'select') return query;
  const items = query.body.items.map((item): SelectItem => {
    if (item.kind !== 'assign' || item.operator === undefined) return item;
    const { variable, operator, expression } = item;
    return {
      kind: 'assign',
      variable,
      expression: { kind: 'binary', operator, left: { kind: 'variable', name: variable }, right: expression },
    };
  });
  return { ...query, body: { ...query.body, items } };
}

/** The column that a new table goes on numbering: the only one that passes through that of the only table. */
function numberedPlace({ columns }: Plan): number | undefined {
  const [place, ...others] = columns.flatMap(({ numbering }, at) => (numbering === undefined ? [] : [at]));
  return others.length === 0 ? place : undefined;
}

/** SELECT … INTO #t creates a table with the query's columns. */
async function selectInto(target: ObjectName, plan: Plan, context: StatementContext, frame: Frame): Promise<void> {
  const { state } = frame.host;
  const { name } = target;
  const place = placeOfNew(target, frame);
  const identity = numberedPlace(plan);
  const columns = renamed(plan.columns, [], name).map(({ numbering, ...column }, at) => ({
    ...column,
    ...(numbering !== undefined && at === identity ? { identity: numbering } : {}),
    unpadded: isUnpadded(column.type, column.nullable, frame.host.options),
  }));
  const table = new MemoryTable({
    name,
    objectId: place.newObjectId(),
    columns,
    undo: state.undo,
    memory: memoryFor(place, frame.host),
  });
  table.schema = place.schema;
  const kept = (value: unknown, at: number) => (columns[at]?.unpadded ? withoutPadding(value) : value);
  let count: number;
  try {
    const type = columns[identity ?? -1]?.type;
    const take = (row: readonly unknown[]): void => {
      table.insert(row.map(kept));
      if (identity === undefined || type === undefined) return;
      table.sawIdentity(BigInt(String(convert(row[identity], type, bigint, { implicit: false }))));
    };
    count = await eachRow(plan, context, take, mostRows(frame));
  } catch (error) {
    table.free();
    throw error;
  }
  await keepTable(table, place, frame);
  state.rowCount = count;
  frame.sink.done({ command: 'select into', count });
}
