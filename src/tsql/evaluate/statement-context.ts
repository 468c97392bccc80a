import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { Relation } from '../../procedure/relations/relation.ts';
import type { DatabaseEntry } from '../../procedure/server-view.ts';
import type { Condition, Expression } from '../../syntax/ast/expression.ts';
import type { Query } from '../../syntax/ast/query.ts';
import type { Frame, Variable } from '../frame.ts';
import { needDatabases, needLogins } from '../functions/functions.ts';
import { compileQuery } from '../query/compile-query.ts';
import { tableKey } from '../query/joins/from.ts';
import type { Plan } from '../query/plan.ts';
import type { Leaf } from '../query/read.ts';
import type { Run } from '../query/run.ts';
import type { MadeView } from '../storage/made-view.ts';
import { isShared, placeOf } from '../storage/object-place.ts';
import { readingOf } from '../storage/reading.ts';
import type { Compiled, Test } from './compiled.ts';
import { compileCondition } from './conditions.ts';
import type { Context, CteSource, Known, Scope, VariableCell } from './context.ts';
import { compileExpression } from './expressions.ts';
import { lastNumbers } from './last-numbers.ts';
import { type NamedTable, namesOf } from './names-of.ts';
import type { Pending, Prepared } from './prepared.ts';

interface Facts {
  /** The session that it serves; undefined while it is cached. */
  session: { readonly frame: Frame; readonly now: Date; readonly run: Run } | undefined;
  readonly tables: readonly NamedTable[];
  readonly variables: Map<string, VariableCell>;
  readonly known: Known;
  readonly leaves: Leaf[];
  /** The subqueries in what is being compiled. */
  pending: Pending[];
  readonly carriesRows: boolean;
  /** True once something had to be awaited: its answers may not be used for another run. */
  awaits: boolean;
  /** The remaining compilation budget. */
  effort: number;
}

/** How a statement is compiled. */
interface Compilation {
  /** True if it changes tables through queries. */
  readonly carriesRows?: boolean;
  /** The view that is being made, whose query the statement is. */
  readonly within?: MadeView;
}

/**
 * The compilation budget of a statement: a common table expression that is used twice at every level doubles with each.
 * One unit is about a quarter of a microsecond, during which others wait. A query counts for many, and so does each of
 * the tables that it reads (`from.ts`).
 */
const mostEffort = 200_000;
const effortOfQuery = 120;
const effortOfCondition = 6;
const effortOfOperation = 6;
const effortOfValue = 2;
const values: ReadonlySet<Expression['kind']> = new Set(['literal', 'variable', 'column', 'global']);

/** The databases that the login may use. */
async function accessibleOf({ host }: Frame, databases: readonly DatabaseEntry[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const { name } of databases) if (await host.hasAccess(name)) names.add(fold(name));
  return names;
}

/** A table of a nonexistent database is a nonexistent table: 208, not 911. */
async function lookUp({ host }: Frame, name: ObjectName): Promise<Relation | undefined> {
  try {
    return await host.relation(name);
  } catch (error) {
    if (error instanceof SqlError && error.number === 911) return undefined;
    throw error;
  }
}

/** The relation that a table of FROM refers to; undefined for one that a client has created, or that does not exist. */
async function relationOf({ name, hints = [] }: NamedTable, frame: Frame): Promise<Relation | undefined> {
  const { host, signal } = frame;
  const place = placeOf(name, host);
  const table = place?.tables.get(fold(name.name));
  if (table !== undefined && isShared(place, host))
    await host.tempDb.awaitReadable(table, readingOf(hints, host.options.isolation), host, signal);
  const isMade = table !== undefined || place?.views.has(fold(name.name));
  return isMade || name.name.startsWith('#') ? undefined : lookUp(frame, name);
}

function sessionOf(frame: Frame): NonNullable<Facts['session']> {
  const { turn, host } = frame;
  return { frame, now: host.clock.now(), run: { turn, memory: host.memory.under(host.statementMemory) } };
}

/** The context in which one statement is compiled; mutually recursive rules meet here. */
export class StatementContext implements Context {
  readonly ctes: ReadonlyMap<string, CteSource>;
  readonly views: readonly MadeView[];
  readonly recursing: boolean;
  readonly #facts: Facts;

  private constructor(
    facts: Facts,
    views: readonly MadeView[],
    ctes: ReadonlyMap<string, CteSource> = new Map(),
    recursing = false,
  ) {
    this.views = views;
    this.ctes = ctes;
    this.recursing = recursing;
    this.#facts = facts;
  }

