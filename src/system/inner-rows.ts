import type { Columns } from '../procedure/declare.ts';
import { columnsOf } from '../procedure/relations/columns-of.ts';
import type { InnerSet } from '../procedure/relations/tsql-view.ts';
import type { Column } from '../procedure/run/sink.ts';
import { convert } from '../tds/convert/convert.ts';
import type { Given } from './views/rows.ts';

const asIs = (from: Column, to: Column): boolean => from.type.declaration === to.type.declaration;

/**
 * The rows of a query as rows of the declared columns: by name if the query uses only their names, otherwise by
 * position, and converted if its types differ.
 */
export function rowsOfSet({ columns, rows }: InnerSet, declared: Columns): readonly Given[] {
  const wanted = columnsOf(declared);
  const byName = columns.map(({ name }) => wanted.find((column) => column.name === name));
  const places = byName.every((found) => found !== undefined) ? byName : wanted;
  return rows.map((row) => {
    const given: Record<string, unknown> = {};
    for (const [at, from] of columns.entries()) {
      const to = places[at];
      if (to === undefined) throw new Error(`a query of the catalog has more columns than are declared`);
      const value = row[at];
      given[to.name] = asIs(from, to) ? value : convert(value, from.type, to.type, { implicit: false });
    }
    return given;
  });
}
