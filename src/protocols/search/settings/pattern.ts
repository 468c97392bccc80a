import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { fold } from '../../../base/text/collation.ts';
import { type Sql, sql } from '../../../engine/sql.ts';

/**
 * The condition that a name matches a pattern (3.1.5.12): `%` means any text, and only at the beginning, at the end or
 * at both; every other character means itself. A pattern that is NULL matches nothing.
 */
export function nameMatches(pattern: string | null): Sql {
  if (pattern === null) return sql`1 = 0`;
  const opens = pattern.startsWith('%');
  const closes = pattern.endsWith('%');
  const literal = pattern.slice(opens ? 1 : 0, closes && pattern.length > 1 ? -1 : pattern.length);
  if (literal.includes('%')) {
    throw ruleBroken(`In the pattern '${pattern}' the wildcard % is neither at the beginning nor at the end.`);
  }
  if (!opens && !closes) return sql`name_key = ${fold(literal)}`;
  // Spaces at the end of the literal are followed by more of the name, so they count.
  const folded = closes ? fold(`${literal}.`).slice(0, -1) : fold(literal);
  const escaped = folded.replace(/[!_]/g, '!$&');
  return sql`name_key like ${`${opens ? '%' : ''}${escaped}${closes ? '%' : ''}`} escape '!'`;
}
