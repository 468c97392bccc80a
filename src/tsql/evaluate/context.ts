import type { Relation } from '../../procedure/relations/relation.ts';
import type { DatabaseEntry, LoginEntry } from '../../procedure/server-view.ts';
import type { Condition, Expression, FunctionCall } from '../../syntax/ast/expression.ts';
import type { Query } from '../../syntax/ast/query.ts';
import type { Frame, Variable } from '../frame.ts';
import type { Plan } from '../query/plan.ts';
import type { Leaf } from '../query/read.ts';
import type { Run } from '../query/run.ts';
import type { MadeView } from '../storage/made-view.ts';
import type { Compiled, Test } from './compiled.ts';
import type { LastNumbers } from './last-numbers.ts';
import type { Pending, Prepared } from './prepared.ts';

/** The names that an expression may use. */
export interface Scope {
  /** The column of that name; throws 207, 209 or 4104. */
  column(parts: readonly string[]): Compiled;
  /** What the query provides for a whole expression: a value of GROUP BY, an aggregate, a window function. */
  whole?(expression: Expression, context: Context): Compiled | undefined;
}

/** A variable as an expression sees it: looked up by name in the frame of each run. */
export interface VariableCell {
  variable: Variable;
}

/** What a statement refers to; empty if nothing. */
export interface Known {
  /** Tables and views of the host by the key of `tableKey`. */
  readonly relations: ReadonlyMap<string, Relation>;
  /** The server's databases. */
  readonly databases: readonly DatabaseEntry[];
  /** The logins that are visible to the session. */
  readonly logins: readonly LoginEntry[];
  /** The names of those databases that the login may use, folded. */
  readonly accessible: ReadonlySet<string>;
  /** @@DBTS. */
  readonly databaseVersion: bigint;
  /** The values of IDENT_CURRENT for tables of databases. */
  readonly lastNumbers: LastNumbers;
}

/** A common table expression in scope: compiled again wherever it is used. */
export type CteSource = (outer: Scope | undefined) => Plan;

/** What the compilation of a statement needs; mutually recursive rules are reached through it. */
export interface Context {
  readonly frame: Frame;
  /** GETDATE() and similar functions: one moment per statement. */
  readonly now: Date;
  /** What was looked up beforehand, so that compilation and evaluation never wait. */
  readonly known: Known;
  /** The common table expressions in scope, by folded name. */
  readonly ctes: ReadonlyMap<string, CteSource>;
  /** The views whose queries are being compiled, the outermost first. */
  readonly views: readonly MadeView[];
  /** What the statement runs with. */
  readonly run: Run;
  /** The relations that are read while the statement runs. */
  readonly leaves: Leaf[];
  /** A variable of the frame: 137 if there is none of that name. */
  variable(name: string): VariableCell;
  expression(expression: Expression, scope: Scope): Compiled;
  condition(condition: Condition, scope: Scope): Test;
  query(query: Query, outer: Scope | undefined): Plan;
  /** Compiles something together with the subqueries in it. */
  prepared<T>(compile: () => T): Prepared<T>;
  /** Counts compilation work; 8623 if it is too much. */
  spend(effort: number): void;
  /** Records a subquery in what is being compiled. */
  await(pending: Pending): void;
  /** True in the step of a recursive expression, whose own rows differ each time. */
  readonly recursing: boolean;
  /** True if the statement changes tables through a query in its FROM. */
  readonly carriesRows: boolean;
  /**
   * The same with more common table expressions in scope, one of which may be the recursive one that is being compiled.
   */
  withCtes(ctes: ReadonlyMap<string, CteSource>, recursing?: boolean): Context;
  /** The same within a view, which sees no common table expressions from outside. */
  inView(view: MadeView): Context;
}

/** How a function is compiled once its arguments are. */
export interface FunctionSpec {
  readonly min: number;
  readonly max: number;
  compile(args: readonly Compiled[], context: Context, call: FunctionCall): Compiled;
  /** True when the first argument is a date part rather than a value. */
  readonly datePart?: boolean;
}
