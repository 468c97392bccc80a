import type { Expression } from '../../syntax/ast/expression.ts';
import type { Compiled } from '../evaluate/compiled.ts';
import type { Context } from '../evaluate/context.ts';
import type { PlanColumn } from './plan.ts';

/** A function that stands in FROM: its columns, and its rows. */
export interface TableFunction {
  /** How many arguments it takes. */
  readonly arity: number;
  /** How many more it may be given. */
  readonly optional?: number;
  /** Its columns; a function where they depend on the arguments. */
  readonly columns:
    | readonly PlanColumn[]
    | ((args: readonly Compiled[], written: readonly Expression[]) => readonly PlanColumn[]);
  /** What it says of its arguments, by what the session may do. */
  rows(values: readonly unknown[], context: Context): Iterable<readonly unknown[]>;
  /** True where the rows depend on the arguments. */
  readonly asks?: boolean;
}
