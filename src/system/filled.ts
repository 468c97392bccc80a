import type { Row } from '../base/stored.ts';
import type { Columns } from '../procedure/declare.ts';
import { columnsOf } from '../procedure/relations/columns-of.ts';
import type { ColumnList } from './catalog-text.ts';
import type { Given } from './views/rows.ts';

/**
 * Rows of a list of columns: the given values, otherwise those of every row, otherwise NULL. Values of char and nchar
 * are padded with blanks, as in SQL Server's rows.
 */
export function filled({ columns, constants }: ColumnList, given: Iterable<Given>): Iterable<Row<Columns>> {
  const all = columnsOf(columns);
  return Iterator.from(given).map((each) => {
    const row: Record<string, unknown> = {};
    for (const { name, type } of all) {
      const value = (name in each ? each[name] : constants[name]) ?? null;
      row[name] = value !== null && (type.name === 'char' || type.name === 'nchar') ? type.check(value) : value;
    }
    return row as Row<Columns>; // which value a column has, its text says, not the compiler
  });
}
