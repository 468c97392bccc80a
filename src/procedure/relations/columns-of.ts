import type { Columns } from '../declare.ts';
import type { Column } from '../run/sink.ts';

const columnLists = new WeakMap<Columns, readonly Column[]>();

/** The columns of a declared result set; always the same array, so that its encoding can be cached. */
export function columnsOf(declared: Columns): readonly Column[] {
  let columns = columnLists.get(declared);
  if (!columns) {
    columns = Object.entries(declared).map(([name, column]) =>
      'orNull' in column ? { name, type: column.orNull, nullable: true } : { name, type: column, nullable: false },
    );
    columnLists.set(declared, columns);
  }
  return columns;
}
