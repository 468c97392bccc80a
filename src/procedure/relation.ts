import type { Call } from './call.ts';
import type { Columns, Row } from './declare.ts';

/** A table or view that clients may read with SELECT. */
export interface Relation<C extends Columns = Columns> {
  readonly schema: string;
  readonly name: string;
  readonly type: 'table' | 'view';
  readonly columns: C;
  rows(call: Call): AsyncIterable<Row<C>> | Iterable<Row<C>>;
}

/** Declares a relation in the schema dbo, typed by its columns. */
export function relation<const C extends Columns>(declared: {
  readonly name: string;
  readonly type?: 'table' | 'view';
  readonly columns: C;
  rows(call: Call): AsyncIterable<Row<C>> | Iterable<Row<C>>;
}): Relation<C> {
  return { schema: 'dbo', type: 'table', ...declared };
}
