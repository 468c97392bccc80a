import { quoted } from './sql.ts';

/**
 * The ON CONFLICT clause of an insert whose rows may replace those with the same values in the columns of a key. A row
 * that is already identical is not written again.
 */
export function onConflict(table: string, columns: readonly string[], key: readonly string[] | undefined): string {
  if (key === undefined) return '';
  const changed = columns.filter((column) => !key.includes(column)).map(quoted);
  const target = ` on conflict (${key.map(quoted).join(', ')}) do`;
  if (changed.length === 0) return `${target} nothing`;
  const set = changed.map((column) => `${column} = excluded.${column}`);
  const differs = changed.map((column) => `${quoted(table)}.${column} is distinct from excluded.${column}`);
  return `${target} update set ${set.join(', ')} where ${differs.join(' or ')}`;
}
