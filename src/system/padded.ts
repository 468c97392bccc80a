import type { Row } from '../base/stored.ts';
import type { Columns } from '../procedure/declare.ts';
import { columnsOf } from '../procedure/relations/columns-of.ts';

/** Pads the values of char and nchar columns with blanks, as in SQL Server's rows. */
export function padded<C extends Columns>(columns: C, rows: Iterable<Row<C>>): Iterable<Row<C>> {
  const fixed = columnsOf(columns).filter(({ type }) => type.name === 'char' || type.name === 'nchar');
  if (fixed.length === 0) return rows;
  return Iterator.from(rows).map((row) => {
    const full: Record<string, unknown> = { ...row };
    for (const { name, type } of fixed) if (full[name] !== null) full[name] = type.check(full[name]);
    return full as Row<C>; // the same keys with values of the same types
  });
}
