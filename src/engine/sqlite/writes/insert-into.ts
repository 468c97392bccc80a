import { quoted } from '../../sql.ts';

/** An INSERT of rows whose values are all bound. */
export function insertInto(table: string, columns: readonly string[], rows = 1): string {
  const places = `(${columns.map(() => '?').join(', ')})`;
  return `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values ${Array(rows).fill(places).join(', ')}`;
}
