import type { Condition, Expression } from './expression.ts';
import type { Cte, FromItem, Top } from './query.ts';
import type { OutputClause, Target, UpdateItem } from './statement.ts';

/** Which rows a WHEN of MERGE is about; `unmatched` are those of the source that no row of the target matches. */
type MergeCase = 'matched' | 'unmatched' | 'unmatched by source';

/** What THEN does to a row. */
export type MergeAction =
  | { readonly kind: 'delete' }
  | { readonly kind: 'update'; readonly assignments: readonly UpdateItem[] }
  | {
      readonly kind: 'insert';
      readonly columns: readonly string[];
      readonly values: readonly (Expression | 'default')[] | 'default values';
    };

export interface MergeClause {
  readonly when: MergeCase;
  readonly and?: Condition;
  readonly action: MergeAction;
}

export interface Merge {
  readonly kind: 'merge';
  /** The line of the batch it begins on, counted from 1. */
  readonly line: number;
  readonly with: readonly Cte[];
  readonly top?: Top;
  readonly target: Target;
  readonly alias?: string;
  readonly source: FromItem;
  readonly on: Condition;
  readonly clauses: readonly MergeClause[];
  /** Its expressions see the columns of the source, too, and `$action`. */
  readonly output?: OutputClause;
}
