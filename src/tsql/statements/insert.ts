import { fold } from '../../base/collation.ts';
import { formatMessage, sqlError } from '../../base/sql-error.ts';
import type { Query } from '../../syntax/ast/query.ts';
import type { Execute, ExecuteText, Insert } from '../../syntax/ast/statement.ts';
import { convert } from '../../tds/convert/convert.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { type Compiled, type Env, noRows } from '../evaluate/compiled.ts';
import { answered } from '../evaluate/prepared.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { refuseText } from '../query/as-text.ts';
import { compileLimits } from '../query/limits.ts';
import { eachRow, reading } from '../query/read.ts';
import { sizeOf } from '../query/run.ts';
import { emptyScope } from '../query/scope.ts';
import type { MemoryTable, TableRow } from '../storage/memory-table.ts';
import { refuseOrphans } from '../storage/references.ts';
import { putRows } from '../stored/insert.ts';
import { standIn } from '../stored/stand-in.ts';
import { storedTarget } from '../stored/target.ts';
import { CaptureSink } from './capture-sink.ts';
import { type Completion, type Interpreter, next } from './completion.ts';
import { outputRows } from './output-clause.ts';
import { RowRules, targetTable, toColumn } from './rows.ts';
import { beginImplicitly } from './transaction.ts';

/** A value on its way into a column; undefined asks for the column's default. */
type Given = { readonly type: AnyType; readonly value: unknown } | undefined;

/** Puts rows into one table for one statement; a failure takes out again what the statement put in. */
export class Inserter {
  readonly #frame: Frame;
  readonly #table: MemoryTable;
  readonly #rules: RowRules;
  /** Which column each given value goes to. */
  readonly #columns: readonly number[];
  readonly inserted: TableRow[] = [];
  /** True once a row was left out because a key has it already and ignores that. */
  ignoredDuplicate = false;
  /** BULK INSERT without KEEP_NULLS gives a column's default for NULL. */
  readonly #nullMeansDefault: boolean;
  /** What is too long for its column is refused, whatever ANSI_WARNINGS says, in a bulk load. */
  readonly #verifyLength: boolean | undefined;

  constructor(
    table: MemoryTable,
    columns: readonly string[],
    context: StatementContext,
    options: { explicit: boolean; nullMeansDefault?: boolean; verifyLength?: boolean },
  ) {
    this.#frame = context.frame;
    this.#table = table;
    this.#rules = new RowRules(table, context);
    this.#columns = columns.length > 0 ? columns.map((name) => this.#columnAt(name)) : this.#allColumns();
    this.#nullMeansDefault = options.nullMeansDefault ?? false;
    this.#verifyLength = options.verifyLength;
    if (new Set(this.#columns).size < this.#columns.length) throw sqlError(264, columns[0] ?? '');
    this.#refuseIdentity(options.explicit);
  }

  get width(): number {
    return this.#columns.length;
  }

  #columnAt(name: string): number {
    const at = this.#table.columns.findIndex((column) => fold(column.name) === fold(name));
    if (at < 0) throw sqlError(207, name);
    return at;
  }

  /** Without a list, every column that is not filled by itself. */
  #allColumns(): number[] {
    const withIdentity = this.#identityOn;
    return this.#table.columns.flatMap((column, at) =>
      (column.identity !== undefined && !withIdentity) || this.#rules.isComputed(at) ? [] : [at],
    );
  }

  get #identityOn(): boolean {
    return this.#frame.host.state.identityInsert === fold(this.#table.name);
  }

  #refuseIdentity(explicit: boolean): void {
    const identity = this.#table.columns.findIndex((column) => column.identity !== undefined);
    if (identity < 0 || !explicit) return;
    const isGiven = this.#columns.includes(identity);
    if (isGiven && !this.#identityOn) throw sqlError(544, this.#table.name);
    if (!isGiven && this.#identityOn) throw sqlError(545, this.#table.name);
  }

  /** Inserts one row of given values, in the order of the columns. */
  add(given: readonly Given[]): void {
    const { state } = this.#frame.host;
    const values = this.#table.columns.map((column, at): unknown => {
      const place = this.#columns.indexOf(at);
      const value = place < 0 ? undefined : given[place];
      if (column.type.name === 'timestamp') return ++state.rowVersion;
      if (value !== undefined && !(this.#nullMeansDefault && value.value === null && this.#rules.hasDefault(at))) {
        return toColumn(value.value, value.type, this.#table, column, this.#frame, this.#verifyLength);
      }
      if (column.identity !== undefined)
        return convert(this.#table.nextIdentity(), t.bigint, column.type, { implicit: true, expression: true });
      return this.#rules.defaultOf(at);
    });
    const row = this.#table.insert(this.#rules.finish(values, 'INSERT'));
    if (row === undefined) this.ignoredDuplicate = true;
    else this.inserted.push(row);
    this.#rememberIdentity(values);
  }

  #rememberIdentity(values: readonly unknown[]): void {
    const at = this.#table.columns.findIndex((column) => column.identity !== undefined);
    const value = values[at];
    const type = this.#table.columns[at]?.type;
    if (at < 0 || value === null || value === undefined || type === undefined) return;
    const identity = BigInt(String(convert(value, type, t.bigint, { implicit: false })));
    this.#table.sawIdentity(identity);
    this.#frame.host.state.identity = identity;
  }

  /** Takes the statement's rows out again. */
  undo(): void {
    this.#table.delete(this.inserted);
  }
}

