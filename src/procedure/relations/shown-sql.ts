import { Hole, type Piece, type Sql } from '../../engine/sql.ts';

/** A statement for people to read: with its values in place. */
export function shownSql({ strings, values }: Sql): string {
  return strings.reduce((text, piece, at) => `${text}${shownValue(values[at - 1])}${piece}`);
}

function shownValue(value: Piece | undefined): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return String(value.getTime());
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value !== 'object') return String(value);
  if ('strings' in value) return shownSql(value);
  if ('sqlite' in value) return shownSql(value.sqlite);
  if (value instanceof Hole) return '?';
  return `(${value.rows.map(([first = null]) => shownValue(first)).join(', ')})`;
}
