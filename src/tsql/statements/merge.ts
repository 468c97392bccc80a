import { ruleBroken, sqlError } from '../../base/messages/sql-error.ts';
import { inTurns, toTheEnd } from '../../base/threads/steps.ts';
import type { Merge, MergeAction, MergeClause } from '../../syntax/ast/merge.ts';
import type { FromItem, JoinKind } from '../../syntax/ast/query.ts';
import type { Target } from '../../syntax/ast/statement.ts';
import { nvarchar } from '../../tds/types/index.ts';
import { type Compiled, type Env, noRows, type Test } from '../evaluate/compiled.ts';
import { answered, type Prepared } from '../evaluate/prepared.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { withCtes } from '../query/cte.ts';
import { compileFrom, type Source } from '../query/joins/from.ts';
import { compileJoins, fromRows, type JoinTree } from '../query/joins/join.ts';
import { joinRowSizer } from '../query/joins/join-row.ts';
import { reading } from '../query/read.ts';
import { sizeOf } from '../query/run.ts';
import { SelectScope } from '../query/scope.ts';
import { HeldMemory } from '../storage/held-memory.ts';
import type { MemoryTable, TableRow } from '../storage/memory-table.ts';
import { refuseOrphans } from '../storage/references.ts';
import { rowsByValues } from '../storage/rows-by-values.ts';
import { StatementUndo } from '../storage/statement-undo.ts';
import { storedTarget } from '../stored/target.ts';
import { changedRows, limit, type Setter, setter } from './change.ts';
import {
  type ChangedQuery,
  changedQuery,
  onlyTable,
  rowBehind,
  severalTables,
  shownBy,
  WayThrough,
} from './changed-query.ts';
import { refuseUnseen } from './check-option.ts';
import { type Completion, next } from './completion.ts';
import { given } from './insert.ts';
import { allOrNothing, type Given, Inserter } from './inserter.ts';
import { type Change, Output } from './output-clause.ts';
import { Consequences } from './references.ts';
import { RowRules, targetTable } from './rows.ts';
import { beginImplicitly } from './transaction.ts';

/** What a MERGE is compiled to. */
interface Compilation {
  readonly table: MemoryTable;
  /** What names call the target. */
  readonly alias: string;
  readonly scope: SelectScope;
  readonly context: StatementContext;
  readonly tree: JoinTree;
  /** The target, which is the first, and the sources. */
  readonly sources: readonly Source[];
  readonly rules: RowRules;
  /** Present if the table is changed through a query. */
  readonly way: WayThrough | undefined;
  readonly through: ChangedQuery | undefined;
}

interface Clause {
  readonly when: MergeClause['when'];
  readonly test: Prepared<Test> | undefined;
  readonly action: Action;
}

type Action =
  | { readonly kind: 'delete' }
  | { readonly kind: 'update'; readonly setters: readonly Setter[] }
  | {
      readonly kind: 'insert';
      readonly inserter: Inserter;
      readonly values: Prepared<readonly (Compiled | undefined)[]>;
    };

/** What a row that is found takes besides its values, and each value that is to be inserted. */
const plannedOverhead = 256;
const givenOverhead = 32;

/** What is to be done, all of it found before the first row changes. */
class Work {
  readonly deleted: { readonly row: TableRow; readonly env: Env }[] = [];
  readonly updated: { readonly row: TableRow; readonly env: Env; readonly values: readonly unknown[] }[] = [];
  readonly inserted: { readonly inserter: Inserter; readonly given: readonly Given[]; readonly env: Env }[] = [];

  get count(): number {
    return this.deleted.length + this.updated.length + this.inserted.length;
  }
}

/** MERGE, on tables that clients made. */
export async function runMerge(statement: Merge, frame: Frame): Promise<Completion> {
  const through = changedQuery(statement.target, [], statement.with, frame.host);
  const target = through === undefined ? statement.target : tableBehind(through, frame);
  if ((await storedTarget(target, frame, 'UPDATE')) !== undefined)
    throw ruleBroken('MERGE changes the tables that clients make. This one is changed by INSERT, UPDATE and DELETE.');
  const compiled = await compile(statement, target, through, frame);
  const { table, context, sources, way } = compiled;
  const clauses = statement.clauses.map((clause) => compileClause(clause, compiled));
  await beginImplicitly(frame);
  const output = await Output.of(statement.output, (way ?? table).columns, context, [
    actionSource,
    ...sources.slice(1),
  ]);
  using held = new HeldMemory(frame.host.memory, table.refused);
  const work = await reading(context, async () => {
    const most = await limit(statement.top, table, context);
    return find(clauses, compiled, most, held);
  });
  await allOrNothing([output], () =>
    StatementUndo.around(async (undo) => {
      undo.covers(table);
      const changes = await apply(work, compiled, new Consequences(frame, 'MERGE', undo), frame);
      await output.take(changes, (done) => changeOf(done, way));
    }),
  );
  await output.send();
  frame.host.state.rowCount = work.count;
  if (!output.sendsRows) frame.sink.done({ command: 'merge', count: work.count });
  return next;
}

