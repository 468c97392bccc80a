import type { FromItem } from '../../../syntax/ast/query.ts';
import type { Compiled } from '../../evaluate/compiled.ts';
import type { Context } from '../../evaluate/context.ts';
import type { Batches } from '../batches.ts';
import type { PlanColumn } from '../plan.ts';

/** The call of such a function, as it is written. */
export type TableCall = FromItem & { readonly kind: 'function' };

/** A function in FROM: its columns, and its rows. */
export interface TableFunction {
  /** How many arguments it takes. */
  readonly arity: number;
  /** How many more it may be given. */
  readonly optional?: number;
  /** Its columns; a function if they depend on the arguments. */
  readonly columns: readonly PlanColumn[] | ((args: readonly Compiled[], call: TableCall) => readonly PlanColumn[]);
  /** Its rows for these arguments, as far as the permissions of the session allow. */
  rows(
    values: readonly unknown[],
    context: Context,
    call: TableCall,
  ): Iterable<readonly unknown[]> | Batches<readonly unknown[]>;
  /** True if the rows depend on the arguments. */
  readonly asks?: boolean;
}