/** Runs a step of an insert; what fails leaves none of its rows. */
export async function allOrNothing(inserter: Inserter, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    inserter.undo();
    throw error;
  }
}

/** INSERT. */
export async function runInsert(statement: Insert, frame: Frame, interpreter: Interpreter): Promise<Completion> {
  const stored = await storedTarget(statement.target, frame, 'INSERT');
  const table = stored === undefined ? await targetTable(statement.target, frame, 'INSERT') : standIn(stored);
  const context = await StatementContext.of(frame, [statement, table.definition]);
  await beginImplicitly(frame);
  const inserter = new Inserter(table, statement.columns, context, { explicit: statement.source !== 'default values' });
  await allOrNothing(inserter, async () => {
    await insertFrom(statement, inserter, context, interpreter);
    refuseOrphans(table, inserter.inserted, 'INSERT', frame.host);
  });
  if (stored !== undefined) await putRows(stored, inserter.inserted, frame);
  await outputRows(
    statement.output,
    table,
    inserter.inserted.map((row) => ({ inserted: row.values, deleted: undefined })),
    context,
  );
  if (inserter.ignoredDuplicate)
    frame.sink.info({ number: 3604, severity: 10, state: 0, text: formatMessage(3604, []), line: statement.line });
  const count = inserter.inserted.length;
  frame.host.state.rowCount = count;
  if (statement.output === undefined || statement.output.into !== undefined)
    frame.sink.done({ command: 'insert', count });
  return next;
}

async function insertFrom(
  statement: Insert,
  inserter: Inserter,
  context: StatementContext,
  interpreter: Interpreter,
): Promise<void> {
  const { source } = statement;
  if (source === 'default values') inserter.add([]);
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
      inserter.add(values.map((value) => given(value, noRows)));
    }
  });
}

const given = (value: Compiled | undefined, env: Env): Given =>
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
  // All rows are read before the first is put in: the query may read the table itself.
  const rows: (readonly unknown[])[] = [];
  using held = frame.host.memory.under(frame.host.statementMemory);
  const take = (row: readonly unknown[]): void => {
    held.grow(sizeOf(row));
    rows.push(row);
  };
  await eachRow(plan, context, take, most);
  const types = plan.columns.map(({ type, bare }) => (bare ? t.varchar(1) : type));
  for (const row of rows) {
    inserter.add(row.map((value, at): Given => ({ type: types[at] ?? t.int, value })));
    if (frame.turn.isOver) await frame.turn.giveWay();
  }
}

/** INSERT … EXEC takes every row that the procedure sends. */
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
    inserter.add(row.map((value, at): Given => ({ type: columns[at]?.type ?? t.int, value })));
  });
  await interpreter.executeInto(statement.source, frame, sink);
  if (sink.failure !== undefined) throw sink.failure;
}