/** What OUTPUT sees as `$action`. */
const actionSource = { alias: '', columns: [{ name: '$action', type: nvarchar(10), nullable: false }] };

/** The table that is changed through a query: 4405 for several. */
function tableBehind(through: ChangedQuery, { host }: Frame): Target {
  const only = onlyTable(through, host);
  if (only === undefined) throw severalTables(through);
  return only;
}

async function compile(
  statement: Merge,
  behind: Target,
  through: ChangedQuery | undefined,
  frame: Frame,
): Promise<Compilation> {
  const { target, alias, source, on, clauses } = statement;
  const table = await targetTable(behind, frame, 'UPDATE');
  const named = alias === undefined ? {} : { alias };
  const own: FromItem =
    'variable' in target
      ? { kind: 'variable', name: target.variable, ...named }
      : { kind: 'table', name: target, ...named };
  const from: FromItem = { kind: 'join', type: joinOf(clauses), left: own, right: source, on };
  const how = { carriesRows: through !== undefined };
  const plain = await StatementContext.of(frame, [statement, table.definition, from], how);
  const context = plain.withCtes(withCtes(statement.with, plain, undefined).ctes);
  const joined = compileFrom([from], undefined, context);
  const [first] = joined?.sources ?? [];
  if (joined === undefined || first === undefined) throw new Error('a MERGE has a target and a source');
  const { sources } = joined;
  const scope = new SelectScope(sources, undefined);
  const tree = compileJoins(joined.tree, sources, scope, context, []);
  const way = through && new WayThrough(through, first.columns, []);
  return {
    table,
    alias: first.alias,
    scope,
    context,
    tree,
    sources,
    rules: new RowRules(table, context),
    way,
    through,
  };
}

/** The rows that the clauses are about: of the rest only pairs are looked at. */
function joinOf(clauses: readonly MergeClause[]): JoinKind {
  const looksFor = (wanted: MergeClause['when']) => clauses.some(({ when }) => when === wanted);
  if (looksFor('unmatched')) return looksFor('unmatched by source') ? 'full' : 'right';
  return looksFor('unmatched by source') ? 'left' : 'inner';
}

function compileClause({ when, and, action }: MergeClause, whole: Compilation): Clause {
  const compiled = { ...whole, scope: scopeOf(when, whole) };
  const { context, scope } = compiled;
  const test = and && context.prepared(() => context.condition(and, scope));
  return { when, test, action: compileAction(action, compiled) };
}

/** A clause for rows without a counterpart knows the columns of the side that has the row, and no others. */
function scopeOf(when: MergeClause['when'], { scope, sources }: Compilation): SelectScope {
  if (when === 'matched') return scope;
  const isSeen = (at: number) => (at === 0) === (when === 'unmatched by source');
  const unknown = { alias: '', columns: [] };
  return new SelectScope(
    sources.map((source, at) => (isSeen(at) ? source : unknown)),
    undefined,
  );
}

function compileAction(action: MergeAction, compiled: Compilation): Action {
  const { table, context, scope, rules, way } = compiled;
  switch (action.kind) {
    case 'delete':
      return action;
    case 'update':
      return { kind: 'update', setters: action.assignments.map((item) => setter(item, compiled, rules)) };
    case 'insert': {
      const written = action.values === 'default values' ? [] : action.values;
      const explicit = action.values !== 'default values';
      const columns = explicit && way !== undefined ? way.placed(action.columns, context.frame.host) : action.columns;
      const inserter = new Inserter(table, columns, context, { explicit });
      if (explicit && written.length !== inserter.width)
        throw action.columns.length === 0 ? sqlError(213) : sqlError(written.length < inserter.width ? 109 : 110);
      const values = context.prepared(() =>
        written.map((value) => (value === 'default' ? undefined : context.expression(value, scope))),
      );
      return { kind: 'insert', inserter, values };
    }
  }
}