  /** Looks up the tables and databases that a statement refers to, so that its compilation never waits. */
  static async of(frame: Frame, statement: unknown, how: Compilation = {}): Promise<StatementContext> {
    const { carriesRows = false, within } = how;
    const { tables, functions, globals, parts } = await namesOf(statement, frame, within);
    const relations = new Map<string, Relation>();
    for (const table of tables) {
      const relation = await relationOf(table, frame);
      if (relation !== undefined) relations.set(tableKey(table.name), relation);
      // Views may read thousands of tables.
      if (frame.turn.isOver) await frame.turn.giveWay();
    }
    const asksForDatabases = [...functions].some((name) => needDatabases.has(name));
    const databases = asksForDatabases ? await frame.host.server.databases() : [];
    const logins = functions.isDisjointFrom(needLogins) ? [] : await frame.host.server.logins();
    const accessible = functions.has('HAS_DBACCESS') ? await accessibleOf(frame, databases) : new Set<string>();
    const databaseVersion = globals.has('@@DBTS') ? await frame.host.rowVersion(frame.signal) : 0n;
    const numbers = functions.has('IDENT_CURRENT') ? await lastNumbers(parts, databases, frame) : new Map();
    const facts: Facts = {
      session: sessionOf(frame),
      tables,
      variables: new Map(),
      known: { relations, databases, logins, accessible, databaseVersion, lastNumbers: numbers },
      leaves: [],
      carriesRows,
      pending: [],
      // Whoever runs a kept plan again looks up its tables, but not the views that it found them through.
      awaits: parts.length > 1,
      effort: mostEffort,
    };
    return new StatementContext(facts, within === undefined ? [] : [within]);
  }

  /** Prepares a compiled statement for another run; false if a name refers to something else there. */
  async serve(frame: Frame): Promise<boolean> {
    const facts = this.#facts;
    for (const table of facts.tables) {
      if ((await relationOf(table, frame)) !== facts.known.relations.get(tableKey(table.name))) return false;
    }
    for (const [name, cell] of facts.variables) {
      const found = frame.find(name);
      if (found === undefined || !isSameType(found, cell.variable)) return false;
      cell.variable = found;
    }
    facts.session = sessionOf(frame);
    return true;
  }

  get carriesRows(): boolean {
    return this.#facts.carriesRows;
  }

  /** Releases the session that it has served. */
  rest(): void {
    for (const cell of this.#facts.variables.values()) cell.variable = { ...cell.variable, value: null };
    this.#facts.session = undefined;
  }

  /** True if an answer of one run could be taken for that of another. */
  get awaits(): boolean {
    return this.#facts.awaits;
  }

  get #session(): NonNullable<Facts['session']> {
    if (this.#facts.session === undefined) throw new Error('a plan was used while nobody ran it');
    return this.#facts.session;
  }

  get frame(): Frame {
    return this.#session.frame;
  }

  get now(): Date {
    return this.#session.now;
  }

  get run(): Run {
    return this.#session.run;
  }

  /** True if a FROM of the statement names a table of this name. */
  names({ name }: ObjectName): boolean {
    return this.#facts.tables.some((table) => fold(table.name.name) === fold(name));
  }

  variable(name: string): VariableCell {
    const { variables } = this.#facts;
    const key = fold(name);
    let cell = variables.get(key);
    if (cell === undefined) {
      cell = { variable: this.frame.variable(name) };
      variables.set(key, cell);
    }
    return cell;
  }

  get leaves(): Leaf[] {
    return this.#facts.leaves;
  }

  get known(): Known {
    return this.#facts.known;
  }

  expression(expression: Expression, scope: Scope): Compiled {
    this.spend(values.has(expression.kind) ? effortOfValue : effortOfOperation);
    return compileExpression(expression, scope, this);
  }

  condition(condition: Condition, scope: Scope): Test {
    this.spend(effortOfCondition);
    return compileCondition(condition, scope, this);
  }

  query(query: Query, outer: Scope | undefined): Plan {
    this.spend(effortOfQuery);
    return compileQuery(query, outer, this);
  }

  spend(effort: number): void {
    this.#facts.effort -= effort;
    if (this.#facts.effort < 0) throw sqlError(8623);
  }

  prepared<T>(compile: () => T): Prepared<T> {
    const around = this.#facts.pending;
    const pending: Pending[] = [];
    this.#facts.pending = pending;
    try {
      return { compiled: compile(), pending };
    } finally {
      this.#facts.pending = around;
    }
  }

  await(pending: Pending): void {
    this.#facts.awaits = true;
    this.#facts.pending.push(pending);
  }

  withCtes(ctes: ReadonlyMap<string, CteSource>, recursing = this.recursing): StatementContext {
    return new StatementContext(this.#facts, this.views, ctes, recursing);
  }

  inView(view: MadeView): StatementContext {
    return new StatementContext(this.#facts, [...this.views, view]);
  }
}

const isSameType = (one: Variable, other: Variable): boolean =>
  one.deduce === undefined &&
  one.type.declaration === other.type.declaration &&
  one.type.collation === other.type.collation;