/** Determines what happens to each pair, or row without a counterpart; 8672 for a row that two source rows match. */
async function find(clauses: readonly Clause[], compiled: Compilation, most: number, held: HeldMemory): Promise<Work> {
  const { table, sources, context, tree, way } = compiled;
  const { turn } = context.run;
  const sizeOfPair = joinRowSizer(sources);
  const byValues = await rowsByValues(table, turn);
  const work = new Work();
  const touched = new Set<TableRow>();
  for await (const batch of fromRows(tree, [], noRows, context.run)) {
    for (const env of batch) {
      const row = byValues.get(rowBehind(way, env.rows[0]));
      const hasSource = env.rows.slice(1).some((each) => each !== null);
      const when = row === undefined ? 'unmatched' : hasSource ? 'matched' : 'unmatched by source';
      const clause = await clauseFor(clauses, when, env);
      if (turn.isOver) await turn.giveWay();
      if (clause === undefined) continue;
      if (work.count >= most) return work;
      if (row !== undefined && touched.has(row)) throw sqlError(8672);
      if (row !== undefined) touched.add(row);
      held.take(plannedOverhead + sizeOfPair(env.rows));
      await plan(clause.action, row, env, work, compiled, held);
    }
  }
  return work;
}

/** The first clause of a case whose condition holds. */
async function clauseFor(clauses: readonly Clause[], when: Clause['when'], env: Env): Promise<Clause | undefined> {
  for (const clause of clauses) {
    if (clause.when !== when) continue;
    if (clause.test === undefined) return clause;
    await answered(clause.test.pending, env);
    if (clause.test.compiled(env) === true) return clause;
  }
  return undefined;
}

async function plan(
  action: Action,
  row: TableRow | undefined,
  env: Env,
  work: Work,
  compiled: Compilation,
  held: HeldMemory,
) {
  if (action.kind === 'insert') {
    await answered(action.values.pending, env);
    const values = action.values.compiled.map((value) => given(value, env));
    held.take(values.reduce((sum, each) => sum + givenOverhead + sizeOf(each?.value), 0));
    work.inserted.push({ inserter: action.inserter, given: values, env });
  } else if (row !== undefined && action.kind === 'delete') work.deleted.push({ row, env });
  else if (row !== undefined && action.kind === 'update') {
    const changes = await changedRows(new Map([[row, env]]), action.setters, compiled.rules, compiled, held);
    for (const [, values] of changes) work.updated.push({ row, env, values });
  }
}

/** Deletes come first, so that new rows may use their keys; references are checked after all changes. */
async function apply(
  { deleted, updated, inserted }: Work,
  { table, through }: Compilation,
  consequences: Consequences,
  frame: Frame,
): Promise<Done[]> {
  const gone = deleted.map(({ row }) => row);
  await toTheEnd(table.delete(gone));
  const changes = updated.map(({ row, values }) => [row, values] as const);
  const before = updated.map(({ row }) => row.values);
  await toTheEnd(table.update(changes));
  const done: Done[] = [];
  const kept = updated.map(({ row }) => row);
  for (const { inserter, given: values, env } of inserted) {
    const count = inserter.inserted.length;
    await inserter.add(values);
    if (frame.turn.isOver) await frame.turn.giveWay();
    // A row that a key ignores is left out.
    const row = inserter.inserted[count];
    if (row !== undefined) kept.push(row);
    done.push({ action: 'INSERT', env, inserted: row?.values, deleted: undefined });
  }
  await consequences.updated(
    table,
    updated.map(({ values }, at) => [before[at] ?? values, values]),
  );
  await consequences.deleted(table, gone);
  await inTurns(refuseOrphans(table, kept, 'MERGE', frame.host), frame.turn);
  await refuseUnseen(through, table, kept, frame);
  for (const [at, { env, values }] of updated.entries())
    done.push({ action: 'UPDATE', env, inserted: values, deleted: before[at] });
  for (const { row, env } of deleted) done.push({ action: 'DELETE', env, inserted: undefined, deleted: row.values });
  return done;
}

/** What was done to a row: OUTPUT sees it as `$action`, with the rows of the sources. */
interface Done extends Change {
  readonly action: string;
  readonly env: Env;
}

const changeOf = ({ action, env, inserted, deleted }: Done, way: WayThrough | undefined): Change => ({
  inserted: inserted && shownBy(way, inserted, env.rows[0]),
  deleted: deleted && shownBy(way, deleted, env.rows[0]),
  others: [[action], ...env.rows.slice(1)],
});
